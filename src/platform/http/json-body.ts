import { isUtf8 } from 'node:buffer';
import { parse as parseTolerantly, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { Fault } from '../../eventsourcing/errors.js';
import { firstHundred, MOST_COUNTED, pointerStep } from '../validation/faults.js';
import { Problem } from './problem.js';

/** Deepest nesting of a body: far more than any record needs, far less than breaks what walks it. */
const deepest = 64;
/** Members of one object: whatever reads them goes through all, and no record has so many. */
const mostMembers = 10_000;

/**
 * Parses a JSON body (RFC 8259). Throws Problem 400 with line and column where it is malformed, and with pointers
 * where it holds what no record can: NUL, lone surrogates, numbers out of range, `__proto__`, too many members, too deep a nesting.
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
  // NUL and lone surrogates can only be written as escapes.
  const faults = new BodyFaults(text.includes('\\u')).of(value);
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

class BodyFaults {
  private readonly faults: Fault[] = [];

  constructor(private readonly hasEscapes: boolean) {}

  of(value: unknown): readonly Fault[] {
    this.collect(value, undefined, 0);
    return firstHundred(this.faults);
  }

  private collect(value: unknown, place: Place | undefined, depth: number): void {
    if (this.faults.length >= MOST_COUNTED) return;
    if (typeof value === 'string') {
      if (!isStorable(value)) this.add(place, 'must not hold NUL or lone surrogates');
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) this.add(place, 'is a number out of range');
    } else if (typeof value === 'object' && value !== null) {
      if (depth === deepest) this.add(place, `is nested deeper than ${String(deepest)} levels`);
      else if (Array.isArray(value)) this.collectInItems(value, place, depth);
      else this.collectInMembers(value as Readonly<Record<string, unknown>>, place, depth);
    }
  }

  private collectInItems(items: readonly unknown[], above: Place | undefined, depth: number): void {
    items.forEach((item, at) => {
      if (this.isFit(item)) return;
      this.collect(item, { above, step: String(at) }, depth + 1);
    });
  }

  private collectInMembers(
    members: Readonly<Record<string, unknown>>,
    above: Place | undefined,
    depth: number,
  ): void {
    const names = Object.keys(members);
    if (names.length > mostMembers) {
      this.add(above, `has more than ${String(mostMembers)} members`);
      return;
    }
    for (const name of names) {
      if (name === '__proto__' || (this.hasEscapes && !isStorable(name)))
        this.add({ above, step: name }, 'is a name that can’t be kept');
      else if (!this.isFit(members[name])) this.collect(members[name], { above, step: name }, depth + 1);
    }
  }

  /** What can't be at fault needs no place. */
  private isFit(value: unknown): boolean {
    return (
      typeof value === 'boolean' ||
      value === null ||
      Number.isFinite(value) ||
      (typeof value === 'string' && !this.hasEscapes)
    );
  }

  private add(place: Place | undefined, detail: string): void {
    this.faults.push({ pointer: pointerTo(place), detail });
  }
}

function pointerTo(place: Place | undefined): string {
  return place === undefined ? '' : pointerTo(place.above) + pointerStep(place.step);
}

/** Whether PostgreSQL can keep the text as it is. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
