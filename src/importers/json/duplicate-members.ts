import { visit } from 'jsonc-parser';
import { below } from '../json-reading.js';

/** Places that are told, at most. */
const MOST_PLACES = 1_000;

/**
 * Places (RFC 6901) of members that stand twice in one object of a JSON text, each as often as it is repeated: parsers
 * keep the last and drop the others. Two quick counts say of nearly every text that there are none.
 *
 * @param value what the text was parsed to
 */
export function duplicateMembers(text: string, value: unknown): readonly string[] {
  return membersIn(text) === membersOf(value) ? [] : placesIn(text);
}

const blank = new Set([' ', '\t', '\n', '\r']);

/** Member names in a JSON text: texts with a colon behind them. */
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

/** Whether an odd number of backslashes stands before the place. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charAt(before - 1) === '\\') before--;
  return (at - before) % 2 === 1;
}

/** Without recursion: nothing is known yet of how deep the value is. */
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

function placesIn(text: string): readonly string[] {
  const places: string[] = [];
  const open: Set<string>[] = [];
  try {
    visit(text, {
      onObjectBegin: () => {
        open.push(new Set());
      },
      onObjectProperty: (...[name, , , , , pathOf]) => {
        const names = open.at(-1);
        if (names?.has(name) && places.length < MOST_PLACES) places.push(below('', ...pathOf(), name));
        names?.add(name);
      },
      onObjectEnd: () => {
        open.pop();
      },
    });
  } catch {
    // Nested too deep for it; the document is refused for its depth.
  }
  return places;
}
