/** What may become of a version of a tool, and what follows from it for the tool itself. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { NotFound, RuleBroken } from '../../kernel/errors.js';
import { differences, fieldsOf, loosened } from '../../endpoints/shared.js';
import { compareVersions } from '../../registry/shared.js';
import type { ToolEvent, ToolRefreshed } from './tool.events.js';
import { guardedAs } from './call-guards.js';
import {
  acceptedFields,
  effectiveFields,
  guardedBy,
  guardsIn,
  isCalledAnew,
  isGuard,
  markOf,
  nextVersion,
  partOfMark,
  refuseLastNumber,
  shownFields,
} from './tool-change.js';
import type { GuardTool } from './tool.commands.js';
import type { ToolFields } from './tool-facts.js';
import {
  holdsName,
  isLive,
  type KnownTool,
  openDraft,
  presentOf,
  type ToolVersion,
  type VersionState,
} from './tool.state.js';
import { drafted, spoken } from './drafts.rules.js';
import { numbersTaken, reviewed, superseded, takenUp } from './waiting.rules.js';
import { type Content, waitingWith } from './waiting-versions.js';
import {
  ApproveToolVersion,
  DeprecateToolVersion,
  DraftToolVersion,
  JudgeToolCall,
  NoteOverdueVersion,
  RecordVersionEvaluation,
  RejectToolVersion,
  SubmitToolVersion,
  type Approval,
  type RetireToolVersion,
  type VersionCommand,
} from './version.commands.js';

export function decideVersion(tool: KnownTool, command: VersionCommand): readonly ToolEvent[] {
  if (command instanceof DraftToolVersion) return drafted(tool, command.payload);
  if (command instanceof SubmitToolVersion) {
    const { version } = command.payload;
    requireState(tool, version, ['draft'], 'submitted');
    return [{ type: 'ToolVersionSubmittedEvent', data: { version } }];
  }
  if (command instanceof RecordVersionEvaluation) {
    requireState(tool, command.payload.version, ['draft', 'in_review'], 'evaluated');
    // What only explores stands in its answer: it never takes the place of what an approval rests on.
    if (command.payload.evaluation.exploring === true) return [];
    return [{ type: 'ToolVersionEvaluatedEvent', data: command.payload }];
  }
  if (command instanceof ApproveToolVersion) return approved(tool, command.payload.version, command.payload);
  if (command instanceof RejectToolVersion) {
    const { version, withdrawn } = command.payload;
    requireState(tool, version, ['draft', 'in_review'], withdrawn === true ? 'withdrawn' : 'rejected');
    return [{ type: 'ToolVersionRejectedEvent', data: command.payload }];
  }
  if (command instanceof DeprecateToolVersion) {
    requireState(tool, command.payload.version, ['approved', 'deprecated'], 'deprecated');
    return [{ type: 'ToolVersionDeprecatedEvent', data: command.payload }];
  }
  if (command instanceof NoteOverdueVersion) {
    const { version } = command.payload;
    const known = tool.versions[version];
    if (known?.state !== 'deprecated' || known.overdue === true) return [];
    return [{ type: 'ToolVersionOverdueNotedEvent', data: { version } }];
  }
  if (command instanceof JudgeToolCall) return judged(tool, command.payload);
  return retired(tool, command.payload);
}

function judged(tool: KnownTool, { version, fault }: JudgeToolCall['payload']): readonly ToolEvent[] {
  const known = tool.versions[version];
  if (known === undefined || isDeepStrictEqual(known.fault ?? null, fault)) return [];
  return [{ type: 'ToolCallJudgedEvent', data: { version, fault } }];
}

/** Where the tool rises to a version that calls what its former did, what is wrong with that is so of this one. */
export function withFault(before: KnownTool, after: KnownTool): readonly ToolEvent[] {
  const [former, present] = [before.versions[before.version], after.versions[after.version]];
  if (before.version === after.version || former?.fault === undefined || present?.fault !== undefined)
    return [];
  if (!isDeepStrictEqual(former.content.invocation, present?.content.invocation)) return [];
  return [{ type: 'ToolCallJudgedEvent', data: { version: after.version, fault: former.fault } }];
}

/** Approves a version in review; the newest of all becomes what agents are given without a range. */
export function approved(
  tool: KnownTool,
  version: string,
  { digest, evaluation, override, seen, guards, taken }: Approval,
): readonly ToolEvent[] {
  const waiting = requireState(tool, version, ['in_review'], 'approved');
  if (!holdsName(tool) && holdsName({ ...tool, approved: true }) && taken.includes(version))
    throw nameTaken(tool.name, version);
  refuseLastNumber(version);
  const content = { ...waiting.content, words: guardedAs(waiting.content.words, guards) };
  const approval: ToolEvent = {
    type: 'ToolVersionApprovedEvent',
    data: { version, digest, evaluation, override, ...(seen && { seen }) },
  };
  const isPresent = presentOf({ ...tool.versions, [version]: { ...waiting, state: 'approved' } }) === version;
  const { words, invocation, outputSchema } = tool;
  const isThere =
    version === tool.version &&
    isDeepStrictEqual([words, invocation], [content.words, content.invocation]) &&
    isDeepStrictEqual(outputSchema, content.outputSchema) &&
    isDeepStrictEqual(tool.overrides, content.overrides ?? tool.overrides);
  const shown = isPresent
    ? isThere
      ? []
      : present(tool, version, content)
    : guarded(tool, { guards, taken: [] });
  return [approval, ...shown, ...uncallable(tool, version, content)];
}

