import { isUtf8 } from 'node:buffer';
import { parse as parseTolerantly, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { Fault } from '../../eventsourcing/errors.js';
import { pointerStep } from '../validation/faults.js';
import { Problem } from './problem.js';

/** Deepest nesting of a body: far more than any record needs, far less than breaks what walks it. */
const deepest = 64;
const mostFaults = 100;

/**
 * Parses a JSON body (RFC 8259). Throws Problem 400 with line and column where it is malformed, and with pointers
 * where it holds what no record can: NUL, lone surrogates, numbers out of range, `__proto__`, too deep a nesting.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw new Problem(400, 'malformed_json', 'The body is not UTF-8 text.');
  const text = body.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem(400, 'malformed_json', `The body is not JSON: ${placeOfFault(text)}.`);
  }
  const faults: Fault[] = [];
  collectFaults(value, undefined, 0, faults);
  if (faults.length > 0)
    throw new Problem(400, 'invalid_body', 'The body holds what can’t be kept.', { faults });
  return value;
}

function placeOfFault(text: string): string {
  const { offset, what } = firstError(text);
  const lines = text.slice(0, offset).split('\n');
  return `${what} at line ${String(lines.length)}, column ${String((lines.at(-1)?.length ?? 0) + 1)}`;
}

function firstError(text: string): { readonly offset: number; readonly what: string } {
  const errors: ParseError[] = [];
  try {
    parseTolerantly(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return { offset: 0, what: 'too deeply nested' };
  }
  const [first] = errors;
  if (first === undefined) return { offset: text.length, what: 'malformed' };
  const words = printParseErrorCode(first.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return { offset: first.offset, what: words.toLowerCase() };
}

/** Where something stands: its pointer is made only where it is at fault. */
interface Place {
  readonly above: Place | undefined;
  readonly step: string;
}

function collectFaults(value: unknown, place: Place | undefined, depth: number, faults: Fault[]): void {
  if (faults.length >= mostFaults) return;
  if (typeof value === 'string') {
    if (!isStorable(value))
      faults.push({ pointer: pointerTo(place), detail: 'must not hold NUL or lone surrogates' });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value))
      faults.push({ pointer: pointerTo(place), detail: 'is a number out of range' });
  } else if (typeof value === 'object' && value !== null) {
    if (depth === deepest) {
      faults.push({ pointer: pointerTo(place), detail: `is nested deeper than ${String(deepest)} levels` });
    } else if (Array.isArray(value)) collectInItems(value, place, depth, faults);
    else collectInMembers(value, place, depth, faults);
  }
}

function collectInItems(
  items: readonly unknown[],
  above: Place | undefined,
  depth: number,
  faults: Fault[],
): void {
  items.forEach((item, at) => {
    // What can't be at fault needs no place.
    if (typeof item === 'boolean' || item === null || Number.isFinite(item)) return;
    collectFaults(item, { above, step: String(at) }, depth + 1, faults);
  });
}

function collectInMembers(members: object, above: Place | undefined, depth: number, faults: Fault[]): void {
  for (const name of Object.keys(members)) {
    const place = { above, step: name };
    if (name === '__proto__' || !isStorable(name))
      faults.push({ pointer: pointerTo(place), detail: 'is a name that can’t be kept' });
    else collectFaults((members as Readonly<Record<string, unknown>>)[name], place, depth + 1, faults);
  }
}

function pointerTo(place: Place | undefined): string {
  return place === undefined ? '' : pointerTo(place.above) + pointerStep(place.step);
}

/** Whether PostgreSQL can keep the text as it is. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
