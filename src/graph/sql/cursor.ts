/** Cursors: opaque to clients, and valid for one query. Pure. */
import { Invalid } from '../../kernel/errors.js';
import type { Page } from '../reading/query.ast.js';

const MAX_OFFSET = 2 ** 31 - 1;

export function writeCursor(digest: string, values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([digest, ...values])).toString('base64url');
}

/** Throws Invalid `invalid_cursor` for a cursor of another query. */
export function readCursor(cursor: string, digest: string, length: number): readonly unknown[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = undefined;
  }
  if (
    Array.isArray(parts) &&
    parts.length === length + 1 &&
    parts[0] === digest &&
    parts.slice(1).every(isValue)
  ) {
    return parts.slice(1) as unknown[];
  }
  throw foreignCursor();
}

/** The number of rows in all, or at least. */
export interface Total {
  readonly count: number;
  readonly isExact: boolean;
}

/** The rows of the pages before, and the total that was counted with the first. */
export interface Progress {
  readonly given: number;
  readonly total: Total;
}

export const progressLength = 3;

export function progressValues({ given, total }: Progress): readonly unknown[] {
  return [given, total.count, total.isExact];
}

/** Throws Invalid `invalid_cursor`. */
export function progressOf([given, count, isExact]: readonly unknown[]): Progress {
  if (!isOffset(given) || !isOffset(count) || typeof isExact !== 'boolean') throw foreignCursor();
  return { given, total: { count, isExact } };
}

/** Rows of the pages before; 0 on the first. Throws Invalid `invalid_cursor`. */
export function offsetOf({ after, digest }: Pick<Page, 'after' | 'digest'>): number {
  if (after === undefined) return 0;
  const [offset] = readCursor(after, digest, 1);
  if (isOffset(offset)) return offset;
  throw foreignCursor();
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_OFFSET;
}

function foreignCursor(): Invalid {
  return new Invalid(
    'invalid_cursor',
    'The cursor was not given out for this query. Send the same query with it, or start again without.',
    [{ pointer: '/cursor/after', detail: 'is no cursor of this query' }],
  );
}

/** Whether it can be a value of a row. One of another type than its column fails in the database. */
function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string' && isText(item));
  return value === null || typeof value === 'number' || typeof value === 'boolean' || isText(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value);
}
