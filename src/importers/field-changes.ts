import { isDeepStrictEqual } from 'node:util';
import { below } from '../documents/json.js';
import { type ChangeGrade, changeGrades, type FieldGrades, fieldsOf } from '../endpoints/shared.js';
import type { EndpointFacts } from '../formats/shared.js';

/** One place where two values differ, each side as a short text; a missing side is left out. */
export interface ValueChange {
  /** RFC 6901, within the value. */
  readonly at: string;
  readonly before?: string;
  readonly after?: string;
}

/** Most characters shown of one side. */
const MAX_LENGTH = 160;
/** Characters shown before the first difference of a long text. */
const LEAD = 24;

/** Lists where two values differ, in order, at most so many places. Of lists of names it says what came and what went. */
export function valueChanges(before: unknown, after: unknown, limit: number): ValueChange[] {
  const found: ValueChange[] = [];
  walk(before, after, '', { found, limit });
  return found;
}

interface Finds {
  readonly found: ValueChange[];
  readonly limit: number;
}

function walk(before: unknown, after: unknown, at: string, finds: Finds): void {
  if (finds.found.length >= finds.limit || before === after) return;
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
  // Lists that differ only in order, or in how often an item occurs, are shown whole.
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

/** Puts a text on one line; cuts a long one to what is around the difference, and drops halves of characters. */
function folded(text: string, start: number): string {
  const from = text.length > MAX_LENGTH ? Math.max(0, Math.min(start, text.length - MAX_LENGTH)) : 0;
  const part = text.slice(from, from + MAX_LENGTH).replace(/\p{Surrogate}/gu, '');
  const line = part.replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${line}${from + MAX_LENGTH < text.length ? '…' : ''}`;
}

/** One place where a document says something else of an endpoint than it did. */
export interface FieldChange extends ValueChange {
  /** Dot path. */
  readonly field: string;
  /** Of the change of the whole field. */
  readonly grade: ChangeGrade;
}

/** Places of one field, of one endpoint and of one import that are shown. */
const MAX_OF_FIELD = 5;
const MAX_OF_ENDPOINT = 12;
const MAX_OF_IMPORT = 4_000;

/** Collects what an import changes, as far as there is room for it in a report. */
export class FieldChanges {
  private left = MAX_OF_IMPORT;

  /** Worst grades first. */
  of(before: EndpointFacts | undefined, after: EndpointFacts, grades: FieldGrades): readonly FieldChange[] {
    const [was, is] = [fieldsOf(before ?? {}), fieldsOf(after)];
    const fields = Object.keys(grades).toSorted((a, b) => rankOf(grades[a]) - rankOf(grades[b]));
    const found: FieldChange[] = [];
    for (const field of fields) {
      const room = Math.min(MAX_OF_FIELD, MAX_OF_ENDPOINT - found.length, this.left);
      const places = valueChanges(was.get(field), is.get(field), room);
      found.push(...places.map((place) => ({ field, grade: grades[field] ?? 'wording', ...place })));
      this.left -= places.length;
    }
    return found;
  }
}

const rankOf = (grade: ChangeGrade = 'wording'): number => changeGrades.indexOf(grade);
