/** What is read of documents of tools, skills and endpoints (`search_document_t d`) to rank them elsewhere. */
import type { Sql } from '../../kernel/sql.js';
import type { Conditions } from '../../platform/database/conditions.js';
import { candidateColumns, type CandidateRow } from '../found.js';

/** Lists the first documents by id. */
export function candidates(sql: Sql, where: Conditions, limit: number): Promise<readonly CandidateRow[]> {
  return sql.query<CandidateRow>(
    `SELECT ${candidateColumns} FROM search_document_t d ${where.sql()} ORDER BY d.entity_id LIMIT ${String(limit)}`,
    where.values,
  );
}

/** The names of what is found with these conditions. */
export async function namesFound(sql: Sql, where: Conditions): Promise<readonly string[]> {
  const rows = await sql.query<{ readonly name: string }>(
    `SELECT d.name FROM search_document_t d ${where.sql()}`,
    where.values,
  );
  return rows.map(({ name }) => name);
}
