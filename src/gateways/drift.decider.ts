import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { AcceptDrift, type GatewayDriftCommand } from './drift.commands.js';
import type { DriftRecord, GatewayDriftEvent } from './drift.events.js';

/** What the last recorded check found; null before the first. */
export type GatewayDriftState = Pick<DriftRecord, 'failure' | 'findings'> | null;

export const driftDecider: Decider<GatewayDriftState, GatewayDriftCommand, GatewayDriftEvent> = {
  aggregateType: 'GatewayDrift',
  initial: null,

  decide(command, state) {
    if (!(command instanceof AcceptDrift)) return recorded(command.payload, state);
    const { accepted, rest } = command.payload;
    return [{ type: 'GatewayDriftAcceptedEvent', data: accepted }, ...recorded(rest, state)];
  },

  evolve(state, event) {
    if (event.type === 'GatewayDriftRecordedEvent') {
      const { failure, findings } = event.data;
      return { failure, findings };
    }
    return state ?? { failure: null, findings: [] };
  },
};

/** A later time or another revision of the protocol is no change by itself. */
function recorded(data: DriftRecord, state: GatewayDriftState): readonly GatewayDriftEvent[] {
  const { failure, findings } = data;
  if (state !== null && isDeepStrictEqual([failure, findings], [state.failure, state.findings])) return [];
  return [{ type: 'GatewayDriftRecordedEvent', data }];
}
