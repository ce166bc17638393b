/** Writes the values of parameters and form fields as OpenAPI's `style` and `explode` say (docs/contract.md, section 4). */
import { isObject } from '../documents/json.js';
import type { ParameterRoute } from '../gateways/shared.js';

/** How a place writes texts. */
interface Writing {
  readonly encode: (text: string) => string;
  /** Whether a comma may stand there as it is, so that one within a value can be told from it. */
  readonly keepsComma: boolean;
}

export const inQuery: Writing = { encode: encodeURIComponent, keepsComma: true };
/** As `application/x-www-form-urlencoded` is written: a blank is a plus sign. */
export const inForm: Writing = {
  encode: (text) => new URLSearchParams([['', text]]).toString().slice(1),
  keepsComma: true,
};
export const inCookie: Writing = { encode: encodeURIComponent, keepsComma: false };
/** A part of a multipart body, which is not encoded. */
export const inPart: Writing = { encode: (text) => text, keepsComma: false };
const inHeader = inPart;

/** A name and a value as they are written. */
export type Pair = readonly [name: string, value: string];

/** Separators of a list by style; `tabDelimited` is `tsv` of OpenAPI 2.0, which later versions can't say. */
const separators: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

/** Writes a value as pairs of a query, a form, or a cookie; an empty list as none. */
export function pairsOf(
  route: Pick<ParameterRoute, 'name' | 'style' | 'explode' | 'mediaType'>,
  value: unknown,
  writing: Writing,
): readonly Pair[] {
  const { name, style = 'form', explode = style === 'form' } = route;
  const pair = (key: string, text: unknown): Pair => [writing.encode(key), writing.encode(textOf(text))];
  if (style === 'deepObject') return deepPairs(name, value).map(([key, text]) => pair(key, text));
  const items = Array.isArray(value) ? value.filter((item) => item !== null) : undefined;
  const members = membersOf(value);
  if (items === undefined && members === undefined) return [pair(name, value)];
  if (explode)
    return items?.map((item) => pair(name, item)) ?? (members ?? []).map(([key, item]) => pair(key, item));
  const texts = (items ?? (members ?? []).flat()).map(textOf);
  return texts.length === 0 ? [] : [[writing.encode(name), joined(texts, style, writing)]];
}

/**
 * Writes nested objects as `name[a][b]`, and the items of a list by their place, from 0: `name[a][0]`. OpenAPI leaves open how a list is
 * written; this is the one way that also holds lists of objects.
 */
function deepPairs(name: string, value: unknown): readonly Pair[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [[name, textOf(value)]];
  return Object.entries(value).flatMap(([key, item]) => deepPairs(`${name}[${key}]`, item));
}

/** Joins the items of a list; a separator within an item is encoded once more than those between items. */
function joined(items: readonly string[], style: string, { encode, keepsComma }: Writing): string {
  const separator = separators[style] ?? ',';
  if (separator === ',' && keepsComma) return items.map(encode).join(',');
  const escaped = items.map((item) => item.replaceAll(separator, encodeURIComponent(separator)));
  return encode((items.length > 1 ? escaped : items).join(separator));
}

/** Whether a comma within an item of a value would be read as one between items: headers have no encoding. */
export function hasLostComma({ style = '' }: ParameterRoute, value: unknown): boolean {
  if (typeof value !== 'object' || separators[style] !== undefined) return false;
  const items = Array.isArray(value) ? value : (membersOf(value) ?? []).flat();
  return items.some((item) => textOf(item).includes(','));
}

/** Writes a value for a header. */
export function headerText({ style = 'simple', explode = false }: ParameterRoute, value: unknown): string {
  const separator = separators[style];
  if (Array.isArray(value) && separator !== undefined) return joined(value.map(textOf), style, inHeader);
  return partsOf(value, explode, inHeader.encode).join(',');
}

/** Writes a value for a path: after `.` in the style `label`, after `;name=` in `matrix`. */
export function pathText(
  { name, style = 'simple', explode = false }: ParameterRoute,
  value: unknown,
): string {
  if (Array.isArray(value) && separators[style] !== undefined)
    return joined(value.map(textOf), style, inQuery);
  const parts = partsOf(value, explode, encodeURIComponent);
  if (style === 'label' && explode && typeof value === 'object')
    return `.${parts.map((part) => part.replaceAll('.', '%2E')).join('.')}`;
  if (style === 'label') return `.${parts.join(',')}`;
  if (style !== 'matrix') return parts.join(',');
  if (!explode) return `;${encodeURIComponent(name)}=${parts.join(',')}`;
  const named = isObject(value) ? parts : parts.map((part) => `${encodeURIComponent(name)}=${part}`);
  return named.map((part) => `;${part}`).join('');
}

function partsOf(value: unknown, explode: boolean, encode: (text: string) => string): string[] {
  if (Array.isArray(value)) return value.map((item) => encode(textOf(item)));
  const members = membersOf(value)?.map(([key, item]) => [encode(key), encode(textOf(item))]);
  if (members === undefined) return [encode(textOf(value))];
  return explode ? members.map((member) => member.join('=')) : members.flat();
}

/** The members that are not null, of an object. */
function membersOf(value: unknown): [string, unknown][] | undefined {
  return isObject(value) ? Object.entries(value).filter(([, item]) => item !== null) : undefined;
}

/** Writes nested values as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Writes the value of a parameter with a media type: JSON as such, all else as the text that it is. */
export function contentText(mediaType: string, value: unknown): string {
  return isJson(mediaType) ? JSON.stringify(value) : textOf(value);
}

export const isJson = (mediaType: string): boolean =>
  /^(application|text)\/([\w.-]+\+)?json\b/i.test(mediaType);
