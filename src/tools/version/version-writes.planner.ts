import { callGradeOf, loosened, override } from '../../endpoints/shared.js';
import type { Outcome } from '../../kernel/command.js';
import { Invalid } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { refuseLessGuarded } from '../../platform/auth/claims.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { handle, type Receipt, receiptWith, UseCase } from '../../platform/use-cases/use-case.js';
import { redacted, refuseSecretsIn } from '../../platform/validation/secrets-in-texts.js';
import {
  checkToolSchemas,
  compareVersions,
  evalConfigDigest,
  evalConfigOf,
  evalFolder,
  fileOf,
  partsOf,
  readEvalConfig,
} from '../../registry/shared.js';
import type { KnownTool } from '../tool/tool.state.js';
import { requireTool } from '../tool/tools.filter.js';
import { type KnownVersion, versionOf, versionsOf } from './tool-versions.lookup.js';
import { approvalOf } from './version-approval.planner.js';
import * as command from './version.commands.js';
import {
  type ApprovalBody,
  type DeprecationBody,
  MAX_FILE,
  type NewVersion,
  type RejectionBody,
  type RetirementBody,
} from './version-answers.schemas.js';
import { VersionLinks } from './version-links.port.js';

interface OneVersion {
  readonly toolId: string;
  readonly version: string;
}

/** What became of one version of a tool. */
interface VersionReceipt extends Receipt {
  readonly toolVersion: string;
  readonly state: string;
}

export class DraftVersion extends UseCase<{ readonly toolId: string } & NewVersion, VersionReceipt> {}
export class SubmitVersion extends UseCase<OneVersion, VersionReceipt> {}
/** Needs `catalog:approve`, somebody other than the author, and an evaluation that passed, or an override. */
export class ApproveVersion extends UseCase<OneVersion & ApprovalBody, VersionReceipt> {}
export class RejectVersion extends UseCase<OneVersion & RejectionBody, VersionReceipt> {}
export class DeprecateVersion extends UseCase<OneVersion & DeprecationBody, VersionReceipt> {}
export class RetireVersion extends UseCase<OneVersion & RetirementBody, VersionReceipt> {}

function receiptOf(version: string) {
  return receiptWith(({ after }: Outcome) => ({
    toolVersion: version,
    state: (after as KnownTool).versions[version]?.state ?? '',
  }));
}

export async function seenVersion(sql: Sql, visibility: Visibility, { toolId, version }: OneVersion) {
  await requireTool(sql, visibility, toolId);
  return versionOf(sql, visibility.hostId, toolId, version);
}

/** Refuses a number that does not say how much the version changes of the one before it within its major. */
export async function planDraft(
  sql: Sql,
  { caller, visibility }: { readonly caller: Caller; readonly visibility: Visibility },
  toolId: string,
  body: NewVersion & { readonly specText?: string },
) {
  await requireTool(sql, visibility, toolId);
  const known = await versionsOf(sql, visibility.hostId, [toolId]);
  const earlier = known.filter(
    ({ state, version }) => state !== 'draft' && compareVersions(version, body.version) < 0,
  );
  const live = earlier.filter(({ state }) => state === 'approved' || state === 'deprecated');
  const [base = known[0]] = live;
  if (base === undefined) throw new Error('A tool has at least one version.');
  const { content } = base;
  const outputSchema = body.outputSchema === undefined ? (content.outputSchema ?? null) : body.outputSchema;
  if (live.length > 0) refuseSmallStep(base, body, outputSchema);
  const said = override({}, {}, { safety: body.safety ?? null }).overrides;
  const safety = { ...content.safety, ...said.safety };
  refuseLessGuarded(caller, loosened(content, { routing: content.routing, safety }).length > 0);
  const { routing, lifecycleStatus, sourceProtocol, capabilityRef } = content;
  const kept = evalConfigIn(body, base.name);
  return new command.DraftToolVersion(visibility.hostId, toolId, {
    version: body.version,
    specText: body.specText ?? null,
    ...kept,
    content: {
      words: { description: body.description, routing, safety, lifecycleStatus },
      invocation: { inputSchema: body.inputSchema, sourceProtocol, capabilityRef },
      outputSchema,
    },
  });
}

