/** How the texts of a request are taken apart and compared with what was asked for. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../src/documents/json.js';
import type { ParameterRoute } from '../../src/formats/format.js';
import type { DescribedOperation, Place } from './described-operations.js';
import type { RecordedRequest } from './recorded-call.js';

/** Something that did not arrive as the document says. */
export interface WrongPart {
  readonly kind: string;
  readonly detail: string;
}

export interface JudgedCall {
  readonly operation: DescribedOperation;
  readonly document: JsonObject;
  readonly routes: Readonly<Record<string, ParameterRoute>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly request: RecordedRequest;
}

/** A pair as it was written, and whether a parameter has been found in it. */
export interface WrittenPair {
  readonly name: string;
  /** Still encoded. */
  readonly value: string;
  used: boolean;
}

export const wrong = (kind: string, detail: unknown): WrongPart => ({
  kind,
  detail: typeof detail === 'string' ? detail : JSON.stringify(detail),
});

export function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

export function pairsIn(
  text: string,
  separator: string | RegExp,
  decode: (text: string) => string,
): readonly WrittenPair[] {
  return text
    .split(separator)
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', value = ''] = splitOnce(part, '=');
      return { name: decode(name), value, used: false };
    });
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Separators of lists as they are written within an address. */
export const separatorsOf: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20|\+/,
  pipeDelimited: /%7C|\|/i,
  tabDelimited: /%09/,
};

/** Those where nothing is encoded: in headers, and in parts of a multipart body. */
export const plainSeparators: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

interface Comparison {
  readonly asked: unknown;
  readonly explode: boolean;
  readonly decode: (text: string) => string;
}

/** Compares the parts of a value that were joined by a separator with what was asked for. */
export function sameParts(
  kind: string,
  parts: readonly string[],
  { asked, explode, decode }: Comparison,
): readonly WrongPart[] {
  if (Array.isArray(asked))
    return sameTexts(
      kind,
      parts.map(decode),
      asked.filter((item) => item !== null),
    );
  if (!isObject(asked)) return sameTexts(kind, [decode(parts.join(','))], [asked]);
  const members = Object.entries(asked).filter(([, value]) => value !== null);
  const written = explode
    ? parts.map((part) => splitOnce(part, '=').map(decode))
    : inPairs(parts.map(decode));
  return sameTexts(kind, written.flat(), members.flat());
}

const inPairs = (texts: readonly string[]): readonly (readonly string[])[] =>
  texts.flatMap((text, index) => (index % 2 === 0 ? [[text, texts[index + 1] ?? '']] : []));

export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A separator within an item is encoded once more than those between items, which no document can say otherwise. */
export function sameTexts(
  kind: string,
  written: readonly string[],
  asked: readonly unknown[],
): readonly WrongPart[] {
  const wanted = asked.map(asText);
  const isSame = (text: string, index: number): boolean => {
    const other = wanted[index] ?? '';
    const isItem = wanted.length > 1 && withSeparators(text) === withSeparators(other);
    return text === other || isItem || isSameJson(text, other);
  };
  return written.length === wanted.length && written.every(isSame) ? [] : [wrong(kind, { written, wanted })];
}

const withSeparators = (text: string): string => text.replaceAll(/%(?:7C|20|09|2C)/gi, decodeURIComponent);

function isSameJson(one: string, other: string): boolean {
  return /^[[{]/.test(one) && isDeepStrictEqual(asJson(one), asJson(other));
}

export function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export const same = (kind: string, written: unknown, asked: unknown): readonly WrongPart[] =>
  isDeepStrictEqual(written, asked) ? [] : [wrong(kind, { written, wanted: asked })];

/** How a parameter, or a field of a form, is written as pairs. */
export interface PairStyle {
  readonly name: string;
  readonly in: Place | 'form' | 'part';
  readonly style: string;
  readonly explode: boolean;
  readonly mediaType?: string | undefined;
}

/** Compares what is written in pairs of a query, a cookie or a form. */
export function pairFaults(
  { name, in: place, style, explode, mediaType }: PairStyle,
  asked: unknown,
  pairs: readonly WrittenPair[],
): readonly WrongPart[] {
  const kind = `${place}: ${style}${explode ? '' : ' without explode'}`;
  const decode = decoders[place] ?? decoded;
  const take = (wanted: (pairName: string) => boolean): readonly WrittenPair[] => {
    const found = pairs.filter((pair) => !pair.used && wanted(pair.name));
    for (const pair of found) pair.used = true;
    return found;
  };
  if (style === 'deepObject') {
    const found = take((each) => each === name || each.startsWith(`${name}[`));
    const written = found.map((pair): [string, string] => [pair.name, decode(pair.value)]);
    return same(kind, Object.fromEntries(written), Object.fromEntries(deepMembers(name, asked)));
  }
  if (mediaType !== undefined) {
    const [found] = take((each) => each === name);
    const text = found === undefined ? undefined : decode(found.value);
    return same(
      `${place}: content`,
      /json/i.test(mediaType) && text !== undefined ? asJson(text) : text,
      asked,
    );
  }
  const items = Array.isArray(asked) ? asked.filter((item) => item !== null) : undefined;
  if (items?.length === 0) return [];
  if (explode && isObject(asked)) {
    const members = Object.entries(asked).filter(([, value]) => value !== null);
    const found = members.flatMap(([key]) => take((each) => each === key));
    return sameTexts(
      kind,
      found.flatMap((pair) => [pair.name, decode(pair.value)]),
      members.flat(),
    );
  }
  const found = take((each) => each === name).map(({ value }) => value);
  if (explode && items !== undefined) return sameTexts(kind, found.map(decode), items);
  if (found.length !== 1) {
    const isEmpty = isObject(asked) && Object.keys(asked).length === 0;
    return isEmpty ? [] : [wrong(kind, `${name} stands ${String(found.length)} times`)];
  }
  const [text = ''] = found;
  if (typeof asked !== 'object') return sameTexts(kind, [decode(text)], [asked]);
  const written = place === 'part' ? plainSeparators[style] : separatorsOf[style];
  const comma = place === 'cookie' ? /,|%2C/i : ',';
  return sameParts(kind, text.split(written ?? comma), { asked, explode: false, decode });
}

const ofForm = (text: string): string => decoded(text.replaceAll('+', ' '));
const decoders: Partial<Record<PairStyle['in'], (text: string) => string>> = {
  form: ofForm,
  part: (text) => text,
};

function deepMembers(name: string, value: unknown): readonly [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[name, asText(value)]];
  return Object.entries(value).flatMap(([key, inner]) => deepMembers(`${name}[${key}]`, inner));
}
