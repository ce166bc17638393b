import isSafe from 'safe-regex2';
import { type Root, type SetTokens, type Token, types } from 'ret';
import { tokenizer } from 'ret/dist/tokenizer.js';

/** Repetitions in one expression beyond this number count as hostile. */
const MAX_REPETITIONS = 100;
const MAX_LENGTH = 2_000;

/** Repetitions that leave no choice and nest harmlessly: an exact count of one character. */
const HARMLESS = /(?<![\\)])\{\d+\}/g;

type Verdict = 'fine' | 'invalid' | 'expensive';

/** Of the last expressions: a document has few, each in many schemas. */
const verdicts = new Map<string, Verdict>();
const MAX_VERDICTS = 1_000;

/**
 * Whether a validator may run an expression of a document: it compiles as JSON Schema asks (ECMA-262, Unicode)
 * and holds neither a repetition of a repetition nor choices without end, which could take for ever.
 */
export function judgePattern(pattern: string): Verdict {
  if (pattern.length > MAX_LENGTH) return 'expensive';
  const known = verdicts.get(pattern);
  if (known !== undefined) return known;
  if (verdicts.size >= MAX_VERDICTS) verdicts.clear();
  const verdict = judge(pattern);
  verdicts.set(pattern, verdict);
  return verdict;
}

function judge(pattern: string): Verdict {
  try {
    new RegExp(pattern, 'u');
  } catch {
    return 'invalid';
  }
  const isNested = !isBounded(pattern) && !isBounded(withoutHarmless(pattern));
  return isNested || isAmbiguous(pattern) ? 'expensive' : 'fine';
}

function isBounded(pattern: string): boolean {
  return isSafe(pattern.replace(HARMLESS, ''), { limit: MAX_REPETITIONS });
}

/** Characters that may follow a backslash in Unicode expressions, inside and outside of a class. */
const ESCAPABLE = /[\^$\\.*+?()[\]{}|/\dA-Za-z]/;

/**
 * Mends what older dialects allow and Unicode expressions don't: needless escapes (`\_`, `\@`, `\-` outside
 * of a class). Undefined where that is not enough.
 */
export function mendPattern(pattern: string): string | undefined {
  let mended = '';
  let inClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] as string;
    const next = pattern[index + 1];
    if (character === '\\' && next !== undefined) {
      index++;
      mended += ESCAPABLE.test(next) || (inClass && next === '-') ? character + next : next;
      continue;
    }
    if (character === '[') inClass = true;
    if (character === ']') inClass = false;
    mended += character;
  }
  return mended !== pattern && judgePattern(mended) === 'fine' ? mended : undefined;
}

/** One of a class of characters, no negation among them. */
const SET = String.raw`\\[dw]|\[(?!\^)(?:[^\]\\]|\\[^DWSpPBbu])+\]`;
/** One character: of a class, escaped, or as it is; never any character (`.`), never a group. */
const ATOM = String.raw`(?:${SET}|\\[^\w]|[\w ,:;@#%&=/~!"'<>-])`;

/** `(-[a-z]+)*`, `(\.\d[\da-z]*){2}`, `(,-?\d+)*` and `([a-z]+\.)+`: each round begins, or ends, with a separator. */
const LED = new RegExp(String.raw`\((?:\?:)?(${ATOM})(?:${ATOM})*(${SET})[*+]\)(?:[*+]|\{\d+\})`, 'g');
const LED_BY_TWO = new RegExp(String.raw`\((?:\?:)?(${ATOM})(${ATOM})\?(${SET})\+\)[*+]`, 'g');
const ENDED = new RegExp(String.raw`\((?:\?:)?(${SET})\+(${ATOM})\)[*+]`, 'g');

/** `([0-9A-F]{4}-?){3}`: a group, and groups in it, a small number of times. */
const COUNTED = /(\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\))\{([1-8])\}/g;
/** Choices in all rounds of the counted groups together. */
const MAX_CHOICES = 12;

