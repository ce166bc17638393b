import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../../kernel/command.js';
import { NotFound, RuleBroken } from '../../kernel/errors.js';
import { differences, type Fields, override } from '../../endpoints/shared.js';
import {
  AcceptToolChanges,
  ActivateTool,
  CreateTool,
  DeactivateTool,
  PublishTool,
  RefreshTool,
  TeachTool,
  type ToolCommand,
  type UpdateTool,
} from './tool.commands.js';
import {
  acceptedFields,
  effectiveFields,
  firstMark,
  firstVersion,
  markOf,
  nextVersion,
  shownFields,
  versionGradeOf,
} from '../review/tool-change.js';
import {
  type ChangeMark,
  type ToolFields,
  type ToolInvocation,
  type ToolOverrides,
  withPrompts,
} from './tool-facts.js';
import type { ToolEvent, ToolRefreshed, ToolUpdated } from './tool.events.js';
import {
  evolveKnown,
  evolveTool,
  holdsName,
  type KnownTool,
  type LaterEvent,
  type ToolState,
  unknownTool,
} from './tool.state.js';
import { newlyAddressesModel } from '../../platform/validation/untrusted-text.js';

/** One tool: an endpoint, or a script, as agents are offered it. */
export const toolDecider: Decider<ToolState, ToolCommand, ToolEvent> = {
  aggregateType: 'Tool',
  initial: unknownTool,

  decide(command, state) {
    if (command instanceof PublishTool) {
      return [{ type: 'ToolPublishedEvent', data: { ...command.payload, version: firstVersion } }];
    }
    if (command instanceof CreateTool) return created(command);
    if (state.status === 'unknown') throw new NotFound('tool', command.aggregateId);
    if (command instanceof RefreshTool) return refreshed(state, command.payload);
    if (command instanceof TeachTool) {
      return updated(state, state.overrides, withPrompts(state.examplePrompts, command.payload), []);
    }
    if (command instanceof ActivateTool) return activated(state, command.payload.taken);
    if (command instanceof DeactivateTool) {
      return state.status === 'active' ? [{ type: 'ToolDeactivatedEvent', data: command.payload }] : [];
    }
    if (command instanceof AcceptToolChanges) {
      return state.change === null ? [] : [{ type: 'ToolChangesAcceptedEvent', data: {} }];
    }
    return changed(state, command);
  },

  evolve: evolveTool,
};

function created({ payload }: CreateTool): readonly ToolEvent[] {
  const { taken, quarantine, ...data } = payload;
  if (taken.includes(firstVersion)) throw nameTaken(data.name, firstVersion);
  const shown = scriptFields(data.words, data.invocation.inputSchema, data.outputSchema);
  const change = waiting(firstMark(shown, shown), quarantine);
  return [{ type: 'ToolCreatedEvent', data: { ...data, version: firstVersion, change } }];
}

function activated(tool: KnownTool, taken: readonly string[]): readonly ToolEvent[] {
  if (tool.status === 'active') return [];
  if (tool.endpointActive && taken.includes(tool.version)) throw nameTaken(tool.name, tool.version);
  return [{ type: 'ToolActivatedEvent', data: {} }];
}

function changed(tool: KnownTool, { payload }: UpdateTool): readonly ToolEvent[] {
  const { overrides } = override({ operator: tool.overrides }, {}, payload.overrides);
  const prompts =
    payload.examplePrompts === undefined
      ? tool.examplePrompts
      : withPrompts([], { mode: 'replace', prompts: payload.examplePrompts ?? [] });
  if (payload.schemas === undefined) return updated(tool, overrides, prompts, payload.taken);
  const revision = revised(tool, payload);
  const after = revision.reduce<KnownTool>(evolveKnown, tool);
  const words = updated(after, overrides, prompts, payload.taken);
  if (revision.length === 0) return words;
  // One change raises the version once.
  return [
    ...revision,
    ...words.map(({ type, data }) => ({ type, data: { ...data, version: after.version } })),
  ];
}

function updated(
  tool: KnownTool,
  overrides: ToolOverrides,
  examplePrompts: readonly string[],
  taken: readonly string[],
): readonly ToolUpdated[] {
  const same = isDeepStrictEqual([overrides, examplePrompts], [tool.overrides, tool.examplePrompts]);
  if (same) return [];
  const effective = effectiveFields(tool.words, overrides);
  const { inputSchema } = tool.invocation;
  const before = shownFields(effectiveFields(tool.words, tool.overrides), inputSchema, {});
  const after = shownFields(effective, inputSchema, {});
  const free = holdsName(tool) ? taken : [];
  const version =
    differences(before, after).length === 0
      ? tool.version
      : nextVersion(tool.version, versionGradeOf(before, after), free);
  const data = { overrides, effective, examplePrompts: [...examplePrompts], version };
  return [{ type: 'ToolUpdatedEvent', data }];
}

function nameTaken(name: string, version: string): RuleBroken {
  const detail =
    `Another active tool of this environment is called ${name} ${version}. ` +
    'Take another name, or deactivate the other tool first.';
  return new RuleBroken('tool_name_taken', detail);
}

