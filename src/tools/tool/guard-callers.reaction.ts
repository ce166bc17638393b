import { isDeepStrictEqual } from 'node:util';
import { endpointChange } from '../../endpoints/public.js';
import type { Change, Reaction } from '../../kernel/slice.js';
import type { ToolState } from '../model/tool.state.js';
import { guardCallers } from './called-guards.lookup.js';
import { effectiveFields } from '../model/tool-change.js';
import type { CallGuards } from '../model/call-guards.js';

/** Guards tools whose written operations call an endpoint as that is guarded, in the write that guards it. */
export const guardToolsThatCall: Reaction = {
  name: 'guard-tools-that-call',
  on: [
    'ApiEndpointImportedEvent',
    'ApiEndpointReturnedEvent',
    'ApiEndpointOverriddenEvent',
    'ApiEndpointConflictSettledEvent',
    'ApiEndpointChangesAcceptedEvent',
    'ToolUpdatedEvent',
  ],

  async react(changes, sql) {
    const [first] = changes;
    if (first === undefined) return [];
    const changed = new Map<string, { readonly cause: Change; readonly guards: CallGuards }>();
    for (const cause of changes)
      for (const [endpointId, guards] of guardsChangedBy(cause)) changed.set(endpointId, { cause, guards });
    const guards = new Map([...changed].map(([endpointId, each]) => [endpointId, each.guards]));
    const caused = await guardCallers(sql, first.command.hostId, guards);
    return caused.map(({ command, endpointIds: [endpointId = ''] }) => ({
      command,
      cause: changed.get(endpointId)?.cause ?? first,
    }));
  },
};

/** The guards of the endpoint that the change is about, where they are others than before; nothing calls what is new. */
function guardsChangedBy(change: Change): readonly (readonly [string, CallGuards])[] {
  if (change.command.aggregateType === 'Tool') {
    const [before, after] = [change.before as ToolState, change.after as ToolState].map(ofTool);
    if (after?.endpointId == null || isDeepStrictEqual(before?.guards, after.guards)) return [];
    return [[after.endpointId, after.guards]];
  }
  const { before, after } = endpointChange(change);
  if (before === undefined) return [];
  const [was, is] = [before, after].map(({ facts: { routing, safety } }) => ({ routing, safety }));
  return is === undefined || isDeepStrictEqual(was, is) ? [] : [[after.endpointId, is]];
}

function ofTool(tool: ToolState) {
  if (tool.status === 'unknown') return undefined;
  const { routing, safety } = effectiveFields(tool.words, tool.overrides);
  return { endpointId: tool.endpointId, guards: { routing, safety } };
}
