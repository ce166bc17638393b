import { createHash } from 'node:crypto';
import type { Sql } from './sql.js';

/** Names by text. Texts of the writing side are few; should they not be, those beyond are planned each time. */
const names = new Map<string, string>();
const MOST = 500;

/**
 * The same place to send SQL to, where each connection plans a text once and not at every statement. For the writing
 * side: its texts are few, and each finds its rows by key.
 */
export function prepared(sql: Sql): Sql {
  return {
    query: (text, parameters, name) =>
      sql.query(text, parameters, name ?? (parameters === undefined ? undefined : statementName(text))),
  };
}

/** A name for a prepared statement, made of its text; none where so many have one already. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size === MOST) return known;
  const name = `s_${createHash('sha1').update(text).digest('hex').slice(0, 20)}`;
  names.set(text, name);
  return name;
}
