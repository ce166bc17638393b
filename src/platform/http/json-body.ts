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
  collectFaults(value, '', 0, faults);
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

function collectFaults(value: unknown, pointer: string, depth: number, faults: Fault[]): void {
  if (faults.length >= mostFaults) return;
  if (typeof value === 'string' && !isStorable(value)) {
    faults.push({ pointer, detail: 'must not hold NUL or lone surrogates' });
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    faults.push({ pointer, detail: 'is a number out of range' });
  } else if (typeof value === 'object' && value !== null) {
    if (depth === deepest) {
      faults.push({ pointer, detail: `is nested deeper than ${String(deepest)} levels` });
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      const inner = pointer + pointerStep(name);
      if (name === '__proto__' || !isStorable(name))
        faults.push({ pointer: inner, detail: 'is a name that can’t be kept' });
      else collectFaults(member, inner, depth + 1, faults);
    }
  }
}

/** Whether PostgreSQL can keep the text as it is. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
