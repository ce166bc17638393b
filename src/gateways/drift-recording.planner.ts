import type { Write, WriteContext } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import { receipt } from '../platform/http/replies.js';
import { RecordDrift } from './drift.commands.js';
import type { DriftRecord } from './drift.events.js';
import { lastAcceptance } from './drift-history.lookup.js';

/** What a check has found, worked out anew where the catalog has changed since. */
export interface Finding {
  found(sql: Sql): Promise<DriftRecord>;
  /** As it is answered. */
  shown(sql: Sql, found: DriftRecord): Promise<DriftRecord>;
}

/**
 * Keeps what a check has found, an observation that needs no lock. But what an operator accepts meanwhile is settled:
 * then the gateway's list is compared with the catalog again.
 */
export function driftRecording(context: WriteContext, gatewayId: string, finding: Finding): Write {
  const { hostId } = context;
  let accepted: number | undefined;
  let shown: DriftRecord | undefined;
  return {
    context,
    mode: 'optimistic',
    plan: async (sql) => {
      accepted = await lastAcceptance(sql, hostId, gatewayId);
      const found = await finding.found(sql);
      shown = await finding.shown(sql, found);
      return [new RecordDrift(hostId, gatewayId, found)];
    },
    stillHolds: async (sql) => (await lastAcceptance(sql, hostId, gatewayId)) === accepted,
    reply: receipt(200, () => ({ ...shown })),
  };
}
