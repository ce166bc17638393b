/** What an operator's change makes of a tool. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { RuleBroken } from '../../kernel/errors.js';
import { differences, type Fields, override } from '../../endpoints/shared.js';
import { compareVersions } from '../../registry/shared.js';
import { isQuarantined } from './tool-refresh.js';
import {
  firstNumber,
  isOperators,
  numbersTaken,
  operatorsOf,
  reviewed,
  superseded,
  takenUp,
  waitingOn,
} from './waiting.rules.js';
import { waitingWith } from './waiting-versions.js';
import type { UpdateTool } from './tool.commands.js';
import {
  acceptedFields,
  effectiveFields,
  guardsIn,
  isGuard,
  markOf,
  nextVersion,
  scriptFields,
  shownFields,
  versionGradeOf,
} from './tool-change.js';
import { type ToolOverrides, withPrompts } from './tool-facts.js';
import type { ToolEvent } from './tool.events.js';
import {
  evolveKnown,
  hasOpenSpec,
  holdsName,
  type KnownTool,
  type LaterEvent,
  openDraft,
} from './tool.state.js';

export function changed(tool: KnownTool, payload: UpdateTool['payload']): readonly ToolEvent[] {
  const { overrides } = payload;
  const prompts =
    payload.examplePrompts === undefined
      ? tool.examplePrompts
      : withPrompts([], { mode: 'replace', prompts: payload.examplePrompts ?? [] });
  if (payload.schemas === undefined) return updated(tool, overrides, prompts, payload);
  const revision = revised(tool, payload);
  const after = revision.reduce<KnownTool>(evolveKnown, tool);
  // One change raises the version once, and makes one version that waits.
  const written = revision.flatMap((event) =>
    event.type === 'ToolVersionDraftedEvent' ? event.data.version : [],
  );
  const words = updated(after, overrides, prompts, { ...payload, written }).map((event) =>
    event.type === 'ToolUpdatedEvent' && after.version !== tool.version
      ? { type: event.type, data: { ...event.data, version: after.version } }
      : event,
  );
  const ends = (event: ToolEvent) =>
    event.type === 'ToolVersionRejectedEvent' && written.includes(event.data.version);
  // What the words write anew, or take back, was never written: who wrote what it continues wrote what is written instead.
  const again = words.some((event) => event.type === 'ToolVersionDraftedEvent' || ends(event));
  if (!again) return [...revision, ...words];
  const undone = revision.flatMap((event) =>
    event.type === 'ToolVersionDraftedEvent' ? (event.data.continues ?? []) : [],
  );
  return [
    ...revision.filter(({ type }) => type !== 'ToolVersionDraftedEvent'),
    ...words.filter((event) => !ends(event)).map((event) => continuing(event, { undone, written })),
  ];
}

function continuing(
  event: ToolEvent,
  { undone, written }: { readonly undone: readonly string[]; readonly written: readonly string[] },
): ToolEvent {
  if (event.type !== 'ToolVersionDraftedEvent') return event;
  const { continues: own = [], ...data } = event.data;
  const continues = [...new Set([...undone, ...own])].filter((version) => !written.includes(version));
  return { type: event.type, data: { ...data, ...(continues.length > 0 && { continues }) } };
}

interface Terms extends Pick<UpdateTool['payload'], 'taken' | 'autoApprove'> {
  /** The number of what waits, where this very change has made it: it may say more. */
  readonly written?: readonly string[];
}

/** What a change says of the operator's words: a null takes one back, what it leaves out stays. */
const patched = (words: ToolOverrides, said: UpdateTool['payload']['overrides']): ToolOverrides =>
  override({ operator: words }, {}, said).overrides;

export function updated(
  tool: KnownTool,
  said: UpdateTool['payload']['overrides'],
  examplePrompts: readonly string[],
  { taken, autoApprove, written = [] }: Terms,
): readonly ToolEvent[] {
  const overrides = patched(tool.overrides, said);
  const { before, now, fields } = changedBy(tool, overrides);
  const texts = fields.filter((field) => !isGuard(field));
  const waits = autoApprove ? isQuarantined(before, now, texts) : texts.length > 0;
  // Guards and what is for operators alone are in force at once; what agents read waits.
  const inForce = waits ? guardsIn(tool.overrides, overrides) : overrides;
  const draft = openDraft(tool);
  const own = draft?.content.overrides;
  const wanted = waits || own !== undefined ? patched(own ?? tool.overrides, said) : inForce;
  // What says no more than what is in force does not wait.
  const waiting = isDeepStrictEqual(guardsIn(wanted, inForce), inForce) ? {} : { overrides: wanted };
  const isSaid = isDeepStrictEqual(own && guardsIn(own, wanted), waiting.overrides);
  const isInForce = isDeepStrictEqual(inForce, tool.overrides);
  if (isInForce && isSaid && isDeepStrictEqual(examplePrompts, tool.examplePrompts)) return [];
  if (hasOpenSpec(tool) && texts.length > 0) throw specsFields(tool.name);
  const version = numberOf(tool, inForce, taken);
  const isPassed = tool.approved && draft !== undefined && compareVersions(draft.version, version) <= 0;
  const isOther = !isSaid || (!tool.approved && changedBy(tool, inForce).fields.length > 0);
  const { content, grade } = isPassed
    ? takenUp(tool, draft)
    : { content: draft?.content, grade: 'wording' as const };
  const { overrides: _own, ...source } = content ?? {};
  const isOwn =
    draft !== undefined && (isOperators(draft, tool) || (isPassed && Object.keys(source).length === 0));
  const isTakenBack = isOwn && waiting.overrides === undefined;
  const numberAnew = (): string => {
    if (draft !== undefined && !isPassed && written.includes(draft.version)) return draft.version;
    const last = draft === undefined || isPassed ? version : draft.version;
    return nextVersion(last, grade, [version, ...numbersTaken(tool, taken)]);
  };
  const isNumbered = (isOther || isPassed) && !hasOpenSpec(tool) && !isTakenBack;
  const next = isNumbered ? numberAnew() : undefined;
  const present = tool.approved ? version : (next ?? version);
  const ends = isTakenBack ? [takenBack(draft.version)] : next === undefined ? [] : superseded(tool, next);
  // What ends now, or is written anew beside this, waits no more as it was.
  const gone = [...(ends.length > 0 ? [draft?.version] : []), next];
  const versions = Object.fromEntries(Object.entries(tool.versions).filter(([each]) => !gone.includes(each)));
  const updatedTo: ToolEvent = {
    type: 'ToolUpdatedEvent',
    data: {
      overrides: inForce,
      effective: effectiveFields(tool.words, inForce),
      examplePrompts: [...examplePrompts],
      version: present,
      ...waitingWith({ ...tool, versions }, inForce),
    },
  };
  if (next === undefined) return [...ends, updatedTo];
  const after = { ...tool, version: present, overrides: inForce };
  return [...ends, updatedTo, reviewed(after, next, { ...source, ...waiting })];
}

