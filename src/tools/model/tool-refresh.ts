/** What a change of its endpoint makes of a tool. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { differences, type Fields, gradingOf, loosened, quarantinedGrades } from '../../endpoints/shared.js';
import { compareVersions } from '../../registry/shared.js';
import { newlyAddressesModel } from '../../platform/validation/untrusted-text.js';
import type { RefreshTool } from './tool.commands.js';
import type { ToolEvent, ToolRefreshed } from './tool.events.js';
import type { ChangeMark, ToolFields, ToolInvocation } from './tool-facts.js';
import { bringsNothing, isSaid, isWaiting, keptOf, saying, saysOther } from './said-again.js';
import { type KnownTool, openDraft } from './tool.state.js';
import {
  firstNumber,
  numbersTaken,
  operatorsOf,
  overtaken,
  reviewed,
  superseded,
  wasEnded,
} from './waiting.rules.js';
import {
  acceptedFields,
  effectiveFields,
  guardedBy,
  guardsFrom,
  isCalledAnew,
  isGuard,
  markOf,
  nextVersion,
  shownFields,
  versionGradeOf,
} from './tool-change.js';

type Fresh = RefreshTool['payload'];

/** The part of a tool from which the state last accepted follows. */
export type Marked = Pick<KnownTool, 'words' | 'change'> & {
  readonly invocation: Pick<ToolInvocation, 'inputSchema'>;
};

/**
 * What a change of the endpoint makes of its tool (docs/contract.md, section 5): the operator's words stay. What breaks callers
 * or is suspicious becomes a version in review, and agents go on with the one they have; all else raises the version at
 * once. What changed is marked until somebody accepts it. The tool's own flag is left alone, but where the endpoint
 * comes back and another tool has the name by now, the tool stays out.
 */
export function refreshed(tool: KnownTool, sent: Fresh): readonly ToolEvent[] {
  const given = withGuards(tool, sent);
  const open = openDraft(tool);
  const before = keptBefore(tool, open?.content.kept?.before ?? given.kept.before);
  const fresh = { ...given, kept: { before, after: withoutNone(given.kept.after) } };
  // The mark is about what the source said last, whether or not agents are given that.
  const said = open === undefined ? tool : { ...open.content, change: tool.change };
  const change = markAfter(said, given);
  const staysOut = returnsTo(tool, fresh) && fresh.taken.includes(tool.version);
  const events = waitsForReview(tool, fresh)
    ? held(tool, fresh, change)
    : passed(tool, fresh, change, staysOut);
  // The deactivation comes first, so that no name is ever held twice.
  return staysOut && events.length > 0 ? [stayingOut, ...events] : events;
}

/** The guards that a version of the tool has made stricter stay, but for those that the endpoint loosens just now. */
function withGuards(tool: KnownTool, sent: Fresh): Fresh {
  const { words, offered, formerWords } = sent;
  if (formerWords === undefined) return sent;
  const given = loosened(formerWords, words);
  const staying = loosened(tool.words, words).filter((field) => !given.includes(field));
  const stay = (now: ToolFields) => guardsFrom(tool.words, now, staying);
  return { ...sent, words: stay(words), ...(offered && { offered: stay(offered) }) };
}

const stayingOut: ToolEvent = { type: 'ToolDeactivatedEvent', data: { reason: 'name_taken' } };

/** The output schema of a version that has none, where its endpoint says one since: it takes anything. */
const NO_SCHEMA = {};

/** What the endpoint kept of the version that agents are given: not what it says since, where that waits or was rejected. */
function keptBefore(
  { endpointId, outputSchema, documentPrompts, change }: KnownTool,
  before: Fresh['kept']['before'],
): Fresh['kept']['before'] {
  const accepted = Object.entries(change?.quarantine === true ? change.before : {});
  const called = Object.fromEntries(accepted.filter(([field]) => isCalledAnew([field])));
  const { outputSchema: answered, ...others } = before;
  const own = endpointId === null || outputSchema === null ? answered : outputSchema;
  return withoutNone({
    ...others,
    ...called,
    ...(own !== undefined && !isDeepStrictEqual(own, NO_SCHEMA) && { outputSchema: own }),
    ...(documentPrompts !== null && { examplePrompts: documentPrompts }),
  });
}

/** No prompts are none, however that is said. */
function withoutNone({ examplePrompts = [], ...kept }: Fresh['kept']['after']): Fresh['kept']['after'] {
  return examplePrompts.length === 0 ? kept : { ...kept, examplePrompts };
}

