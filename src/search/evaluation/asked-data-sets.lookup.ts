import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { Sql } from '../../kernel/sql.js';
import { AskedDataSets } from '../../tools/public.js';
import { dataSetsOf, type WholeDataSet } from './evaluations.queries.js';

/** Tells the floor of tools whether the host's data sets are still those that a version was evaluated by. */
export class KeptDataSets extends AskedDataSets {
  async digest(sql: Sql, hostId: string): Promise<string> {
    return dataSetsDigest(await dataSetsOf(sql, hostId, undefined));
  }
}

/** @param sets by name */
export function dataSetsDigest(sets: readonly Pick<WholeDataSet, 'name' | 'rows'>[]): string {
  const said = sets.map(({ name, rows }) => ({ name, rows }));
  return createHash('sha256').update(canonicalJson(said)).digest('hex');
}
