import { Post } from '@nestjs/common';
import { v7 } from 'uuid';
import { safetyOfHints } from '../../formats/shared.js';
import type { Command } from '../../kernel/command.js';
import { type Fault, Invalid, RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { refuseLessGuarded } from '../../platform/auth/claims.js';
import { checkService } from '../../platform/auth/admission.js';
import { receiptReply } from '../../platform/http/replies.js';
import { writeRoute } from '../../platform/records/routes.js';
import { handle, type Receipt, receiptOf, UseCase, type Writer } from '../../platform/use-cases/use-case.js';
import { refuseSecretsIn } from '../../platform/validation/secrets-in-texts.js';
import {
  type KeptCall,
  type KeptComposite,
  refuseUnlessKept,
  specDigest,
  type ToolSpec,
} from '../../registry/shared.js';
import { readingForWrites, type SpecReading } from '../../registry/public.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { type CheckedOperation, Operations } from './operations.port.js';
import { guardedAs } from '../model/call-guards.js';
import { guardsOfCall } from '../tool/called-guards.lookup.js';
import { CreateTool } from '../model/tool.commands.js';
import { loosenedAtFirst } from '../model/tool-facts.js';
import { pushedTool } from './pushed-tool.lookup.js';
import { type KnownVersion, versionsOf } from '../tool/tool-versions.lookup.js';
import { pushOutcomes, pushReceipt, type SpecPush, specPush } from './spec-push.schemas.js';
import { versionReceiptExample } from './version-answers.schemas.js';
import { DraftToolVersion } from '../model/version.commands.js';
import { specOf } from './version-specs.lookup.js';
import { evalConfigIn, aboutOf, planDraft } from './version-draft.planner.js';

interface PushReceipt extends Receipt {
  readonly name: string;
  readonly toolVersion: string;
  readonly state: string;
  readonly outcome: (typeof pushOutcomes)[number];
}

/**
 * Writes the version that a spec says as a draft, of a tool that is made where the host has none of the name. The same
 * texts again change nothing; what is no draft any more is never written over.
 */
export class PushSpec extends UseCase<SpecPush, PushReceipt> {}

interface Pushed {
  readonly spec: ToolSpec;
  /** Null: every environment. */
  readonly envTag: string | null;
  readonly texts: Pick<SpecPush, 'specText' | 'evalConfigText'>;
  readonly accepted: NonNullable<SpecPush['accepted']>;
  /** What the spec says that a call carries out, held against the APIs. */
  readonly call: KeptCall | KeptComposite | undefined;
  /** Why its schemas are refused where they are new. */
  readonly late: Invalid | undefined;
}

interface Plan extends Omit<PushReceipt, keyof Receipt> {
  readonly commands: readonly Command[];
  /** The receipt where there is nothing to write. */
  readonly present?: Receipt;
}

export const pushSpecHandler = handle(
  PushSpec,
  {
    async check({ specText, evalConfigText, accepted: taken }) {
      await refuseSecretsIn({ specText, evalConfigText, accepted: taken });
    },
    prepare: (input, { visibility }, operations: Operations) => readPushed(input, visibility, operations),
    isDryRun: ({ dryRun }) => dryRun,
    loadsEarly: true,
    load: (sql, _input, writer, pushed) => planPush(sql, writer, pushed),
    decide: ({ commands }) => commands,
    result: (written, position, { commands: _, present, ...said }) => ({
      ...(present ?? receiptOf(written.slice(-1), position)),
      ...said,
    }),
  },
  Operations,
);

/** Reads the spec. Throws Invalid `invalid_spec` with the faults of the file and their lines. */
async function readPushed(
  { dryRun: _, envTag, accepted: taken = [], ...texts }: SpecPush,
  visibility: Visibility,
  operations: Operations,
): Promise<Pushed> {
  const reading = readingForWrites(visibility.hostId);
  const { value: spec, faults: unread, late } = await reading.do('spec', texts.specText);
  if (spec === undefined) throw unfit(unread);
  const { call, faults } = await checkedCall(spec, visibility, operations);
  if (faults.length > 0) {
    const pointers = faults.map(({ pointer }) => pointer);
    const { places } = await reading.do('spec', texts.specText, { pointers });
    throw unfit(
      faults.map(({ pointer, detail }, at) => ({ detail, ...{ pointer, line: 1 }, ...places[at] })),
    );
  }
  const refusal = late.length > 0 ? unfit(late) : undefined;
  return { spec, envTag: envTag ?? null, texts, accepted: taken, call, late: refusal };
}

/** What a call carries out, as it is kept; undefined where the spec says nothing of it. */
async function checkedCall(
  { graphql, composite, inputSchema, annotations }: ToolSpec,
  visibility: Visibility,
  operations: Operations,
): Promise<CheckedOperation<KeptCall | KeptComposite>> {
  if (graphql !== null) return operations.checked(visibility, graphql, inputSchema);
  if (composite === null) return { faults: [] };
  const readOnlyHint = annotations.readOnlyHint === true;
  return operations.checkedSteps(visibility, composite, { inputSchema, readOnlyHint });
}

function unfit(faults: readonly (Fault & { readonly line: number })[]): Invalid {
  const found = faults.map(({ line, pointer, detail }) => ({
    ...{ pointer, detail: `line ${String(line)}: ${detail}` },
  }));
  return new Invalid('invalid_spec', 'The spec can’t be taken as it is.', found);
}

async function planPush(
  sql: Sql,
  writer: Writer,
  { spec, envTag, texts, accepted, call, late }: Pushed,
): Promise<Plan> {
  const { hostId } = writer.visibility;
  const { name, version, host } = spec;
  if (host !== null) checkService(writer.caller, host, 'host (in the spec)');
  const said = { name, toolVersion: version, state: 'draft' };
  const known = await pushedTool(sql, writer, { name, host, envTag });
  if (known === undefined) {
    refuseUnlessKept(late, spec, []);
    const toolId = v7();
    const commands = await planTool(sql, writer, toolId, { spec, envTag, texts, call });
    return { ...said, outcome: 'new_tool', commands };
  }
  const { toolId, aggregateVersion } = known;
  const [there] = await versionsOf(sql, hostId, [toolId], { versions: [version] });
  if (
    there !== undefined &&
    there.state !== 'rejected' &&
    (await isSame(there, spec, { ...texts, reading: readingForWrites(hostId) }))
  ) {
    const { state, position } = there;
    const present = { id: toolId, version: aggregateVersion, position, changed: false, created: false };
    return { ...said, state, outcome: 'unchanged', commands: [], present };
  }
  if (there !== undefined && there.state !== 'draft') throw isThereAlready(there);
  const body = { ...contentOf(spec), version, accepted, call, spec, late, ...texts };
  const commands = [await planDraft(sql, writer, toolId, body)];
  return { ...said, outcome: there === undefined ? 'new_version' : 'rewritten', commands };
}

/** Whether the version came with these files; one that came without has a file that says the same. */
async function isSame(
  there: KnownVersion,
  spec: ToolSpec,
  { reading, ...texts }: Pushed['texts'] & { readonly reading: SpecReading },
): Promise<boolean> {
  const { specText, evalConfigText } = there;
  if (evalConfigText !== (texts.evalConfigText ?? null)) return false;
  if (specText !== null) return specText === texts.specText;
  const written = await specOf(there, reading, spec.host);
  return there.state !== 'draft' && specDigest(written) === specDigest(spec);
}

function isThereAlready({ name, version, state, specText }: KnownVersion): RuleBroken {
  const detail =
    state === 'rejected'
      ? `Version ${version} of ${name} was rejected or withdrawn, for good. Take the next number.`
      : `Version ${version} of ${name} is there already (${state.replace('_', ' ')}), and ${specText === null ? 'came without files' : 'its files say something else'}. ` +
        'A version never changes once it is submitted: put the files back, and take the next number for the change.';
  return new RuleBroken('version_exists', detail);
}

/** The members of a draft that a spec says. */
function contentOf({ description, inputSchema, outputSchema, annotations }: ToolSpec) {
  return {
    ...{ description, inputSchema: { ...inputSchema }, outputSchema: outputSchema && { ...outputSchema } },
    safety: safetyOfHints(annotations),
  };
}

/** Makes a tool that the service runs which the spec names as its host, with a first version that nobody is given yet. */
async function planTool(
  sql: Sql,
  { caller, visibility: { hostId } }: Writer,
  toolId: string,
  { spec, envTag, texts, call }: Omit<Pushed, 'accepted' | 'late'>,
): Promise<Command[]> {
  const { name, version, description, host, inputSchema, outputSchema, annotations } = spec;
  const safety = { ...safetyOfHints(annotations), humanApprovalRequired: false };
  const words = { description, routing: {}, safety, lifecycleStatus: 'active' as const };
  const content = {
    words: guardedAs(words, await guardsOfCall(sql, hostId, call)),
    invocation: {
      ...{ inputSchema, sourceProtocol: null, capabilityRef: null },
      ...(call !== undefined && { call: { ...call } }),
    },
    outputSchema,
  };
  refuseLessGuarded(caller, loosenedAtFirst(content.words).length > 0);
  return [
    new CreateTool(hostId, toolId, {
      ...{ name, implementationType: 'service', implementationClass: host, scriptContent: null, ...content },
      ...{ draft: version, autoApprove: false, taken: [] },
      ...(envTag !== null && { envTag }),
    }),
    new DraftToolVersion(hostId, toolId, {
      ...{ version, content, specText: texts.specText, about: aboutOf(spec) },
      ...(await evalConfigIn({ version, ...texts }, name, readingForWrites(hostId))),
    }),
  ];
}

export const specPushRoute = writeRoute<PushReceipt>(
  [Post, 'tools/specs'],
  {
    id: 'pushToolSpec',
    summary: 'Push the spec of a version of a tool',
    description:
      'Writes it as a draft, which agents are not given before it is approved, and makes the tool where the host has none of the ' +
      'name: of the type `service`, run by the service that `host` names. The same files again change nothing. Refused with ' +
      '`invalid_spec`, `invalid_eval_config`, `secret_in_body`, `version_too_small`, `tool_ambiguous`, `tool_of_other_host`, and with ' +
      '`version_exists` where the version is no draft any more and was pushed with other files.',
    scope: 'catalog:write',
    batch: true,
    body: specPush,
    answer: pushReceipt,
    example: {
      body: {
        specText:
          'version: 0.0.1\nname: read_file\ndescription: Reads part of a file.\nhost: duo_workflow_service\n' +
          'inputSchema:\n  parameters:\n    - { name: file_path, type: string, required: true }\n',
      },
      answer: {
        ...{ ...versionReceiptExample, version: 2, toolVersion: '0.0.1', state: 'draft' },
        ...{ name: 'read_file', outcome: 'new_tool' },
      },
    },
  },
  PushSpec,
  (receipt) => receiptReply(receipt, {}),
);