/** What agents see of the tool before and after. */
function seenBy(tool: KnownTool, { words, invocation, kept }: Fresh) {
  const before = shownFields(
    effectiveFields(tool.words, tool.overrides),
    tool.invocation.inputSchema,
    kept.before,
  );
  const now = shownFields(effectiveFields(words, tool.overrides), invocation.inputSchema, kept.after);
  return { before, now, fields: differences(before, now) };
}

function waitsForReview(tool: KnownTool, fresh: Fresh): boolean {
  if (!tool.approved) return false;
  // What waits is a person's to decide, also where the part of it that made it wait is in force by now.
  if (isWaiting(tool, fresh)) return true;
  const { before, now, fields } = seenBy(tool, fresh);
  if (!fresh.autoApprove) return fields.some((field) => !isGuard(field));
  // What operators do to the guards of an endpoint is accepted with it.
  const judged = fresh.operator === undefined ? fields : fields.filter((field) => !isGuard(field));
  return isQuarantined(before, now, judged);
}

/** Whether a person must look at the change of these fields before agents are given it. */
export function isQuarantined(before: Fields, now: Fields, fields: readonly string[]): boolean {
  return Object.values(gradingOf(before, now, fields).grades).some((grade) =>
    quarantinedGrades.includes(grade),
  );
}

/** Takes the change in: agents are given it at once. */
function passed(
  tool: KnownTool,
  fresh: Fresh,
  change: ChangeMark | null,
  staysOut: boolean,
): readonly ToolEvent[] {
  const { words, invocation, kept, endpointActive } = fresh;
  const open = openDraft(tool);
  const operators = operatorsOf(open);
  // An endpoint keeps its own output schema.
  const outputSchema = tool.endpointId === null ? tool.outputSchema : null;
  const source = { words, invocation, outputSchema };
  const isThere = isSaid(tool, { ...source, kept: keptOf(fresh), ...operators });
  const same = isThere || (bringsNothing(tool, fresh) && !saysOther(tool, fresh));
  const own = tool.documentPrompts === null ? {} : { documentPrompts: null };
  const isMarkedSo = same && tool.documentPrompts === null && isDeepStrictEqual(change, tool.change);
  if (isMarkedSo && endpointActive === tool.endpointActive) return overtaken(tool, tool, fresh.taken);
  const version = versionAfter(tool, fresh, staysOut);
  const former = kept.before.outputSchema ?? NO_SCHEMA;
  const loses = version !== tool.version && !isDeepStrictEqual(former, kept.after.outputSchema ?? NO_SCHEMA);
  const data: ToolRefreshed['data'] = same
    ? { endpointActive, version: tool.version, change, ...own }
    : {
        ...{ endpointActive, version, change, ...own },
        ...(outputSchema !== tool.outputSchema && { outputSchema }),
        ...(loses && {
          former: { version: tool.version, outputSchema: former },
        }),
        source: { words, invocation, effective: effectiveFields(words, tool.overrides) },
      };
  const now = { ...tool, version: data.version, ...(same ? {} : source) };
  const ends = tool.approved || same ? overtaken(tool, now, fresh.taken) : superseded(tool, data.version);
  const events: ToolEvent[] = [...ends, { type: 'ToolRefreshedEvent', data }];
  if (tool.approved || same) return events;
  const isHarmless = change === null || !quarantinedGrades.includes(change.grade);
  const waiting = reviewed({ ...tool, ...source }, version, { kept: keptOf(fresh), ...operators });
  // An operator's words that wait are a person's to let in.
  const isPersons =
    !isHarmless ||
    wasEnded(tool) ||
    operators.overrides !== undefined ||
    newlyAddressesModel(undefined, tool.name);
  if (isPersons || !fresh.autoApprove) return [...events, waiting];
  return [...events, ...(version === tool.version ? [] : [waiting]), approvedBySetting(version)];
}

/** What made the first version wait is gone: it is approved as one that comes without. */
function approvedBySetting(version: string): ToolEvent {
  const data = { version, digest: null, evaluation: null, override: null };
  return { type: 'ToolVersionApprovedEvent', data };
}

