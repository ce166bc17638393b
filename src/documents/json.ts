import { visit } from 'jsonc-parser';
import { isObject, type Json, type JsonObject } from '../../packages/schema-reading/keywords.js';
import { jsonFault } from '../platform/validation/faults.js';
import { UnreadableDocument } from './findings.js';
import { checkSeparators, documentLimits } from './limits.js';
import { below, definitionNamed, stepsOf } from './pointers.js';
import { numbersIn, settleNumbers } from './settle-numbers.js';
import { parseWritten } from './written-numbers.js';

/** Reads parsed documents, whose members may be missing or of any kind. Only own members are seen. */
export { below, definitionNamed, isObject, stepsOf, type Json, type JsonObject };

export function member(value: unknown, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function objectMember(value: unknown, name: string): JsonObject | undefined {
  const found = member(value, name);
  return isObject(found) ? found : undefined;
}

export function listMember(value: unknown, name: string): readonly Json[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}

/** Lists the texts of a list; other items are skipped. */
export function textsOf(value: unknown, name: string): readonly string[] {
  return listMember(value, name).filter((item) => typeof item === 'string');
}

/** Reads a text that is not blank. A number counts as one: YAML reads an unquoted `version: 1.0` as a number. */
export function textMember(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}

/** Tells whether a flag is set. In YAML 1.1, which many write, `yes` and `on` are true; in 1.2 they are texts. */
export function flagMember(value: unknown, name: string): boolean {
  const found = member(value, name);
  return found === true || (typeof found === 'string' && /^(?:true|yes|on)$/i.test(found));
}

export function entriesOf(value: unknown): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** Compares by code point (the order of the UTF-8 bytes), the same on every machine. */
export function byCodePoint(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let index = 0;
  while (index < shorter && one.charCodeAt(index) === other.charCodeAt(index)) index++;
  if (index === shorter) return one.length - other.length;
  return rank(one.charCodeAt(index)) - rank(other.charCodeAt(index));
}

/** Sorts surrogates after all single units: they stand for code points above them. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Address of a document that has none: relative references need something to be relative to. */
export const NOWHERE = 'document:///';

/** What is to be known of a JSON text. */
interface JsonReading {
  readonly maxNodes?: number;
  /** Is given the RFC 6901 pointers of members that stand twice in one object: the last one counts. */
  readonly onDuplicate?: (pointer: string) => void;
  /** The member that is a document, where not all of the text is one. */
  readonly document?: string;
}

/**
 * Parses JSON text. Numbers with more digits than JSON carries are texts, and so are, in a document, those that stand for texts
 * there (`"version": 1.10`): as they are written.
 *
 * @throws UnreadableDocument `malformed_json` with line and column; `document_too_large`
 */
export function readJson(
  text: string,
  { maxNodes = documentLimits.nodes, onDuplicate, document }: JsonReading = {},
): unknown {
  checkSeparators(text, maxNodes);
  const value = parse(text, document);
  // Two quick counts rule duplicates out for nearly every text.
  if (onDuplicate !== undefined && membersIn(text) !== membersOf(value)) reportDuplicates(text, onDuplicate);
  return value;
}

function parse(text: string, document: string | undefined): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return settled(text, document) ?? value;
  } catch (fault) {
    const detail = `This is no JSON: ${jsonFault(text, fault as Error)}. Mend the text there and send it again.`;
    throw new UnreadableDocument('malformed_json', detail);
  }
}

/** Undefined where numbers are as JSON writes them, or nested deeper than anything that is read. */
function settled(text: string, document: string | undefined): unknown {
  const value = parseWritten(text);
  try {
    if (document === undefined) return settleNumbers(value);
    if (isObject(value)) value[document] = settleNumbers(value[document]) as Json;
    return numbersIn(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const blank = new Set([' ', '\t', '\n', '\r']);

/** Counts the member names in a JSON text: texts with a colon behind them. */
function membersIn(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', start)) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    start = end + 1;
    while (blank.has(text.charAt(start))) start++;
    if (text.charAt(start) === ':') count++;
  }
  return count;
}

/** Tells whether an odd number of backslashes stands before the place. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charAt(before - 1) === '\\') before--;
  return (at - before) % 2 === 1;
}

/** Counts without recursion: nothing is known yet of how deep the value is. */
function membersOf(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const inner: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const part of inner) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return count;
}

/** Duplicates that are reported, at most. */
const MAX_PLACES = 1_000;

/** Reports each member that stands twice in one object, as often as it is repeated. */
function reportDuplicates(text: string, onDuplicate: (pointer: string) => void): void {
  let places = 0;
  const open: Set<string>[] = [];
  try {
    visit(text, {
      onObjectBegin: () => {
        open.push(new Set());
      },
      onObjectProperty: (...[name, , , , , pathOf]) => {
        const names = open.at(-1);
        if (names?.has(name) && ++places <= MAX_PLACES) onDuplicate(below('', ...pathOf(), name));
        names?.add(name);
      },
      onObjectEnd: () => {
        open.pop();
      },
    });
  } catch {
    // Nested too deep for it; the document is refused for its depth.
  }
}