/** What the version is evaluated by, as it is said, or as the file says it: both say the same. */
export function evalConfigIn(
  {
    version,
    evalConfig: said,
    evalConfigText: text,
  }: Pick<NewVersion, 'version' | 'evalConfig' | 'evalConfigText'>,
  name: string,
) {
  const evalConfig = said === undefined ? undefined : evalConfigOf(said, name);
  if (JSON.stringify(evalConfig ?? {}).length > MAX_FILE) {
    throw badConfig('/evalConfig', `has more than ${String(MAX_FILE)} characters`);
  }
  if (text === undefined) return { evalConfig: evalConfig ?? null, evalConfigText: null };
  const path = `${evalFolder}/${fileOf(name, version)}`;
  const { value, faults } = readEvalConfig({ path, text });
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

function refuseSmallStep(
  { version, content }: KnownVersion,
  body: NewVersion,
  outputSchema: object | null,
): void {
  const grades = [
    callGradeOf('inputSchema', content.inputSchema, body.inputSchema),
    callGradeOf('outputSchema', content.outputSchema, outputSchema ?? undefined),
  ];
  const [major, minor] = partsOf(version);
  const [nextMajor, nextMinor] = partsOf(body.version);
  const least = grades.includes('breaking')
    ? `${String(major + 1)}.0.0`
    : grades.includes('compatible')
      ? `${String(major)}.${String(minor + 1)}.0`
      : undefined;
  const isEnough =
    nextMajor > major || (nextMajor === major && nextMinor > minor && !grades.includes('breaking'));
  if (least === undefined || isEnough) return;
  const detail = `From ${version} to ${body.version} is too small a step for what changes. Take ${least} or higher.`;
  throw new Invalid('version_too_small', detail, [
    { pointer: '/version', detail: `must be ${least} or higher` },
  ]);
}

export const versionHandlers = [
  handle(DraftVersion, {
    async check(sent) {
      const { evalConfigText } = sent;
      checkToolSchemas(sent);
      if (evalConfigText !== undefined) await refuseSecretsIn({ evalConfigText });
    },
    prepare: ({ toolId: _id, ...sent }) => redacted<NewVersion>(sent),
    load: (sql, { toolId }, writer, { body }) => planDraft(sql, writer, toolId, body),
    decide: (draft) => [draft],
    result: (outcomes, position, draft) => receiptOf(draft.payload.version)(outcomes, position),
  }),
  handle(SubmitVersion, {
    load: (sql, input, { visibility }) => seenVersion(sql, visibility, input),
    decide: (_known, { toolId, version }, { visibility }) => [
      new command.SubmitToolVersion(visibility.hostId, toolId, { version }),
    ],
    result: (outcomes, position, { version }) => receiptOf(version)(outcomes, position),
  }),
  handle(ApproveVersion, {
    async load(sql, input, { visibility, caller }) {
      const known = await seenVersion(sql, visibility, input);
      const approval = await approvalOf(sql, caller, known, input.override);
      return { ...known, approval };
    },
    decide: ({ approval }, { toolId, version }, { visibility }) => [
      new command.ApproveToolVersion(visibility.hostId, toolId, { version, ...approval }),
    ],
    result: (outcomes, position, { version }) => receiptOf(version)(outcomes, position),
  }),
  handle(RejectVersion, {
    load: (sql, input, { visibility }) => seenVersion(sql, visibility, input),
    decide: (_known, { toolId, version, reason }, { visibility }) => [
      new command.RejectToolVersion(visibility.hostId, toolId, { version, reason }),
    ],
    result: (outcomes, position, { version }) => receiptOf(version)(outcomes, position),
  }),
  handle(DeprecateVersion, {
    load: (sql, input, { visibility }) => seenVersion(sql, visibility, input),
    decide: (_known, { toolId, version, on, message }, { visibility }) => [
      new command.DeprecateToolVersion(visibility.hostId, toolId, { version, on, message }),
    ],
    result: (outcomes, position, { version }) => receiptOf(version)(outcomes, position),
  }),
  handle(
    RetireVersion,
    {
      prepare: (_input, _writer, links: VersionLinks) => Promise.resolve(links),
      async load(sql, input, { visibility }, links) {
        const known = await seenVersion(sql, visibility, input);
        return { ...known, keptBy: await lostBy(sql, visibility, links, input) };
      },
      decide: ({ keptBy }, { toolId, version, reason = null }, { visibility }) => [
        new command.RetireToolVersion(visibility.hostId, toolId, { version, reason, keptBy }),
      ],
      result: (outcomes, position, { version }) => receiptOf(version)(outcomes, position),
    },
    VersionLinks,
  ),
];

/** The names of the skills that are left without a version of the tool where this one is retired. */
async function lostBy(
  sql: Sql,
  visibility: Visibility,
  links: VersionLinks,
  { toolId, version }: OneVersion,
): Promise<readonly string[]> {
  const live = await versionsOf(sql, visibility.hostId, [toolId], { states: ['approved', 'deprecated'] });
  const before = live.map((known) => known.version);
  const after = before.filter((other) => other !== version);
  const moved = await links.moved(sql, visibility, toolId, { before, after });
  return moved.filter(({ to }) => to === null).map(({ skillName }) => skillName);
}