/** Ends the versions before one whose endpoint is called otherwise: nothing could call them any more. */
function uncallable({ versions }: KnownTool, version: string, { kept }: Content): readonly ToolEvent[] {
  if (kept === undefined) return [];
  const [before, after] = [fieldsOf(kept.before), fieldsOf(kept.after)];
  if (!isCalledAnew(differences(before, after))) return [];
  const reason = `From version ${version} on its endpoint is called by another method or at another path.`;
  const earlier = Object.keys(versions).filter((other) => other !== version && isLive(versions[other]));
  return earlier.map((other) => ({ type: 'ToolVersionRetiredEvent', data: { version: other, reason } }));
}

/** Makes the version what agents are given; guards stay as they are where they are stricter now. */
function present(tool: KnownTool, version: string, content: Content): readonly ToolEvent[] {
  const { invocation, outputSchema } = content;
  const overrides = content.overrides && guardsIn(content.overrides, tool.overrides);
  const isLooser = loosened(tool.words, content.words).length > 0;
  const words = isLooser ? guardedAs(guardedBy(content.words, tool.words), [content.words]) : content.words;
  const data: ToolRefreshed['data'] = {
    endpointActive: tool.endpointActive,
    version,
    change: partOfMark(tool.change, isGuard),
    outputSchema,
    ...(content.kept !== undefined && tool.documentPrompts !== null && { documentPrompts: null }),
    source: { words, invocation, effective: effectiveFields(words, tool.overrides) },
  };
  const refreshed: ToolEvent = { type: 'ToolRefreshedEvent', data };
  if (overrides === undefined || isDeepStrictEqual(overrides, tool.overrides)) return [refreshed];
  const effective = effectiveFields(words, overrides);
  const examplePrompts = [...tool.examplePrompts];
  const { [version]: _presented, ...versions } = tool.versions;
  const others = waitingWith({ ...tool, versions }, overrides);
  const updated = { overrides, effective, examplePrompts, version, ...others };
  return [refreshed, { type: 'ToolUpdatedEvent', data: updated }];
}

/**
 * What becomes of a tool where something that it calls is guarded more strictly: so is the tool, at once, in every version. What
 * changed is marked until somebody accepts it. Guards that something called loosens stay: an administrator loosens those of the tool.
 */
export function guarded(tool: KnownTool, { guards, taken }: GuardTool['payload']): readonly ToolEvent[] {
  const words = guardedAs(tool.words, guards);
  if (!tool.approved || isDeepStrictEqual(words, tool.words)) return [];
  const { invocation, overrides } = tool;
  const shown = (fields: ToolFields) => shownFields(fields, invocation.inputSchema, {});
  const seen = (fields: ToolFields) => shown(effectiveFields(fields, overrides));
  const isSeen = !isDeepStrictEqual(seen(words), seen(tool.words));
  const version = isSeen ? nextVersion(tool.version, 'wording', numbersTaken(tool, taken)) : tool.version;
  const change = markOf(acceptedFields(shown(tool.words), tool.change), shown(words));
  const effective = effectiveFields(words, overrides);
  const { endpointActive } = tool;
  const raised: ToolEvent = {
    type: 'ToolRefreshedEvent',
    data: { endpointActive, version, change, source: { words, invocation, effective } },
  };
  const draft = openDraft(tool);
  if (draft === undefined || compareVersions(draft.version, version) > 0) return [raised];
  const now = { ...tool, words, version };
  const { content, grade } = takenUp(now, draft);
  const next = nextVersion(version, grade, [version, ...numbersTaken(tool, taken)]);
  return [raised, ...superseded(tool), reviewed(now, next, content)];
}

function retired(tool: KnownTool, { version, reason, keptBy }: RetireToolVersion['payload']): ToolEvent[] {
  requireState(tool, version, ['approved', 'deprecated'], 'retired');
  if (keptBy.length > 0 && reason === null) {
    const detail =
      `Skills keep to version ${version} of ${tool.name}: ${keptBy.join(', ')}. Link them to another version first, or ` +
      'retire it by force, with a reason.';
    throw new RuleBroken('version_pinned', detail);
  }
  const end: ToolEvent = { type: 'ToolVersionRetiredEvent', data: { version, reason } };
  if (version !== tool.version) return [end];
  const { [version]: _ended, ...others } = tool.versions;
  const next = presentOf(others);
  const content = others[next ?? '']?.content;
  if (next === undefined || content === undefined) return [end];
  return [end, ...present(tool, next, { ...content, words: guardedBy(content.words, tool.words) })];
}

export function nameTaken(name: string, version: string): RuleBroken {
  const detail =
    `Another active tool of this environment is called ${name} ${version}. ` +
    'Take another name, or deactivate the other tool first.';
  return new RuleBroken('tool_name_taken', detail);
}

function requireState(
  { name, versions }: KnownTool,
  version: string,
  states: readonly VersionState[],
  verb: string,
): ToolVersion {
  const known = versions[version];
  if (known === undefined) throw new NotFound(`version of tool ${name}`, version);
  if (states.includes(known.state)) return known;
  const needed = states.map((state) => spoken[state]).join(' or ');
  const detail = `Version ${version} of ${name} is ${spoken[known.state]}: only what is ${needed} can be ${verb}.`;
  throw new RuleBroken('version_state', detail);
}
