import { Command } from '../eventsourcing/command.js';
import type { DriftAcceptance, DriftRecord } from './drift.events.js';

/** Keeps what a check found, where it is something else than what the last one did. Aggregate id: the gateway's. */
export class RecordDrift extends Command<DriftRecord> {
  readonly aggregateType = 'GatewayDrift';
}

/** Keeps that an operator accepted findings, and what is left of them. */
export class AcceptDrift extends Command<{ readonly accepted: DriftAcceptance; readonly rest: DriftRecord }> {
  readonly aggregateType = 'GatewayDrift';
}

export type GatewayDriftCommand = RecordDrift | AcceptDrift;
