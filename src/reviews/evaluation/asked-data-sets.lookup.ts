import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { Sql } from '../../kernel/sql.js';
import { dataSetsOf } from '../../search/public.js';

/** Hex SHA-256 over the canonical JSON of the names and rows of all data sets that the host has now. */
export async function digestOfDataSets(sql: Sql, hostId: string): Promise<string> {
  return dataSetsDigest(await dataSetsOf(sql, hostId, undefined));
}

/** @param sets by name */
export function dataSetsDigest(sets: Awaited<ReturnType<typeof dataSetsOf>>): string {
  const said = sets.map(({ name, rows }) => ({ name, rows }));
  return createHash('sha256').update(canonicalJson(said)).digest('hex');
}