/**
 * The expression without the repetitions of repetitions that can't run away: rounds that a separator tells apart, small
 * counts of what is optional at most, counts of one or none. For judging alone: it does not match what the given one does.
 */
export function withoutHarmless(pattern: string): string {
  let left = MAX_CHOICES;
  return withoutOptions(pattern)
    .replace(LED, (whole, separator: string, set: string) => (areApart(separator, set) ? `${set}*` : whole))
    .replace(LED_BY_TWO, (whole, separator: string, optional: string, set: string) =>
      [separator, optional].every((atom) => areApart(atom, set)) ? `${set}*` : whole,
    )
    .replace(ENDED, (whole, set: string, separator: string) => (areApart(separator, set) ? `${set}*` : whole))
    .replace(COUNTED, (whole, group: string, count: string) => {
      const plain = group.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
      const choices = plain.split(/[?|]/).length - 1;
      if (/[*+]|\{\d*,/.test(plain) || choices * Number(count) > left) return whole;
      left -= choices * Number(count);
      return `${group.replace(/(?<![\\(])\?/g, '')}{${count}}`;
    });
}

/** Groups that stand once or not at all, within no group that is repeated, without the sign that says so. */
function withoutOptions(pattern: string): string {
  const open: Group[] = [];
  const groups: Group[] = [];
  for (const { 0: sign, index } of pattern.matchAll(SIGNS)) {
    if (sign === '(') open.push({ within: open.at(-1) });
    if (!sign.startsWith(')')) continue;
    const group = open.pop();
    if (group) groups.push(Object.assign(group, { sign, end: index + 1 }));
  }
  const isRepeated = ({ sign = '' }: Group): boolean => /^\)[*+{]/.test(sign) && !isOption(sign);
  const inRepeated = ({ within }: Group): boolean =>
    within !== undefined && (isRepeated(within) || inRepeated(within));
  let plain = pattern;
  const options = groups.filter((group) => isOption(group.sign) && !inRepeated(group));
  for (const { sign = '', end = 0 } of options.reverse())
    plain = plain.slice(0, end) + plain.slice(end + sign.length - 1);
  return plain;
}

interface Group {
  readonly within: Group | undefined;
  /** The parenthesis that closes it, and what says how often it stands. */
  readonly sign?: string;
  readonly end?: number;
}

/** Escapes and classes as a whole, parentheses, and how often a group stands. */
const SIGNS = /\\.|\[(?:[^\]\\]|\\.)*\]|\(|\)(?:[?*+]|\{\d+(?:,\d*)?\})?/g;

const isOption = (sign: string | undefined): boolean => [')?', '){1}', '){0,1}'].includes(sign ?? '');

/** Whether no character is in both. */
function areApart(one: string, other: string): boolean {
  if (!/^[ -~]*$/.test(one + other)) return false;
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const [first, second] = [one, other].map((set) => new RegExp(`^${set}$`, 'u')) as [RegExp, RegExp];
  return !ascii.some((letter) => first.test(letter) && second.test(letter));
}

/** Doublings of the time that choices in a row may cost. */
const MAX_DOUBLINGS = 26;
/** What one repetition without a bound costs of them. */
const UNBOUNDED = 6;
/** Rounds up to which a repetition of alternatives is harmless, whatever they are. */
const FEW_ROUNDS = 4;
/** Alternatives that are compared with each other; more of them are not looked at, and count as alike. */
const MAX_ALTERNATIVES = 50;

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
    return token.max > FEW_ROUNDS && anyWithin(token.value, (part) => !beginApart(alternativesOf(part)));
  return alternativesOf(token).some(isLongRow);
}

function alternativesOf(token: Token | Root): Alternatives {
  if (token.type !== types.GROUP && token.type !== types.ROOT) return [];
  return token.options ?? [token.stack ?? []];
}

/** Whether each text begins like one of them at most. */
function beginApart(alternatives: Alternatives): boolean {
  if (alternatives.length > MAX_ALTERNATIVES) return false;
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
    if (doublings > MAX_DOUBLINGS) return true;
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
