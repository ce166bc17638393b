/** Texts of specs as they stand in code: nothing in them ends the literal or the comment that they stand in. */
import type { Json } from '../schema-reading/keywords.js';
import type { Language } from './tool-interface.js';

/** JSON of ASCII alone, without `<`: no separator of lines, no mark of direction, no end of a script. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x3b\x3d-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** JSON within single quotes: the same literal in TypeScript, Python and Ruby, none of which reads more than `\\` and `\'` here. */
export function jsonLiteral(value: unknown): string {
  return `'${asciiJson(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A text within double quotes. TypeScript reads what JSON writes; the others have one escape for a pair of surrogates. */
export function textLiteral(text: string, language: Language): string {
  if (language === 'typescript') return asciiJson(text);
  const escapes = /\\\\|\\u(d[89ab]..)\\u(d[c-f]..)/g;
  return asciiJson(text).replace(escapes, (found, high?: string, low?: string) => {
    if (high === undefined || low === undefined) return found;
    const code = (parseInt(high, 16) - 0xd800) * 0x400 + (parseInt(low, 16) - 0xdc00) + 0x10000;
    const hex = code.toString(16);
    return language === 'python' ? `\\U${hex.padStart(8, '0')}` : `\\u{${hex}}`;
  });
}

const MAX_LINE = 100;
const MAX_LINES = 60;

/**
 * Lines of a comment or a docstring: no control characters, marks of direction or separators, none longer than a screen.
 * What ends a comment, a docstring or a script, or says something to a compiler, is taken apart or replaced.
 */
export function commentLines(text: string): readonly string[] {
  const lines = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((line) => wrap(clean(line)))
    .map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;
}

function clean(line: string): string {
  return line
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .trimEnd()
    .replaceAll('\\', '＼')
    .replaceAll('"""', "'''")
    .replace(/"$/, "'")
    .replaceAll('*/', '* /')
    .replaceAll('</', '< /')
    .replace(/@(?=\w)/g, '@ ');
}

function wrap(line: string): readonly string[] {
  if (line.length <= MAX_LINE) return [line];
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ').flatMap((word) => word.match(/.{1,100}/gu) ?? [''])) {
    if (current !== '' && current.length + word.length >= MAX_LINE) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** A text within Markdown, on one line. */
export function markdownText(text: string): string {
  const line = text
    .slice(0, 200)
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line
    .replace(/[\\`*_[\]|#!{}$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}

/** Half a surrogate pair is no Unicode, and no text of Python or Ruby: U+FFFD takes its place, in names too. */
export function wellFormed<Value>(value: Value): Value {
  return mended(value as Json) as Value;
}

function mended(value: Json): Json {
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\ufffd');
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [mended(name) as string, mended(member)]),
  );
}
