import { isDeepStrictEqual } from 'node:util';
import { below } from '../documents/json.js';

/** One place where two values differ, each side as a short text; a side that is not there is left out. */
export interface ValueChange {
  /** RFC 6901, within the value. */
  readonly at: string;
  readonly before?: string;
  readonly after?: string;
}

/** Characters of a side that are shown. */
const LONGEST = 160;
/** Of a long text, those that are shown before the first one that differs. */
const LEAD = 24;

/** Where two values differ, in order, at most so many places. Of lists of names it tells what came and what went. */
export function valueChanges(before: unknown, after: unknown, most: number): ValueChange[] {
  const found: ValueChange[] = [];
  walk(before, after, '', { found, most });
  return found;
}

interface Finds {
  readonly found: ValueChange[];
  readonly most: number;
}

function walk(before: unknown, after: unknown, at: string, finds: Finds): void {
  if (finds.found.length >= finds.most || before === after) return;
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names) walk(memberOf(before, name), memberOf(after, name), below(at, name), finds);
  } else if (Array.isArray(before ?? after) && Array.isArray(after ?? before))
    walkLists(listOf(before), listOf(after), at, finds);
  else if (!isDeepStrictEqual(before, after)) finds.found.push({ at, ...sides(before, after) });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function walkLists(before: readonly unknown[], after: readonly unknown[], at: string, finds: Finds): void {
  const isPlain = [...before, ...after].every((item) => typeof item !== 'object' || item === null);
  if (!isPlain) {
    const length = Math.max(before.length, after.length);
    for (let index = 0; index < length; index++) walk(before[index], after[index], below(at, index), finds);
    return;
  }
  const [held, holds] = [new Set(before), new Set(after)];
  const gone = before.filter((item) => !holds.has(item));
  const come = after.filter((item) => !held.has(item));
  // What only stands in another order, or another number of times, is shown whole.
  if (gone.length + come.length > 0) {
    finds.found.push({ at, ...sides(listText(gone), listText(come)) });
  } else if (!isDeepStrictEqual(before, after)) finds.found.push({ at, ...sides(before, after) });
}

const memberOf = (value: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

function listText(items: readonly unknown[]): string | undefined {
  if (items.length === 0) return undefined;
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join(', ');
}

function sides(before: unknown, after: unknown): Pick<ValueChange, 'before' | 'after'> {
  const [was, is] = [textOf(before), textOf(after)];
  const start = firstDifference(was ?? '', is ?? '') - LEAD;
  return {
    ...(was !== undefined && { before: folded(was, start) }),
    ...(is !== undefined && { after: folded(is, start) }),
  };
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return JSON.stringify(value);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

/** On one line; a long text is cut to what is around the difference. Halves of characters go. */
function folded(text: string, start: number): string {
  const from = text.length > LONGEST ? Math.max(0, Math.min(start, text.length - LONGEST)) : 0;
  const part = text.slice(from, from + LONGEST).replace(/\p{Surrogate}/gu, '');
  const line = part.replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${line}${from + LONGEST < text.length ? '…' : ''}`;
}