/** Keeps the change for a review: agents are given what they had, with guards that are stricter at once. */
function held(tool: KnownTool, fresh: Fresh, change: ChangeMark | null): readonly ToolEvent[] {
  const { words, invocation, kept, endpointActive } = fresh;
  const guarded = guardedBy(tool.words, words);
  const isGuarded = !isDeepStrictEqual(guarded, tool.words);
  const version = isGuarded
    ? nextVersion(tool.version, 'wording', numbersTaken(tool, fresh.taken))
    : tool.version;
  const present = { ...tool, words: guarded, version };
  const { before, now, fields } = seenBy(present, fresh);
  const mark = change && isCalledAnew(fields) ? { ...change, quarantine: true as const } : change;
  const former = (kept.before.outputSchema ?? NO_SCHEMA) as Readonly<Record<string, unknown>>;
  const keepsOutput = !isDeepStrictEqual(former, kept.after.outputSchema ?? NO_SCHEMA);
  const outputSchema = keepsOutput ? former : tool.outputSchema;
  const documentPrompts = fields.includes('examplePrompts') ? [...(kept.before.examplePrompts ?? [])] : null;
  const isPrompted = !isDeepStrictEqual(documentPrompts, tool.documentPrompts);
  const data: ToolRefreshed['data'] = {
    ...{ endpointActive, version, change: mark },
    ...(outputSchema !== tool.outputSchema && { outputSchema }),
    ...(isPrompted && { documentPrompts }),
    ...(isGuarded && {
      source: {
        ...{ words: guarded, invocation: tool.invocation },
        effective: effectiveFields(guarded, tool.overrides),
      },
    }),
  };
  const moved =
    isGuarded ||
    isPrompted ||
    endpointActive !== tool.endpointActive ||
    !isDeepStrictEqual(outputSchema, tool.outputSchema);
  const refresh: ToolEvent[] =
    moved || !isDeepStrictEqual(mark, tool.change) ? [{ type: 'ToolRefreshedEvent', data }] : [];
  if (fields.length === 0)
    return isWaiting(present, fresh) ? refresh : [...refresh, ...overtaken(tool, present, fresh.taken)];
  const open = openDraft(tool);
  const grade = versionGradeOf(before, now);
  const content = { words, invocation, outputSchema: null, kept: keptOf(fresh), ...operatorsOf(open) };
  const isThere =
    open !== undefined &&
    compareVersions(open.version, nextVersion(version, grade)) >= 0 &&
    isDeepStrictEqual(saying(open.content), saying(content));
  if (isThere) return refresh;
  const next = nextVersion(version, grade, numbersTaken(present, fresh.taken));
  return [...refresh, ...superseded(tool), reviewed(present, next, content)];
}

function returnsTo(tool: KnownTool, { endpointActive }: Fresh): boolean {
  return tool.status === 'active' && endpointActive && !tool.endpointActive;
}

/** Raises the version by what changes for agents, overrides applied; a tool in use avoids versions that other tools of its name hold. */
function versionAfter(tool: KnownTool, fresh: Fresh, staysOut: boolean): string {
  const { before, now, fields } = seenBy(tool, fresh);
  if (!tool.approved) return firstNumber(tool, versionGradeOf(before, now), fresh.taken);
  // Prompts alone are no other version: they wait with one, where they have to.
  if (fields.every((field) => field === 'examplePrompts')) return tool.version;
  const inUse = tool.status === 'active' && fresh.endpointActive && !staysOut;
  return nextVersion(tool.version, versionGradeOf(before, now), numbersTaken(tool, inUse ? fresh.taken : []));
}

/** Marks what differs from the accepted state, held guards included. */
export function markAfter(
  tool: Marked,
  fresh: Omit<Fresh, 'endpointActive' | 'taken' | 'autoApprove'>,
): ChangeMark | null {
  const { words, offered = words, invocation, kept, operator } = fresh;
  const before = shownFields(tool.words, tool.invocation.inputSchema, kept.before);
  const accepted = acceptedFields(before, tool.change);
  const now = shownFields(offered, invocation.inputSchema, kept.after);
  if (operator === undefined) return markOf(accepted, now);
  const inForce = shownFields(words, invocation.inputSchema, kept.after);
  return markOf(withOwn(accepted, before, inForce, operator.fields), now);
}

/**
 * Counts what operators change themselves as accepted: their right to loosen guards was checked then. A text of the
 * document that shows again because they took back their own is not accepted if it addresses the model.
 */
function withOwn(accepted: Fields, before: Fields, now: Fields, own: readonly string[]): Fields {
  const seen = new Map(accepted);
  for (const field of differences(before, now)) {
    const value = now.get(field);
    if (!own.includes(field) && newlyAddressesModel(before.get(field), value)) continue;
    if (value === undefined) seen.delete(field);
    else seen.set(field, value);
  }
  return seen;
}
