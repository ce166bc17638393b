/**
 * Regular expressions of schemas, which are ECMA-262 with Unicode, as all three languages read them alike.
 *
 * Kept: characters and classes, `.`, `\d \w \s` and their opposites, groups, alternatives, repetitions, `^ $ \b \B` and looking
 * ahead. Not portable: `\p{…}` (Python has none), looking behind (Python wants a fixed width), references to groups, modifiers, and
 * many groups within each other.
 * Laziness is dropped: it changes what is matched, not whether something is.
 */
import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { judgePattern } from '../schema-reading/patterns.js';
import type { Language } from './tool-interface.js';

const LAST = 0x10ffff;
/** Ruby repeats no more than this. */
const MAX_REPETITIONS = 100_000;
/** Groups within each other: Python reads and compiles them by recursion, and gives up far below the 1,000 that a text has room for. */
const MAX_GROUPS = 50;

/** Code points from `[0]` to `[1]`. */
type Range = readonly [from: number, to: number];

const DIGITS: readonly Range[] = [[0x30, 0x39]];
const WORD: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const LINE_ENDS: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const SPACE: readonly Range[] = [
  [0x09, 0x0d],
  ...[0x20, 0xa0, 0x1680].map((code): Range => [code, code]),
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  ...[0x202f, 0x205f, 0x3000, 0xfeff].map((code): Range => [code, code]),
];

class NotPortable extends Error {}

/** @returns the expression in the language, or why it is checked in none */
export function portablePattern(pattern: string, language: Language): { source: string } | { why: string } {
  if (judgePattern(pattern) !== 'fine')
    return { why: 'is invalid (ECMA-262, Unicode) or could run for ever' };
  try {
    const parser = new RegExpParser({ ecmaVersion: 2024 });
    const { alternatives } = parser.parsePattern(pattern, 0, pattern.length, { unicode: true });
    return { source: new Writer(language).alternatives(alternatives) };
  } catch (fault) {
    if (!(fault instanceof NotPortable) && !(fault instanceof SyntaxError)) throw fault;
    return { why: fault.message };
  }
}

class Writer {
  /** Groups that are being written, each within the one before. */
  private open = 0;

  constructor(private readonly language: Language) {}

  alternatives(alternatives: readonly AST.Alternative[]): string {
    return alternatives
      .map(({ elements }) => elements.map((element) => this.element(element)).join(''))
      .join('|');
  }

  private element(element: AST.Element): string {
    switch (element.type) {
      case 'Assertion':
        return this.assertion(element);
      case 'Quantifier':
        return this.element(element.element) + count(element);
      case 'Group':
        if (element.modifiers !== null) throw new NotPortable('has modifiers of a group');
        return this.group('(?:', element.alternatives);
      case 'CapturingGroup':
        return this.group('(?:', element.alternatives);
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.oneOf(rangesOf(element));
      default:
        throw new NotPortable('refers to a group');
    }
  }

  private group(opening: string, alternatives: readonly AST.Alternative[]): string {
    if (this.open === MAX_GROUPS)
      throw new NotPortable(`has more than ${String(MAX_GROUPS)} groups within each other`);
    this.open += 1;
    const within = this.alternatives(alternatives);
    this.open -= 1;
    return `${opening}${within})`;
  }

  private assertion(assertion: AST.Assertion): string {
    switch (assertion.kind) {
      case 'start':
        return this.language === 'typescript' ? '^' : '\\A';
      case 'end':
        return { typescript: '$', python: '\\Z', ruby: '\\z' }[this.language];
      case 'word':
        return this.wordBoundary(assertion.negate);
      case 'lookahead':
        return this.group(assertion.negate ? '(?!' : '(?=', assertion.alternatives);
      case 'lookbehind':
        throw new NotPortable('looks behind');
    }
  }

  /** Spelled out, since words are ASCII here and elsewhere not. */
  private wordBoundary(negate: boolean): string {
    const word = this.oneOf(WORD);
    const [before, notBefore] = [`(?<=${word})`, `(?<!${word})`];
    const [after, notAfter] = [`(?=${word})`, `(?!${word})`];
    return negate
      ? `(?:${before}${after}|${notBefore}${notAfter})`
      : `(?:${before}${notAfter}|${notBefore}${after})`;
  }

  private oneOf(ranges: readonly Range[]): string {
    const usable = sorted(ranges).flatMap(withoutSurrogates);
    const [first] = usable;
    if (first === undefined) return '(?!)';
    if (usable.length === 1 && first[0] === first[1]) return this.character(first[0]);
    const parts = usable.map(([from, to]) =>
      from === to ? this.character(from) : `${this.character(from)}-${this.character(to)}`,
    );
    return `[${parts.join('')}]`;
  }

  private character(code: number): string {
    const character = String.fromCodePoint(code);
    if (/[A-Za-z0-9]/.test(character)) return character;
    const hex = code.toString(16);
    if (this.language !== 'python') return `\\u{${hex}}`;
    return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
  }
}

function count({ min, max }: AST.Quantifier): string {
  if (min > MAX_REPETITIONS || (max !== Infinity && max > MAX_REPETITIONS))
    throw new NotPortable(`repeats more than ${String(MAX_REPETITIONS)} times`);
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${String(min)},}`;
  return min === 0 && max === 1 ? '?' : `{${String(min)},${String(max)}}`;
}

function rangesOf(element: AST.Character | AST.CharacterSet | AST.CharacterClass): readonly Range[] {
  if (element.type === 'Character') return [[element.value, element.value]];
  if (element.type === 'CharacterSet') return rangesOfSet(element);
  const ranges = element.elements.flatMap((part): readonly Range[] => {
    if (part.type === 'CharacterClassRange') return [[part.min.value, part.max.value]];
    if (part.type === 'Character' || part.type === 'CharacterSet') return rangesOf(part);
    throw new NotPortable('has a class of classes');
  });
  return element.negate ? complement(ranges) : ranges;
}

function rangesOfSet(set: AST.CharacterSet): readonly Range[] {
  if (set.kind === 'any') return complement(LINE_ENDS);
  if (set.kind === 'property') throw new NotPortable('names a property of Unicode (\\p)');
  const ranges = { digit: DIGITS, word: WORD, space: SPACE }[set.kind];
  return set.negate ? complement(ranges) : ranges;
}

/** In order, without overlaps. */
function sorted(ranges: readonly Range[]): readonly Range[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

function complement(ranges: readonly Range[]): readonly Range[] {
  const inOrder = sorted(ranges);
  const starts = [0, ...inOrder.map(([, to]) => to + 1)];
  const ends = [...inOrder.map(([from]) => from - 1), LAST];
  return starts.map((from, index): Range => [from, ends[index] ?? LAST]).filter(([from, to]) => from <= to);
}

/** Texts are Unicode, which has none; Ruby refuses to name them. */
function withoutSurrogates([from, to]: Range): readonly Range[] {
  const before: Range = [from, Math.min(to, 0xd7ff)];
  const after: Range = [Math.max(from, 0xe000), to];
  return [before, after].filter(([start, end]) => start <= end);
}
