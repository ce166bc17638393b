import { isDeepStrictEqual } from 'node:util';
import { Command, type Decider } from '../../kernel/command.js';
import type { DriftRecord, DriftSettlement, GatewayDriftEvent } from './drift.events.js';

/** Records the findings of a check where they differ from those of the last one. Aggregate id: the gateway's. */
export class RecordDrift extends Command<DriftRecord> {
  readonly aggregateType = 'GatewayDrift';
}

/** What an operator has decided of findings, by the event that says so. */
const settled = {
  accepted: 'GatewayDriftAcceptedEvent',
  dismissed: 'GatewayDriftDismissedEvent',
  reopened: 'GatewayDriftReopenedEvent',
} as const;
export type Settled = keyof typeof settled;

/** Records what an operator has decided of findings, and what is found now. */
export class SettleDrift extends Command<{
  readonly as: Settled;
  readonly taken: DriftSettlement;
  readonly found: DriftRecord;
}> {
  readonly aggregateType = 'GatewayDrift';
}

type GatewayDriftCommand = RecordDrift | SettleDrift;

/** The findings of the last recorded check; null before the first. */
type GatewayDriftState = Pick<DriftRecord, 'failure' | 'findings'> | null;

export const driftDecider: Decider<GatewayDriftState, GatewayDriftCommand, GatewayDriftEvent> = {
  aggregateType: 'GatewayDrift',
  initial: null,

  decide(command, state) {
    if (!(command instanceof SettleDrift)) return recorded(command.payload, state);
    const { as, taken, found } = command.payload;
    return [{ type: settled[as], data: taken }, ...recorded(found, state)];
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
