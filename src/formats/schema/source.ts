import {
  below,
  isObject,
  NOWHERE,
  stepsOf,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { shortHash } from '../naming.js';
import { Composition } from './composition.js';

/** Where a reference leads: to a schema in the document, out of it, or nowhere. */
export type Target =
  | { readonly kind: 'local'; readonly pointer: string; readonly schema: Json }
  | { readonly kind: 'external' | 'missing' };

/** References that one pointer leads through. */
const MAX_HOPS = 8;

/**
 * The document that references are followed in; those by address (`$id`, `$self`) are changed in it. Nothing outside of it
 * is ever looked at: a reference to a file or an address is `external`, whatever it names.
 */
export class SchemaSource {
  private anchors: Map<string, string> | undefined;
  /** What was found: most references stand in many places. */
  private readonly found = new Map<string, Target>();
  private readonly names = new Map<string, string>();
  readonly composition = new Composition(this);

  constructor(
    readonly root: Json,
    /** Pointer before the names that stay as they are in `$defs`: `/components/schemas/`. */
    readonly namespace: string,
  ) {
    placeReferences(root);
  }

  /** Follows a reference, and references that stand alone at its end. */
  find(reference: string): Target {
    const known = this.found.get(reference);
    if (known) return known;
    const target = this.follow(reference);
    this.found.set(reference, target);
    return target;
  }

  private follow(reference: string): Target {
    const seen = new Set<string>();
    let next = reference;
    for (;;) {
      const target = this.step(next);
      if (target.kind !== 'local' || seen.has(target.pointer))
        return target.kind === 'local' ? { kind: 'missing' } : target;
      seen.add(target.pointer);
      const alias = onlyReference(target.schema);
      if (alias === undefined) return target;
      next = alias;
    }
  }

  /** The value at an RFC 6901 pointer, over own members alone; undefined where there is none. */
  at(pointer: string): Json | undefined {
    return this.walk(pointer, 0).value;
  }

  /** Whole maps may be references too (`components: {schemas: {$ref: schemas.yaml}}`): the way leads through them. */
  private walk(pointer: string, hops: number): { readonly value?: Json; readonly leadsOut?: boolean } {
    let value: Json | undefined = this.root;
    for (const step of stepsOf(pointer)) {
      const through: string | undefined = hasOwn(value, step) ? undefined : textMember(value, '$ref');
      if (through?.startsWith('#/') && hops < MAX_HOPS) {
        value = this.walk(decode(through.slice(1)), hops + 1).value;
      } else if (through !== undefined && !through.startsWith('#')) return { leadsOut: true };
      if (!hasOwn(value, step)) return {};
      value = value[step];
    }
    return value === undefined ? {} : { value };
  }

  /** Name of a definition under `$defs`; depends on nothing but its place. */
  nameOf(pointer: string): string {
    const known = this.names.get(pointer);
    if (known !== undefined) return known;
    const name = this.named(pointer);
    this.names.set(pointer, name);
    return name;
  }

  private named(pointer: string): string {
    const last = pointer.slice(pointer.lastIndexOf('/') + 1);
    const isNamed = pointer === this.namespace + last;
    if (isNamed && /^[\w.-]{1,100}$/.test(last)) return last;
    return `${last.replace(/[^\w.-]+/g, '_').slice(0, 60)}-${shortHash(pointer)}`;
  }

  private step(reference: string): Target {
    if (!reference.startsWith('#')) return { kind: reference.trim() === '' ? 'missing' : 'external' };
    const fragment = decode(reference.slice(1));
    const pointer = fragment === '' || fragment.startsWith('/') ? fragment : this.anchor(fragment);
    let leadsOut = false;
    for (const candidate of pointer === undefined ? [] : alike(pointer)) {
      const found = this.walk(candidate, 0);
      const { value: schema } = found;
      leadsOut ||= found.leadsOut === true;
      if (isObject(schema) || typeof schema === 'boolean')
        return { kind: 'local', pointer: candidate, schema };
    }
    return { kind: leadsOut ? 'external' : 'missing' };
  }

  private anchor(name: string): string | undefined {
    this.anchors ??= findAnchors(this.root);
    return this.anchors.get(name);
  }
}

function hasOwn(value: Json | undefined, step: string): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step);
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const V2 = '/definitions/';
const V3 = '/components/schemas/';

/** Half-converted documents refer to the one place and keep their schemas in the other. */
function alike(pointer: string): readonly string[] {
  if (pointer.startsWith(V2)) return [pointer, V3 + pointer.slice(V2.length)];
  if (pointer.startsWith(V3)) return [pointer, V2 + pointer.slice(V3.length)];
  return [pointer];
}

function onlyReference(schema: Json): string | undefined {
  if (!isObject(schema) || Object.keys(schema).length !== 1) return undefined;
  return typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined;
}

function findAnchors(root: Json): Map<string, string> {
  const anchors = new Map<string, string>();
  const walk = (value: Json, pointer: string) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (
        (key === '$anchor' || key === '$dynamicAnchor') &&
        typeof inner === 'string' &&
        !anchors.has(inner)
      ) {
        anchors.set(inner, pointer);
      }
      walk(inner, below(pointer, key));
    }
  };
  walk(root, '');
  return anchors;
}

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
function placeReferences(root: Json): void {
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
