import { isObject, stepsOf, textMember, type Json } from '../../documents/json.js';
import { shortHash } from '../short-hash.js';

/** Where a reference leads: to a schema in the document, out of it, or nowhere. */
export type Target =
  | { readonly kind: 'local'; readonly pointer: string; readonly schema: Json }
  | { readonly kind: 'external' | 'missing' };

/** References that one pointer leads through. */
const MOST_HOPS = 8;

/**
 * The document that references are followed in. Nothing outside of it is ever looked at: a reference to a file or
 * an address is `external`, whatever it names.
 */
export class SchemaSource {
  private anchors: Map<string, string> | undefined;
  /** What was found: most references stand in many places. */
  private readonly found = new Map<string, Target>();
  private readonly names = new Map<string, string>();

  constructor(
    readonly root: Json,
    /** Pointer before the names that stay as they are in `$defs`: `/components/schemas/`. */
    readonly namespace: string,
  ) {}

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
      if (through?.startsWith('#/') && hops < MOST_HOPS) {
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
      walk(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
  };
  walk(root, '');
  return anchors;
}
