/** What a draft is made of, and the number that it must have. */
import { loosened, override } from '../../endpoints/shared.js';
import { Invalid, RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { refuseLessGuarded } from '../../platform/auth/claims.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import {
  type AcceptedOfTool,
  compareVersions,
  counting,
  evalConfigDigest,
  evalConfigOf,
  evalFolder,
  fileOf,
  type KeptCall,
  type KeptComposite,
  type ToolSpec,
  versionFault,
} from '../../registry/shared.js';
import { readingForWrites, type SpecReading } from '../../registry/public.js';
import { guardedAs } from '../model/call-guards.js';
import { guardsOfCall } from '../tool/called-guards.lookup.js';
import { requireTool } from '../tool/tools.filter.js';
import { refuseNewSchemas } from '../tool/kept-schemas.lookup.js';
import { todayBy, versionsOf } from '../tool/tool-versions.lookup.js';
import { MAX_FILE, type NewVersion } from './version-answers.schemas.js';
import { lastWritten } from './version-specs.lookup.js';
import { DraftToolVersion } from '../model/version.commands.js';
import type { VersionAbout } from '../model/version.events.js';

/** Refuses a number that does not say how much the version changes of the one before it within its major. */
export async function planDraft(
  sql: Sql,
  { caller, visibility }: { readonly caller: Caller; readonly visibility: Visibility },
  toolId: string,
  body: NewVersion & {
    readonly specText?: string;
    /** What the text says. */
    readonly spec?: ToolSpec;
    readonly call?: KeptCall | KeptComposite | undefined;
    /** Why its schemas are refused where no version has them. */
    readonly late: Invalid | undefined;
  },
) {
  const reading = readingForWrites(visibility.hostId);
  await requireTool(sql, visibility, toolId);
  const known = await versionsOf(sql, visibility.hostId, [toolId]);
  const { inputSchema, outputSchema: answers } = body;
  const given = { toolId, inputSchema, outputSchema: answers };
  await refuseNewSchemas(sql, visibility, given, body.late);
  const earlier = known.filter(
    ({ state, version }) => state !== 'draft' && compareVersions(version, body.version) < 0,
  );
  const live = earlier.filter(({ state }) => state === 'approved' || state === 'deprecated');
  const [base = known[0]] = live;
  if (base === undefined) throw new Error('A tool has at least one version.');
  const { content } = base;
  const outputSchema = body.outputSchema === undefined ? (content.outputSchema ?? null) : body.outputSchema;
  const said = override({}, {}, { safety: body.safety ?? null }).overrides;
  const accepted =
    live.length > 0
      ? await refuseSmallStep(await lastWritten(base, live, reading), body, {
          ...{ outputSchema, said: said.safety, reading },
          today: await todayBy(sql),
        })
      : [];
  const unguarded = { routing: content.routing, safety: { ...content.safety, ...said.safety } };
  const { routing, safety } = guardedAs(unguarded, await guardsOfCall(sql, visibility.hostId, body.call));
  refuseLessGuarded(caller, loosened(content, { routing, safety }).length > 0);
  if (content.call !== undefined && body.specText === undefined) throw hasCall();
  const { lifecycleStatus, sourceProtocol, capabilityRef } = content;
  const { call } = body;
  const kept = await evalConfigIn(body, base.name, reading);
  return new DraftToolVersion(visibility.hostId, toolId, {
    version: body.version,
    specText: body.specText ?? null,
    ...{
      ...kept,
      accepted,
      about: aboutOf(body.spec) ?? live.find(({ about }) => about !== null)?.about ?? undefined,
    },
    content: {
      words: { description: body.description, routing, safety, lifecycleStatus },
      invocation: {
        ...{ inputSchema: body.inputSchema, sourceProtocol, capabilityRef },
        ...(call !== undefined && { call: { ...call } }),
      },
      outputSchema,
    },
  });
}

