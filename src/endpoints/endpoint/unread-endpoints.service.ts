import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DATABASE, type Database, type Transaction } from '../../kernel/sql.js';
import { columnsOf, endpointOf, stateColumns, type StateColumns } from './endpoints.row.js';

/** Rows that are looked through in one transaction. */
const AT_ONCE = 100;

/**
 * Looks through the texts of endpoints that were stored before rows said what is told of them, once, before anybody reads: until
 * then nothing is told of them (migrations/catalog/0082_redacted_texts.sql).
 */
@Injectable()
export class UnreadEndpoints implements OnModuleInit {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    const hosts = await this.database.acrossHosts.query<{ host_id: string }>(
      `SELECT DISTINCT host_id FROM api_endpoint_t WHERE redacted -> 'unread' IS NOT NULL`,
    );
    for (const { host_id: hostId } of hosts)
      while ((await this.database.of(hostId).transaction((tx) => readSome(tx, hostId))) > 0);
  }
}

/** @returns how many rows it has looked through */
async function readSome(tx: Transaction, hostId: string): Promise<number> {
  const rows = await tx.query<StateColumns & { readonly endpoint_id: string }>(
    `SELECT endpoint_id, ${stateColumns.join(', ')} FROM api_endpoint_t
     WHERE host_id = $1 AND redacted -> 'unread' IS NOT NULL ORDER BY endpoint_id LIMIT ${String(AT_ONCE)} FOR UPDATE`,
    [hostId],
  );
  const redacted = rows.map((row) => ({
    endpoint_id: row.endpoint_id,
    redacted: columnsOf(endpointOf(row)).redacted,
  }));
  await tx.query(
    `UPDATE api_endpoint_t e SET redacted = r.redacted
     FROM jsonb_to_recordset($2::jsonb) AS r (endpoint_id uuid, redacted jsonb)
     WHERE e.host_id = $1 AND e.endpoint_id = r.endpoint_id`,
    [hostId, JSON.stringify(redacted)],
  );
  return rows.length;
}
