import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../../kernel/command.js';
import { NotFound, RuleBroken } from '../../kernel/errors.js';
import { differences, type Fields, override } from '../../endpoints/shared.js';
import { compareVersions } from '../../registry/shared.js';
import { isQuarantined, refreshed } from './tool-refresh.js';
import {
  approved,
  decideVersion,
  firstNumber,
  guarded,
  nameTaken,
  numbersTaken,
  operatorsOf,
  reviewed,
  superseded,
  waitingOn,
  withFault,
} from './version.rules.js';
import { waitingWith } from './waiting-versions.js';
import {
  AcceptToolChanges,
  ActivateTool,
  CreateTool,
  DeactivateTool,
  GuardTool,
  PublishTool,
  RefreshTool,
  TeachTool,
  type ToolCommand,
  UpdateTool,
} from './tool.commands.js';
import {
  acceptedFields,
  effectiveFields,
  firstMark,
  firstVersion,
  guardsIn,
  isGuard,
  markOf,
  nextVersion,
  shownFields,
  versionGradeOf,
} from './tool-change.js';
import {
  type ChangeMark,
  type ToolFields,
  type ToolInvocation,
  type ToolOverrides,
  withPrompts,
} from './tool-facts.js';
import type { ToolEvent } from './tool.events.js';
import {
  evolveKnown,
  evolveTool,
  hasOpenSpec,
  holdsName,
  type KnownTool,
  type LaterEvent,
  needsReview,
  openDraft,
  waitingVersion,
  type ToolState,
  unknownTool,
} from './tool.state.js';

/** One tool: an endpoint, or a script, as agents are offered it. */
export const toolDecider: Decider<ToolState, ToolCommand, ToolEvent> = {
  aggregateType: 'Tool',
  initial: unknownTool,

  decide(command, state) {
    const events = decided(command, state);
    if (state.status === 'unknown' || events.length === 0) return events;
    const after = events.reduce<ToolState>(evolveTool, state);
    return after.status === 'unknown' ? events : [...events, ...withFault(state, after)];
  },

  evolve: evolveTool,
};

function decided(command: ToolCommand, state: ToolState): readonly ToolEvent[] {
  if (command instanceof PublishTool) {
    const { autoApprove, ...data } = command.payload;
    const review = firstReview(data.change, autoApprove);
    return [{ type: 'ToolPublishedEvent', data: { ...data, version: firstVersion, ...review } }];
  }
  if (command instanceof CreateTool) return created(command);
  if (state.status === 'unknown') throw new NotFound('tool', command.aggregateId);
  if (command instanceof RefreshTool) return refreshed(state, withReview(state, command.payload));
  if (command instanceof GuardTool) return guarded(state, command.payload);
  if (command instanceof TeachTool) {
    const prompts = withPrompts(state.examplePrompts, command.payload);
    return updated(state, state.overrides, prompts, { taken: [], autoApprove: true });
  }
  if (command instanceof ActivateTool) return activated(state, command.payload.taken);
  if (command instanceof DeactivateTool) {
    return state.status === 'active' ? [{ type: 'ToolDeactivatedEvent', data: command.payload }] : [];
  }
  if (command instanceof AcceptToolChanges) return accepted(state, command.payload);
  if (command instanceof UpdateTool) return changed(state, withReview(state, command.payload));
  return decideVersion(state, command);
}

/** Leaves a new tool in review where a text of it addresses the model, or where the host approves nothing by itself. */
function firstReview(change: ChangeMark | null, autoApprove: boolean): { state?: 'in_review' } {
  return change === null && autoApprove ? {} : { state: 'in_review' };
}

function created({ payload }: CreateTool): readonly ToolEvent[] {
  const { taken, autoApprove, draft, ...data } = payload;
  const version = draft ?? firstVersion;
  if (draft !== undefined)
    return [{ type: 'ToolCreatedEvent', data: { ...data, version, change: null, state: 'draft' } }];
  if (taken.includes(version)) throw nameTaken(data.name, version);
  const shown = scriptFields(data.words, data.invocation.inputSchema, data.outputSchema);
  const change = firstMark(data.name, shown, shown);
  const review = firstReview(change, autoApprove);
  return [{ type: 'ToolCreatedEvent', data: { ...data, version, change, ...review } }];
}

/** Clears the mark, and approves the version of the source that waits for a review. */
function accepted(tool: KnownTool, { approval }: AcceptToolChanges['payload']): readonly ToolEvent[] {
  const version = waitingVersion(tool);
  if (version !== undefined && approval?.version !== version) throw unapproved(tool.name, version);
  const approving = approval === undefined ? [] : approved(tool, approval.version, approval);
  const { change } = approving.reduce<KnownTool>((now, event) => evolveKnown(now, event as LaterEvent), tool);
  return change === null ? approving : [...approving, { type: 'ToolChangesAcceptedEvent', data: {} }];
}

