import type { Json } from '../imported.js';
import { isObject, stepsOf } from '../json-reading.js';
import { shortHash } from '../short-hash.js';

/** Where a reference leads: to a schema in the document, out of it, or nowhere. */
export type Target =
  | { readonly kind: 'local'; readonly pointer: string; readonly schema: Json }
  | { readonly kind: 'external' | 'missing' };

/**
 * The document that references are followed in. Nothing outside of it is ever looked at: a reference to a file or
 * an address is `external`, whatever it names.
 */
export class SchemaSource {
  private anchors: Map<string, string> | undefined;

  constructor(
    readonly root: Json,
    /** Pointer before the names that stay as they are in `$defs`: `/components/schemas/`. */
    readonly namespace: string,
  ) {}

  /** Follows a reference, and references that stand alone at its end. */
  find(reference: string): Target {
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

  /** The value at an RFC 6901 pointer, over own members alone. */
  at(pointer: string): Json | undefined {
    let value: Json | undefined = this.root;
    for (const step of stepsOf(pointer)) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
      value = (value as Record<string, Json>)[step];
    }
    return value;
  }

  /** Name of a definition under `$defs`; depends on nothing but its place. */
  nameOf(pointer: string): string {
    const last = pointer.slice(pointer.lastIndexOf('/') + 1);
    const isNamed = pointer === this.namespace + last;
    if (isNamed && /^[\w.-]{1,100}$/.test(last)) return last;
    return `${last.replace(/[^\w.-]+/g, '_').slice(0, 60)}-${shortHash(pointer)}`;
  }

  private step(reference: string): Target {
    if (!reference.startsWith('#')) return { kind: reference.trim() === '' ? 'missing' : 'external' };
    const fragment = decode(reference.slice(1));
    const pointer = fragment === '' || fragment.startsWith('/') ? fragment : this.anchor(fragment);
    for (const candidate of pointer === undefined ? [] : alike(pointer)) {
      const schema = this.at(candidate);
      if (isObject(schema) || typeof schema === 'boolean')
        return { kind: 'local', pointer: candidate, schema };
    }
    return { kind: 'missing' };
  }

  private anchor(name: string): string | undefined {
    this.anchors ??= findAnchors(this.root);
    return this.anchors.get(name);
  }
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
