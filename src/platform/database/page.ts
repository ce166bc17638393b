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
  /** Column to order by, code point by code point, unless `sort` says otherwise. */
  readonly text: string;
  /** A value of the schema that `sortSchema` makes (http/schemas.ts); by the last change also the column `position` must be selected. */
  readonly sort?: string | undefined;
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

interface Order {
  /** SQL of what is compared, and of the type that values of it have. */
  readonly by: string;
  readonly type: 'text' | 'bigint';
  /** The column under whose name a row has the value. */
  readonly column: string;
  readonly descends: boolean;
}

function orderOf({ text, sort = '' }: PageRequest): Order {
  const descends = sort.startsWith('-');
  if (sort.endsWith('updateTs')) return { by: 'position', type: 'bigint', column: 'position', descends };
  return { by: `${text} COLLATE "C"`, type: 'text', column: text, descends };
}

/** Reads one page of a list by keyset: a page stays right while rows before it come and go. */
export async function listPage<Row extends object>(sql: Sql, request: PageRequest): Promise<Page<Row>> {
  const where = request.where.copy();
  const { by, type, descends } = orderOf(request);
  const id = `${request.id}::text COLLATE "C"`;
  if (request.cursor !== undefined) {
    const [value, lastId] = readCursor(request.cursor, request);
    const beyond = descends ? '<' : '>';
    // Under row level security an index serves the comparison of the text, but not that of text and id together.
    where.add(`${by} ${beyond}= ?::${type}`, value);
    where.add(`(${by}, ${id}) ${beyond} (?::${type}, ?::text)`, value, lastId);
  }
  const end = descends ? ' DESC' : '';
  const rows = await sql.query<Row>(
    `SELECT ${request.select} FROM ${request.from} ${where.sql()}
     ORDER BY ${by}${end}, ${id}${end} LIMIT ${String(request.limit + 1)}`,
    where.values,
  );
  if (rows.length <= request.limit) return { rows };
  rows.pop();
  return { rows, nextCursor: writeCursor(rows.at(-1), request) };
}

function writeCursor(row: object | undefined, request: PageRequest): string {
  const member = (column: string): unknown =>
    Reflect.get(row ?? {}, column.slice(column.lastIndexOf('.') + 1));
  const parts = [String(member(orderOf(request).column)), member(request.id), listOf(request)];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Identifies the list and its filters, so that a cursor of another list is refused. Arrays among the values are left out: they
 * say what the reader may see, which may change between two pages.
 */
function listOf({ from, where, list: said, sort }: PageRequest): string {
  const filter = where.values.filter((value) => !Array.isArray(value));
  const list = JSON.stringify([said ?? [from, where.sql(), filter], sort]);
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
    const [value, id] = parts as unknown[];
    const isOfType = orderOf(request).type === 'text' || /^\d{1,18}$/.test(String(value));
    if (typeof value === 'string' && typeof id === 'string' && !`${value}${id}`.includes('\0') && isOfType)
      return [value, id];
  }
  throw new Invalid(
    'invalid_cursor',
    'The cursor is not one that this list gave out, with these filters. Start again without a cursor.',
  );
}
