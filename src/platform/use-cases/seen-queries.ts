import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../../kernel/sql.js';

interface Seen {
  readonly text: string;
  readonly parameters: readonly unknown[] | undefined;
  readonly rows: readonly object[];
}

/** What a plan has read, so that it can be told later whether it would be the same again. */
export class SeenQueries implements Sql {
  private readonly seen: Seen[] = [];

  constructor(private readonly sql: Sql) {}

  async query<Row extends object>(
    text: string,
    parameters?: readonly unknown[],
    name?: string,
  ): Promise<Row[]> {
    const rows = await this.sql.query<Row>(text, parameters, name);
    this.seen.push({ text, parameters, rows });
    return rows;
  }

  /** Whether every query gives what it gave. */
  async hold(sql: Sql): Promise<boolean> {
    for (const { text, parameters, rows } of this.seen)
      if (!isDeepStrictEqual(await sql.query(text, parameters), rows)) return false;
    return true;
  }
}
