import type { Decider } from '../../kernel/command.js';
import { NotFound, RuleBroken } from '../../kernel/errors.js';
import { refreshed } from './tool-refresh.js';
import { changed, updated } from './tool-update.js';
import { approved, decideVersion, guarded, nameTaken, withFault } from './version.rules.js';
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
import { firstMark, firstVersion, scriptFields } from './tool-change.js';
import { type ChangeMark, withPrompts } from './tool-facts.js';
import type { ToolEvent } from './tool.events.js';
import {
  evolveKnown,
  evolveTool,
  holdsName,
  type KnownTool,
  type LaterEvent,
  needsReview,
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
    return updated(state, {}, prompts, { taken: [], autoApprove: true });
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
  const shown = scriptFields(data);
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

function unapproved(name: string, version: string): RuleBroken {
  const detail = `Version ${version} of ${name} waits for a review: somebody other than its author approves it.`;
  return new RuleBroken('version_in_review', detail);
}
