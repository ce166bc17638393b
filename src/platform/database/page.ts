import { createHash } from 'node:crypto';
import { Invalid } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Conditions } from './conditions.js';

/** What to list, and which page of it. */
export interface PageRequest {
  /** Column list, without SELECT. Must hold `text` and `id` under these names. */
  readonly select: string;
  /** Table or view with its joins, without FROM. */
  readonly from: string;
  /** What the list and its filters are, where the statement does not say it alike for every reader. */
  readonly list?: unknown;
  readonly where: Conditions;
  /** Column to order by, code point by code point. */
  readonly text: string;
  /** Column that breaks ties, unique in the list. */
  readonly id: string;
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly nextCursor?: string;
}

/** Reads one page of a list by keyset: a page stays right while rows before it come and go. */
export async function listPage<Row extends object>(sql: Sql, request: PageRequest): Promise<Page<Row>> {
  const where = request.where.copy();
  if (request.cursor !== undefined) {
    const [text, id] = readCursor(request.cursor, request);
    // Under row level security an index serves the comparison of the text, but not that of text and id together.
    where.add(`${request.text} COLLATE "C" >= ?::text`, text);
    where.add(
      `(${request.text} COLLATE "C", ${request.id}::text COLLATE "C") > (?::text, ?::text)`,
      text,
      id,
    );
  }
  const rows = await sql.query<Row>(
    `SELECT ${request.select} FROM ${request.from} ${where.sql()}
     ORDER BY ${request.text} COLLATE "C", ${request.id}::text COLLATE "C" LIMIT ${String(request.limit + 1)}`,
    where.values,
  );
  if (rows.length <= request.limit) return { rows };
  rows.pop();
  return { rows, nextCursor: writeCursor(rows.at(-1), request) };
}

function writeCursor(row: object | undefined, request: PageRequest): string {
  const member = (column: string): unknown =>
    Reflect.get(row ?? {}, column.slice(column.lastIndexOf('.') + 1));
  const parts = [member(request.text), member(request.id), listOf(request)];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Identifies the list and its filters, so that a cursor of another list is refused. Arrays among the values are left out: they
 * say what the reader may see, which may change between two pages.
 */
function listOf({ from, where, list: said }: PageRequest): string {
  const filter = where.values.filter((value) => !Array.isArray(value));
  const list = JSON.stringify(said ?? [from, where.sql(), filter]);
  return createHash('sha256').update(list).digest('base64url').slice(0, 16);
}

function readCursor(cursor: string, request: PageRequest): [string, string] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = undefined;
  }
  if (Array.isArray(parts) && parts.length === 3 && parts[2] === listOf(request)) {
    const [text, id] = parts as unknown[];
    if (typeof text === 'string' && typeof id === 'string' && !`${text}${id}`.includes('\0'))
      return [text, id];
  }
  throw new Invalid(
    'invalid_cursor',
    'The cursor is not one that this list gave out, with these filters. Start again without a cursor.',
  );
}