function takenBack(version: string): ToolEvent {
  return {
    type: 'ToolVersionRejectedEvent',
    data: { version, reason: 'What an operator wrote was taken back.' },
  };
}

/** The number of the present version with these overrides; that of a first one which nobody has approved stays. */
function numberOf(tool: KnownTool, inForce: ToolOverrides, taken: readonly string[]): string {
  if (!tool.approved || changedBy(tool, inForce).fields.length === 0) return tool.version;
  return nextVersion(tool.version, 'wording', numbersTaken(tool, holdsName(tool) ? taken : []));
}

/** The fields that agents see otherwise with these overrides. */
function changedBy({ words, overrides, invocation }: KnownTool, next: ToolOverrides) {
  const shown = (layer: ToolOverrides): Fields =>
    shownFields(effectiveFields(words, layer), invocation.inputSchema, {});
  const [before, now] = [shown(overrides), shown(next)];
  return { before, now, fields: differences(before, now) };
}

/** Changes the schemas of a tool without an endpoint: graded, and marked or kept for a review, as a refresh is (docs/contract.md, section 5). */
function revised(
  tool: KnownTool,
  { schemas = {}, taken, autoApprove }: Pick<UpdateTool['payload'], 'schemas' | 'taken' | 'autoApprove'>,
): readonly LaterEvent[] {
  if (tool.endpointId !== null) throw endpointsSchemas(tool.name);
  if (hasOpenSpec(tool)) throw specsFields(tool.name);
  if (tool.invocation.call !== undefined) throw writtenSchemas(tool.name);
  const open = openDraft(tool);
  const { invocation: called, outputSchema: answered } = open?.content ?? tool;
  const { inputSchema = called.inputSchema, outputSchema = answered } = schemas;
  const invocation = { ...tool.invocation, inputSchema };
  if (isDeepStrictEqual([called, answered], [invocation, outputSchema])) return [];
  const before = scriptFields(tool);
  const after = scriptFields({ ...tool, invocation, outputSchema });
  const fields = differences(before, after);
  const grade = versionGradeOf(before, after);
  const others = holdsName(tool) ? taken : [];
  const waiting = operatorsOf(open);
  if (tool.approved && fields.length > 0 && (!autoApprove || isQuarantined(before, after, fields))) {
    const version = nextVersion(tool.version, grade, numbersTaken(tool, others));
    const content = { invocation, outputSchema, ...waiting };
    return [...superseded(tool, version), reviewed(tool, version, content)] as LaterEvent[];
  }
  if (tool.approved) {
    const ends = superseded(tool) as LaterEvent[];
    if (fields.length === 0) return [...ends, ...(waitingOn(tool, waiting, others) as LaterEvent[])];
    const version = nextVersion(tool.version, grade, numbersTaken(tool, others));
    const change = markOf(acceptedFields(before, tool.change), after);
    const revision: LaterEvent = {
      type: 'ToolRevisedEvent',
      data: { inputSchema, outputSchema, version, change },
    };
    const now = { ...tool, invocation, outputSchema, version };
    return [...ends, revision, ...(waitingOn(now, waiting, others) as LaterEvent[])];
  }
  const version = firstNumber(tool, grade, others);
  const change = markOf(acceptedFields(before, tool.change), after);
  const revision: LaterEvent = {
    type: 'ToolRevisedEvent',
    data: { inputSchema, outputSchema, version, change },
  };
  const first = reviewed({ ...tool, invocation, outputSchema }, version, waiting);
  return [...superseded(tool, version), revision, first] as LaterEvent[];
}

function specsFields(name: string): RuleBroken {
  const detail = `Texts and schemas of ${name} are those of its spec, of which no version is approved. Push the spec again.`;
  return new RuleBroken('tool_has_spec', detail);
}

function writtenSchemas(name: string): RuleBroken {
  const detail = `The operation of ${name} is held against its schemas where they are written. Push its next version as a spec.`;
  return new RuleBroken('tool_has_spec', detail);
}

function endpointsSchemas(name: string): RuleBroken {
  const detail = `The schemas of ${name} are those of its endpoint. Import the document of its API again.`;
  return new RuleBroken('tool_has_endpoint', detail);
}
