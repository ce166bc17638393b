import { below, isObject, NOWHERE, type Json, type JsonObject } from '../../documents/json.js';

/** Keywords whose values are data, in which nothing is a schema. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples', 'value']);
/** Keywords whose members are schemas, whatever they are called. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'schemas',
]);

/** Schemas that have an address of their own, by it; and anchors, by address and fragment. */
type Addresses = Map<string, string>;

/** What was gone through already: YAML aliases bring the same schema again. */
const placed = new WeakSet<object>();

/**
 * Makes references by address (`$id`, and `$self` of the document) lead to the place that has the address, in place: then
 * every reference within the document is one from its root (`#/…`). What has no such address stays as it is.
 */
export function placeReferences(root: Json): void {
  if (!isObject(root) || placed.has(root) || !holdsIds(root)) return;
  placed.add(root);
  const start = resolved(textOf(root, '$self') ?? '', NOWHERE) ?? NOWHERE;
  const addresses: Addresses = new Map([
    [NOWHERE, ''],
    [start, ''],
  ]);
  walk(root, { base: start, at: '' }, (schema, { base, at }) => {
    if (textOf(schema, '$id') !== undefined) addresses.set(base, at);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = textOf(schema, keyword);
      if (name !== undefined) addresses.set(`${base}#${name}`, at);
    }
  });
  const seen = new Set<object>();
  walk(root, { base: start, at: '' }, (schema, { base }) => {
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = textOf(schema, keyword);
      const place = reference === undefined ? undefined : placeOf(reference, base, addresses);
      if (place !== undefined && !(base === start && reference?.startsWith('#'))) schema[keyword] = place;
    }
  });
}

/** Whether anything has an address: most documents have none. */
function holdsIds(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isObject(value) && (textOf(value, '$id') ?? textOf(value, '$self')) !== undefined) return true;
  return Object.values(value).some(holdsIds);
}

interface Place {
  /** Address of the nearest schema around that has one. */
  readonly base: string;
  /** RFC 6901 pointer. */
  readonly at: string;
}

function walk(
  value: Json,
  { base, at }: Place,
  meet: (schema: JsonObject, place: Place) => void,
  isNamed = false,
): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, { base, at: below(at, index) }, meet);
  }
  if (!isObject(value)) return;
  const id = textOf(value, '$id');
  const place = { base: id === undefined ? base : (resolved(id, base) ?? base), at };
  meet(value, place);
  for (const [key, inner] of Object.entries(value)) {
    if (isNamed || !DATA.has(key))
      walk(inner, { base: place.base, at: below(at, key) }, meet, NAMED.has(key));
  }
}

function placeOf(reference: string, base: string, addresses: Addresses): string | undefined {
  const address = resolved(reference, base);
  const whole = addresses.get(address ?? '');
  const [, fragment = ''] = /#(.*)$/s.exec(reference) ?? [];
  const anchor = addresses.get(`${address ?? ''}#${fragment}`);
  if (fragment !== '' && !fragment.startsWith('/'))
    return anchor === undefined ? undefined : `#${encoded(anchor)}`;
  return whole === undefined ? undefined : `#${encoded(whole)}${fragment}`;
}

/** Absolute, without its fragment; undefined where it is no address. */
function resolved(reference: string, base: string): string | undefined {
  if (!URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base);
  url.hash = '';
  return url.href;
}

const textOf = (value: JsonObject, keyword: string): string | undefined => {
  const found = value[keyword];
  return typeof found === 'string' ? found : undefined;
};

const encoded = (pointer: string): string => pointer.replaceAll('%', '%25');
