/** Reads the rows of what an index has found, under the conditions of the token. */
import type { Visibility } from '../../platform/auth/visibility.js';
import { candidateColumns, cosineColumns, countedColumns } from '../found.js';

/** The candidates of these ids; $n = `next`: kind, ids. */
export function rowsStatement(where: string, next: number): string {
  return `
SELECT ${candidateColumns} FROM search_document_t d
 ${where} AND d.kind = $${String(next)}::text AND d.entity_id = ANY(ARRAY(SELECT unnest($${String(next + 1)}::uuid[])))`;
}

/**
 * Records of the caller's conditions whose words an index has counted, with the cosines of each; $n = `next`: kind, ids, model,
 * vector (null for none). One statement, since going to the database costs more than the search.
 */
export function countedStatement(where: string, next: number): string {
  const parameter = (place: number) => `$${String(next + place)}`;
  const [kind, ids, model, vector] = [parameter(0), parameter(1), parameter(2), parameter(3)];
  return `
SELECT ${countedColumns}, near.cosine, near.example_cosine
  FROM unnest(${ids}::uuid[]) AS asked(id)
 CROSS JOIN LATERAL (
   SELECT * FROM search_document_t d ${where} AND d.kind = ${kind}::text AND d.entity_id = asked.id OFFSET 0) d
 CROSS JOIN LATERAL (
   SELECT ${cosineColumns(vector)} FROM search_embedding_t e
    WHERE e.host_id = $1 AND e.kind = ${kind}::text AND e.entity_id = asked.id AND e.model = ${model}::text AND e.status = 'ready') near`;
}

/** The name of {@link countedStatement} for tokens that are limited alike: planning it takes longer than carrying it out. */
export function countedName({ services, tiers, within }: Visibility): string | undefined {
  if (within !== undefined) return undefined;
  return `search_counted_${services === 'all' ? 'all' : 'services'}_${tiers === 'all' ? 'all' : 'tiers'}`;
}
