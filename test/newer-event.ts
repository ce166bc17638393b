import type { Sql } from '../src/kernel/sql.js';

interface Newer {
  readonly type?: string;
  readonly version?: number;
  readonly aggregateType?: string;
  readonly aggregateId?: string;
  readonly aggregateVersion?: number;
}

/** Appends an event as an instance of a newer version does: of a type, or of a version, that this one does not know. */
export async function appendNewer(sql: Sql, hostId: string, newer: Newer = {}): Promise<number> {
  const { type = 'FutureThingEvent', version = 1, aggregateType = 'Future', aggregateId = 'f1' } = newer;
  const [row] = await sql.query<{ position: number }>(
    `SELECT first_position AS position FROM append_events($1, 'newer', null, 'urn:portal-catalog', 'c',
       array[gen_random_uuid()], array[$2], array[$3::int], array[$4], array[$5], array[$6::bigint], array[null::uuid],
       array['{"future":true}'], array[encode(sha256('{"future":true}'), 'hex')], array[repeat('a', 64)], null)`,
    [hostId, type, version, aggregateType, aggregateId, newer.aggregateVersion ?? 1],
  );
  if (row === undefined) throw new Error('append_events() gave no row.');
  return row.position;
}
