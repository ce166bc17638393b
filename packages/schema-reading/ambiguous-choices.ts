import { types, type Root, type SetTokens, type Token } from 'ret';
import { tokenizer } from 'ret/dist/tokenizer.js';

/** Doublings of the time that choices in a row may cost. */
const MOST_DOUBLINGS = 26;
/** What one repetition without a bound costs of them. */
const UNBOUNDED = 6;
/** Rounds up to which a repetition of alternatives is harmless, whatever they are. */
const FEW_ROUNDS = 4;
/** Alternatives that are compared with each other; more of them are not looked at, and count as alike. */
const MOST_ALTERNATIVES = 50;

/** Characters that stand for all: each of ASCII, and some letters and signs beyond. */
const SAMPLES = [...Array.from({ length: 128 }, (_, code) => code), 0x80, 0xa0, 0xe9, 0x3b1, 0x4e00, 0xfffd];

type Alternatives = readonly (readonly Token[])[];
/** Which of the samples match. */
type Characters = readonly boolean[];

/**
 * Whether some text can be read by the expression in so many ways that trying them all takes for ever: repeated alternatives
 * that begin alike, `(a|ab)*`, or many repetitions in a row of what is alike, `.*.*.*.*.*` or `a?a?a?…`. Nested repetitions
 * are not looked at.
 */
export function isAmbiguous(pattern: string): boolean {
  return anyWithin(tokenizer(withoutProperties(pattern)), isAmbiguousHere);
}

/** The tokenizer knows no Unicode: properties stand for all letters and digits, escaped code points for one of them. */
function withoutProperties(pattern: string): string {
  return pattern.replace(
    /(\\[^pPu])|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\[(?:[^\]\\]|\\.)*\]/g,
    (part, escape?: string) => {
      if (escape !== undefined) return escape;
      const within = (text: string) =>
        text.replace(/\\[pP]\{[^}]*\}/g, 'a-zA-Z0-9\\u0080-\\uffff').replace(/\\u\{[^}]*\}/g, '\\uffff');
      return part.startsWith('[') ? within(part) : `[${within(part)}]`;
    },
  );
}

function anyWithin(token: Token | Root, test: (token: Token | Root) => boolean): boolean {
  return (
    test(token) ||
    alternativesOf(token).some((sequence) => sequence.some((part) => anyWithin(part, test))) ||
    (token.type === types.REPETITION && anyWithin(token.value, test))
  );
}

function isAmbiguousHere(token: Token | Root): boolean {
  if (token.type === types.REPETITION)
    return token.max > FEW_ROUNDS && anyWithin(token.value, (part) => !areApart(alternativesOf(part)));
  return alternativesOf(token).some(isLongRow);
}

function alternativesOf(token: Token | Root): Alternatives {
  if (token.type !== types.GROUP && token.type !== types.ROOT) return [];
  return token.options ?? [token.stack ?? []];
}

/** Whether each text begins like one of them at most. */
function areApart(alternatives: Alternatives): boolean {
  if (alternatives.length > MOST_ALTERNATIVES) return false;
  const all = alternatives.map((sequence) => sequence.filter(takesText));
  return all.every((one, index) => all.slice(index + 1).every((other) => partAt(one, other, 0)));
}

function partAt(one: readonly Token[], other: readonly Token[], at: number): boolean {
  const [first, second] = [one.slice(at), other.slice(at)];
  if (!overlap(charactersOf(first), charactersOf(second))) return true;
  return (
    [first, second].every(([token]) => token !== undefined && isSingle(token)) && partAt(one, other, at + 1)
  );
}

/** Whether repetitions in a row can share a text among them in too many ways. */
function isLongRow(sequence: readonly Token[]): boolean {
  let doublings = 0;
  let row: Characters | undefined;
  for (const token of sequence.filter(takesText)) {
    const characters = charactersOf([token]);
    if (row && !overlap(row, characters)) [row, doublings] = [undefined, 0];
    if (token.type !== types.REPETITION || token.min === token.max) continue;
    row = characters;
    doublings += Math.min(UNBOUNDED, Math.log2(token.max - token.min + 1));
    if (doublings > MOST_DOUBLINGS) return true;
  }
  return false;
}

const isSingle = ({ type }: Token): boolean => type === types.CHAR || type === types.SET;

/** Not a place (`^`, `\b`), nor a look around. */
const takesText = (token: Token): boolean =>
  token.type !== types.POSITION &&
  !(token.type === types.GROUP && (token.followedBy || token.notFollowedBy || token.lookBehind));

/** What a text may begin with that a sequence matches; anything where it may be empty. */
function charactersOf(sequence: readonly Token[]): Characters {
  const [first, ...others] = sequence;
  if (first === undefined) return SAMPLES.map(() => true);
  if (!takesText(first)) return charactersOf(others);
  if (first.type === types.REPETITION) {
    const within = charactersOf([first.value]);
    return first.min > 0 || others.length === 0 ? within : either(within, charactersOf(others));
  }
  if (first.type === types.GROUP) return alternativesOf(first).map(charactersOf).reduce(either);
  return SAMPLES.map((code) => matches(first, code));
}

function matches(token: Token, code: number): boolean {
  if (token.type === types.CHAR) return token.value === code;
  return token.type !== types.SET || isIn(token.set, code) !== token.not;
}

function isIn(set: SetTokens, code: number): boolean {
  return set.some((part) => {
    if (part.type === types.RANGE) return part.from <= code && code <= part.to;
    return matches(part, code);
  });
}

const either = (one: Characters, other: Characters): Characters =>
  one.map((holds, index) => holds || other[index] === true);
const overlap = (one: Characters, other: Characters): boolean =>
  one.some((holds, index) => holds && other[index] === true);