function activated(tool: KnownTool, taken: readonly string[]): readonly ToolEvent[] {
  if (tool.status === 'active') return [];
  if (holdsName({ ...tool, status: 'active' }) && taken.includes(tool.version))
    throw nameTaken(tool.name, tool.version);
  return [{ type: 'ToolActivatedEvent', data: {} }];
}

/** What was reviewed once is not approved by itself later. */
function withReview<Payload extends { readonly autoApprove: boolean }>(
  tool: KnownTool,
  payload: Payload,
): Payload {
  return needsReview(tool) ? { ...payload, autoApprove: false } : payload;
}

function changed(tool: KnownTool, payload: UpdateTool['payload']): readonly ToolEvent[] {
  const { overrides } = override({ operator: tool.overrides }, {}, payload.overrides);
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
  const words = updated(after, overrides, prompts, payload, written).map((event) =>
    event.type === 'ToolUpdatedEvent' && after.version !== tool.version
      ? { type: event.type, data: { ...event.data, version: after.version } }
      : event,
  );
  const again = words.some(({ type }) => type === 'ToolVersionDraftedEvent');
  return [...revision.filter(({ type }) => !again || type !== 'ToolVersionDraftedEvent'), ...words];
}

type Terms = Pick<UpdateTool['payload'], 'taken' | 'autoApprove'>;

/** @param written the number of what waits, where this very change has made it: it may say more */
function updated(
  tool: KnownTool,
  overrides: ToolOverrides,
  examplePrompts: readonly string[],
  { taken, autoApprove }: Terms,
  written: readonly string[] = [],
): readonly ToolEvent[] {
  const { before, now, fields } = changedBy(tool, overrides);
  const texts = fields.filter((field) => !isGuard(field));
  const waits = autoApprove ? isQuarantined(before, now, texts) : texts.length > 0;
  // Guards and what is for operators alone are in force at once; what agents read waits.
  const inForce = waits ? guardsIn(tool.overrides, overrides) : overrides;
  const draft = openDraft(tool);
  const isSaid = waits && isDeepStrictEqual(draft?.content.overrides, overrides);
  const same = isDeepStrictEqual([inForce, examplePrompts], [tool.overrides, tool.examplePrompts]);
  if (same && (!waits || isSaid)) return [];
  if (hasOpenSpec(tool) && texts.length > 0) throw specsFields(tool.name);
  const version = numberOf(tool, inForce, taken);
  const isPassed = tool.approved && draft !== undefined && compareVersions(draft.version, version) <= 0;
  const isOther = tool.approved ? waits && !isSaid : fields.length > 0 && !isSaid && !hasOpenSpec(tool);
  const numberAnew = (): string => {
    if (draft !== undefined && !isPassed && written.includes(draft.version)) return draft.version;
    const last = draft === undefined || isPassed || !tool.approved ? version : draft.version;
    return nextVersion(last, 'wording', [version, ...numbersTaken(tool, taken)]);
  };
  const next = isOther || isPassed ? numberAnew() : undefined;
  const present = tool.approved ? version : (next ?? version);
  const ends = next === undefined ? [] : superseded(tool, next);
  const { [ends.length > 0 ? (draft?.version ?? '') : '']: _ended, ...versions } = tool.versions;
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
  if (next === undefined) return [updatedTo];
  const after = { ...tool, version: present, overrides: inForce };
  const waiting = reviewed(after, next, { ...draft?.content, ...(waits && { overrides }) });
  return [...ends, updatedTo, waiting];
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

function unapproved(name: string, version: string): RuleBroken {
  const detail = `Version ${version} of ${name} waits for a review: somebody other than its author approves it.`;
  return new RuleBroken('version_in_review', detail);
}

/** Changes the schemas of a tool without an endpoint: graded, and marked or kept for a review, as a refresh is (docs/contract.md, section 5). */
export function revised(
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
  const before = scriptFields(tool.words, tool.invocation.inputSchema, tool.outputSchema);
  const after = scriptFields(tool.words, inputSchema, outputSchema);
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
  const version = firstNumber(tool, others);
  const change = markOf(acceptedFields(before, tool.change), after);
  const revision: LaterEvent = {
    type: 'ToolRevisedEvent',
    data: { inputSchema, outputSchema, version, change },
  };
  const first = reviewed({ ...tool, invocation, outputSchema }, version, waiting);
  return [...superseded(tool, version), revision, first] as LaterEvent[];
}

/** Returns the fields that a tool without an endpoint shows an agent. */
export function scriptFields(
  words: ToolFields,
  inputSchema: ToolInvocation['inputSchema'],
  outputSchema: KnownTool['outputSchema'],
): Fields {
  return shownFields(words, inputSchema, outputSchema === null ? {} : { outputSchema });
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
