import { readMigrations } from './migrations.js';
import type { Sql } from './sql.js';

/** What the tables of projections hold of a host: of each the number of rows, and a sum over them that is the same in any order. */
export interface RowDigests {
  /** Name of the last migration of these tables: with another one they are others. */
  readonly migration: string;
  readonly tables: Readonly<Record<string, string>>;
}

/** Reads the digests of one host's rows, in a transaction that sees that host alone. */
export async function digestRows(tx: Sql, tables: readonly string[]): Promise<RowDigests> {
  const digests: Record<string, string> = {};
  for (const table of [...tables].sort()) {
    const [row] = await tx.query<{ digest: string }>(
      `SELECT count(*) || ':' || coalesce(sum(
         ('x' || encode(substr(sha256(convert_to(t::text, 'UTF8')), 1, 7), 'hex'))::bit(56)::bigint), 0) AS digest
       FROM ${table} t`,
    );
    digests[table] = row?.digest ?? '';
  }
  const migrations = await readMigrations('catalog');
  return { migration: migrations.at(-1)?.name ?? '', tables: digests };
}

/** Names the tables that hold something else; undefined where the two can't be compared. */
export function differingTables(before: RowDigests | null, now: RowDigests): readonly string[] | undefined {
  if (before?.migration !== now.migration) return undefined;
  return Object.keys(now.tables).filter((table) => before.tables[table] !== now.tables[table]);
}
