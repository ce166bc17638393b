import { isDeepStrictEqual } from 'node:util';
import { Command, type Decider } from '../../kernel/command.js';
import type { DriftAcceptance, DriftRecord, GatewayDriftEvent } from './drift.events.js';

/** Records the findings of a check where they differ from those of the last one. Aggregate id: the gateway's. */
export class RecordDrift extends Command<DriftRecord> {
  readonly aggregateType = 'GatewayDrift';
}

/** Records that an operator accepted findings, and which are left. */
export class AcceptDrift extends Command<{ readonly accepted: DriftAcceptance; readonly rest: DriftRecord }> {
  readonly aggregateType = 'GatewayDrift';
}

type GatewayDriftCommand = RecordDrift | AcceptDrift;

/** The findings of the last recorded check; null before the first. */
type GatewayDriftState = Pick<DriftRecord, 'failure' | 'findings'> | null;

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
