import { isCarried } from '../../packages/schema-reading/numbers.js';

/** A number or flag that is not written as JSON would write it (`007`, `1.10`, `12e03`, `True`): it may be meant as a text. */
export class WrittenNumber {
  constructor(
    readonly value: number | boolean,
    readonly text: string,
  ) {}
}

/** Integers of YAML to another base than ten. */
const BASED = /^[-+]?0[ox]/i;

/** Reads a number from what was written. One with digits that a number of JSON does not carry is the text itself. */
export function writtenNumber(value: number, text: string): number | string | WrittenNumber {
  if (String(value) === text || !Number.isFinite(value)) return value;
  const isExact = BASED.test(text) ? Number.isSafeInteger(value) : isCarried(text);
  return isExact ? new WrittenNumber(value, text) : text;
}

/** Begins what stands for such a number in a text of JSON, which has this character only as an escape. */
const MARK = '\\u0001';

/** A number behind which a member or an item ends. A text may hold what looks like one. */
const NUMBER = /[:,[]\s*(-?\d[\d.e+-]*)\s*[,\]}]/gi;
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.e+-]*/gis;

/**
 * Parses JSON without losing how its numbers are written: as `writtenNumber` reads them. Undefined where all are as JSON itself
 * writes them.
 *
 * @throws SyntaxError
 */
export function parseWritten(json: string): unknown {
  if (!mayHaveOddNumber(json)) return undefined;
  const canMark = !json.includes(MARK);
  const found = { odd: false };
  const marked = json.replace(TEXT_OR_NUMBER, (token) => {
    if (token.startsWith('"')) return token;
    const read = writtenNumber(Number(token), token);
    if (typeof read === 'number') return token;
    found.odd = true;
    if (typeof read === 'string') return `"${token}"`;
    return canMark ? `"${MARK}${token}"` : token;
  });
  if (!found.odd) return undefined;
  const value: unknown = JSON.parse(marked);
  return canMark ? unmarked(value) : value;
}

/** A quick look, which takes what stands in a text for one. */
function mayHaveOddNumber(json: string): boolean {
  for (const [, token = ''] of json.matchAll(NUMBER)) if (String(Number(token)) !== token) return true;
  return false;
}

function unmarked(root: unknown): unknown {
  const all = [root];
  const open: object[] = [all];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    const values = holder as Record<string, unknown>;
    for (const [step, value] of Object.entries(values)) {
      if (typeof value === 'object' && value !== null) open.push(value);
      if (typeof value !== 'string' || !value.startsWith('\u0001')) continue;
      const text = value.slice(1);
      values[step] = new WrittenNumber(Number(text), text);
    }
  }
  return all[0];
}