/** What a spec says to people; undefined of none. */
export function aboutOf(spec: ToolSpec | undefined): VersionAbout | undefined {
  return (
    spec && { title: spec.title, owner: spec.owner, examples: spec.examples.map((each) => ({ ...each })) }
  );
}

function hasCall(): RuleBroken {
  const detail =
    'What this tool carries out stands in its spec: push the next version as a spec (POST …/tools/specs).';
  return new RuleBroken('tool_has_spec', detail);
}

/** What the version is evaluated by, as it is said, or as the file says it: both say the same. */
export async function evalConfigIn(
  {
    version,
    evalConfig: said,
    evalConfigText: text,
  }: Pick<NewVersion, 'version' | 'evalConfig' | 'evalConfigText'>,
  name: string,
  reading: SpecReading,
) {
  const evalConfig = said === undefined ? undefined : evalConfigOf(said, name);
  if (JSON.stringify(evalConfig ?? {}).length > MAX_FILE) {
    throw badConfig('/evalConfig', `has more than ${String(MAX_FILE)} characters`);
  }
  if (text === undefined) return { evalConfig: evalConfig ?? null, evalConfigText: null };
  const path = `${evalFolder}/${fileOf(name, version)}`;
  const { value, faults } = await reading.do('config', text, path);
  const [fault] = faults;
  if (value === undefined) {
    throw badConfig(
      '/evalConfigText',
      fault === undefined ? 'can’t be read' : `line ${String(fault.line)}: ${fault.detail}`,
    );
  }
  if (evalConfig !== undefined && evalConfigDigest(value) !== evalConfigDigest(evalConfig)) {
    throw badConfig('/evalConfigText', 'says something else than evalConfig');
  }
  return { evalConfig: value, evalConfigText: text };
}

function badConfig(pointer: string, detail: string): Invalid {
  return new Invalid('invalid_eval_config', 'The eval config can’t be taken as it is.', [
    { pointer, detail },
  ]);
}

/**
 * Refuses a number that is raised too little for what changes, by the rules of a registry's folder.
 *
 * @returns what was accepted of the changes, where the number would else have to be higher
 */
async function refuseSmallStep(
  before: ToolSpec,
  body: NewVersion & { readonly spec?: ToolSpec },
  more: Settled,
): Promise<readonly AcceptedOfTool[]> {
  const after = afterOf(before, body, more);
  const accepted = (body.accepted ?? []).map((each) => ({ ...each, tool: after.name }));
  const findings = await more.reading.do('judge', before, after, accepted, more.today);
  const fault = versionFault(before, after, counting(findings));
  if (fault === undefined) {
    const taken = new Set(findings.flatMap((finding) => finding.accepted ?? []));
    return [...taken].map(({ tool: _, ...each }) => each);
  }
  throw new Invalid('version_too_small', fault.detail, [{ pointer: '/version', detail: fault.instead }]);
}

interface Settled {
  readonly reading: SpecReading;
  readonly today: string;
  readonly outputSchema: object | null;
  /** The flags that the body sets. */
  readonly said:
    | { readonly readOnly?: boolean; readonly destructive?: boolean; readonly idempotent?: boolean }
    | undefined;
}

/** The spec of what is written; a member that only files have stays as it was. */
function afterOf(
  before: ToolSpec,
  { spec, version, description, inputSchema }: NewVersion & { readonly spec?: ToolSpec },
  { outputSchema, said }: Settled,
): ToolSpec {
  if (spec !== undefined) return spec;
  const { readOnly, destructive, idempotent } = said ?? {};
  return {
    ...{ ...before, version, description },
    inputSchema: inputSchema as ToolSpec['inputSchema'],
    outputSchema: outputSchema as ToolSpec['outputSchema'],
    annotations: {
      ...before.annotations,
      ...(readOnly !== undefined && { readOnlyHint: readOnly }),
      ...(destructive !== undefined && { destructiveHint: destructive }),
      ...(idempotent !== undefined && { idempotentHint: idempotent }),
    },
  };
}