type Fresh = RefreshTool['payload'];

/** The part of a tool from which the state last accepted follows. */
export type Marked = Pick<KnownTool, 'words' | 'change'> & {
  readonly invocation: Pick<ToolInvocation, 'inputSchema'>;
};

/**
 * What a change of the endpoint makes of its tool (docs/contract.md, section 5): the operator's words stay, the version rises, and
 * what changed of the endpoint is marked until somebody accepts it. The tool's own flag is left alone, but where the
 * endpoint comes back and another tool has the name by now, the tool stays out.
 */
export function refreshed(tool: KnownTool, fresh: Fresh): readonly ToolEvent[] {
  const change = markAfter(tool, fresh);
  const same = bringsNothing(tool, fresh);
  const isMarkedSo = same && isDeepStrictEqual(change, tool.change);
  if (isMarkedSo && fresh.endpointActive === tool.endpointActive) return [];
  const staysOut = returnsTo(tool, fresh) && fresh.taken.includes(tool.version);
  const { words, invocation, endpointActive } = fresh;
  const data: ToolRefreshed['data'] = same
    ? { endpointActive, version: tool.version, change }
    : {
        endpointActive,
        version: versionAfter(tool, fresh, staysOut),
        change,
        source: { words, invocation, effective: effectiveFields(words, tool.overrides) },
      };
  // The deactivation comes first, so that no name is ever held twice.
  return [...(staysOut ? [stayingOut] : []), { type: 'ToolRefreshedEvent', data }];
}

const stayingOut: ToolEvent = { type: 'ToolDeactivatedEvent', data: { reason: 'name_taken' } };

function bringsNothing(tool: KnownTool, { words, invocation, kept }: Fresh): boolean {
  return (
    isDeepStrictEqual([tool.words, tool.invocation], [words, invocation]) &&
    isDeepStrictEqual(kept.before, kept.after)
  );
}

function returnsTo(tool: KnownTool, { endpointActive }: Fresh): boolean {
  return tool.status === 'active' && endpointActive && !tool.endpointActive;
}

/** Raises the version by what changes for agents, overrides applied; a tool in use avoids versions that other tools of its name hold. */
function versionAfter(tool: KnownTool, fresh: Fresh, staysOut: boolean): string {
  const { words, invocation, kept, endpointActive, taken } = fresh;
  const before = effectiveFields(tool.words, tool.overrides);
  const seen = shownFields(before, tool.invocation.inputSchema, kept.before);
  const now = shownFields(effectiveFields(words, tool.overrides), invocation.inputSchema, kept.after);
  // Examples belong to no version, whoever gives them.
  if (differences(seen, now).every((field) => field === 'examplePrompts')) return tool.version;
  const inUse = tool.status === 'active' && endpointActive && !staysOut;
  return nextVersion(tool.version, versionGradeOf(seen, now), inUse ? taken : []);
}

/** Marks what differs from the accepted state, held guards included. */
export function markAfter(tool: Marked, fresh: Omit<Fresh, 'endpointActive' | 'taken'>): ChangeMark | null {
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

/** Changes the schemas of a tool without an endpoint: graded, and marked until accepted, as a refresh is (docs/contract.md, section 5). */
export function revised(
  tool: KnownTool,
  { schemas = {}, quarantine = false, taken }: UpdateTool['payload'],
): readonly LaterEvent[] {
  if (tool.endpointId !== null) throw endpointsSchemas(tool.name);
  const { inputSchema = tool.invocation.inputSchema, outputSchema = tool.outputSchema } = schemas;
  const before = scriptFields(tool.words, tool.invocation.inputSchema, tool.outputSchema);
  const after = scriptFields(tool.words, inputSchema, outputSchema);
  if (differences(before, after).length === 0) return [];
  const version = nextVersion(tool.version, versionGradeOf(before, after), holdsName(tool) ? taken : []);
  const mark = markOf(acceptedFields(before, tool.change), after);
  const change = waiting(mark, quarantine || tool.change?.quarantine === true);
  return [{ type: 'ToolRevisedEvent', data: { inputSchema, outputSchema, version, change } }];
}

/** Returns the fields that a tool without an endpoint shows an agent. */
export function scriptFields(
  words: ToolFields,
  inputSchema: ToolInvocation['inputSchema'],
  outputSchema: KnownTool['outputSchema'],
): Fields {
  return shownFields(words, inputSchema, outputSchema === null ? {} : { outputSchema });
}

/** Adds the quarantine of the host's setting to the mark; ending the setting later accepts nothing. */
export function waiting(mark: ChangeMark | null, quarantine: boolean): ChangeMark | null {
  return mark !== null && quarantine ? { ...mark, quarantine } : mark;
}

function endpointsSchemas(name: string): RuleBroken {
  const detail = `The schemas of ${name} are those of its endpoint. Import the document of its API again.`;
  return new RuleBroken('tool_has_endpoint', detail);
}
