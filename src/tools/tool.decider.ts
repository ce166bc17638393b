import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { differences, override } from '../endpoints/shared.js';
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
  effectiveFields,
  firstMark,
  firstVersion,
  nextVersion,
  shownFields,
  versionGradeOf,
} from './tool-change.js';
import { type ToolOverrides, withPrompts } from './tool-facts.js';
import type { ToolEvent, ToolUpdated } from './tool.events.js';
import { refreshed, revised, scriptFields, waiting } from './tool.refresh.js';
import {
  evolveKnown,
  evolveTool,
  holdsName,
  unknownTool,
  type KnownTool,
  type ToolState,
} from './tool.state.js';

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
