import type { WarningSink } from '../../documents/findings.js';
import {
  below,
  byCodePoint,
  entriesOf,
  isObject,
  listMember,
  member,
  objectMember,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { discriminatorOf, noteBase, type Discriminator } from '../schema/discriminator.js';

/** Subtypes beyond which none is offered: no model would choose among them. */
const MAX_SUBTYPES = 32;
/** References that one name leads through. */
const MAX_HOPS = 8;

/**
 * Writes out, in place, what `discriminator` says of a schema that names no subtypes itself: those that are composed of it by
 * `allOf`, and those of its mapping, become branches of its `anyOf`. Subtypes go on being composed of its own members alone,
 * which are kept within it, under `$defs`: else parent and child would hold each other.
 */
export function writeSubtypes(root: JsonObject, warnings: WarningSink): void {
  const families = new Families(namedSchemas(root), warnings);
  families.write();
}

/** A schema that has a name, and what holds it. */
interface Named {
  readonly holder: JsonObject;
  readonly key: string;
  /** The key; of a file its name without the ending. */
  readonly name: string;
}

/** Finds them by their pointers; in an upload of several files, these and what stands at their tops are schemas, too. */
function namedSchemas(root: JsonObject): ReadonlyMap<string, Named> {
  const found = new Map<string, Named>();
  const add = (holder: Json | undefined, at: string): void => {
    for (const [key, schema] of entriesOf(holder)) {
      const name = key.replace(/^.*\//, '').replace(/\.(ya?ml|json)$/i, '');
      if (isObject(schema)) found.set(below(at, key), { holder: holder as JsonObject, key, name });
    }
  };
  const addAll = (document: Json, at: string): void => {
    add(member(member(document, 'components'), 'schemas'), below(at, 'components', 'schemas'));
    add(member(document, 'definitions'), below(at, 'definitions'));
  };
  addAll(root, '');
  const files = objectMember(root, 'files');
  add(files, '/files');
  for (const [path, document] of entriesOf(files)) {
    add(document, below('/files', path));
    addAll(document, below('/files', path));
  }
  return found;
}

interface Parent {
  readonly discriminator: Discriminator;
  /** Pointers of the subtypes to offer; none where the schema has branches of its own. */
  readonly offered: readonly string[];
}

class Families {
  private readonly parents: ReadonlyMap<string, Parent>;
  /** Schemas by what they are composed of. */
  private readonly children = new Map<string, string[]>();

  constructor(
    private readonly named: ReadonlyMap<string, Named>,
    private readonly warnings: WarningSink,
  ) {
    const found = [...named.keys()].flatMap((pointer): [string, Discriminator][] => {
      const discriminator = discriminatorOf(this.at(pointer));
      return discriminator ? [[pointer, discriminator]] : [];
    });
    if (found.length > 0) this.findChildren();
    this.parents = new Map(
      found.flatMap(([pointer, discriminator]): [string, Parent][] => {
        const parent = this.parent(pointer, discriminator);
        return parent ? [[pointer, parent]] : [];
      }),
    );
  }

  write(): void {
    if (this.parents.size === 0) return;
    const written = [...this.named.keys()].map((pointer) => [pointer, this.written(pointer)] as const);
    for (const [pointer, schema] of written) {
      const place = this.named.get(pointer);
      if (place) place.holder[place.key] = schema;
    }
  }

  private at(pointer: string): JsonObject {
    const place = this.named.get(pointer);
    return (place && objectMember(place.holder, place.key)) ?? {};
  }

  private nameOf(pointer: string): string {
    return this.named.get(pointer)?.name ?? '';
  }

  private findChildren(): void {
    for (const pointer of this.named.keys()) {
      for (const part of listMember(this.at(pointer), 'allOf')) {
        const parent = this.find(textMember(part, '$ref'));
        if (parent === undefined || parent === pointer) continue;
        const others = this.children.get(parent);
        if (others) others.push(pointer);
        else this.children.set(parent, [pointer]);
      }
    }
  }

  /** The pointer of the schema that a reference, or a target of a mapping, leads to. */
  private find(target: string | undefined): string | undefined {
    let next = target;
    for (let hop = 0; hop < MAX_HOPS && next !== undefined; hop++) {
      const places = next.startsWith('#')
        ? [decoded(next.slice(1))]
        : ['/components/schemas', '/definitions'].map((at) => below(at, next ?? ''));
      const pointer = places.find((place) => this.named.has(place));
      const schema = pointer === undefined ? {} : this.at(pointer);
      const reference = textMember(schema, '$ref');
      if (reference === undefined || Object.keys(schema).length > 1) return pointer;
      next = reference;
    }
    return undefined;
  }

  private parent(pointer: string, discriminator: Discriminator): Parent | undefined {
    const schema = this.at(pointer);
    const composed = this.descendants(pointer);
    if (['oneOf', 'anyOf'].some((keyword) => listMember(schema, keyword).length > 0))
      return composed.length > 0 ? { discriminator, offered: [] } : undefined;
    const mapped = discriminator.mapping.map(([, target]) => this.find(target));
    const own = valuesOf(member(member(schema, 'properties'), discriminator.property));
    const found = new Set([...composed, ...mapped.filter((target) => target !== undefined)]);
    if (found.size > 0 && own.includes(this.nameOf(pointer))) found.add(pointer);
    if (found.size === 0 || (found.size === 1 && found.has(pointer))) return undefined;
    if (found.size <= MAX_SUBTYPES) return { discriminator, offered: [...found].sort(byCodePoint) };
    const detail = `This schema has ${String(found.size)} subtypes, too many to choose from; only its own members are offered.`;
    this.warnings.warn('schema_pruned', pointer, detail);
    return undefined;
  }

  private descendants(pointer: string): readonly string[] {
    const found = new Set([pointer]);
    for (const next of found) for (const child of this.children.get(next) ?? []) found.add(child);
    found.delete(pointer);
    return [...found];
  }

  private written(pointer: string): JsonObject {
    const schema = this.at(pointer);
    const { allOf } = schema;
    const composed = Array.isArray(allOf)
      ? { ...schema, allOf: allOf.map((part) => this.onBase(part)) }
      : schema;
    const parent = this.parents.get(pointer);
    if (!parent) return composed;
    const { discriminator: _discriminator, oneOf: _oneOf, anyOf: _anyOf, ...base } = composed;
    const $defs: JsonObject = { ...objectMember(schema, '$defs'), [this.nameOf(pointer)]: base };
    if (parent.offered.length === 0) return { ...composed, $defs };
    const whole = { ...base, ...this.offer(pointer, base, parent), $defs };
    noteBase(whole, base);
    return whole;
  }

  /** A part of a subtype: of its parent the own members alone. */
  private onBase(part: Json): Json {
    const parent = this.find(textMember(part, '$ref'));
    if (!isObject(part) || parent === undefined || !this.parents.has(parent)) return part;
    return { ...part, $ref: this.referenceTo(parent) };
  }

  /** A reference to a subtype, of one with subtypes itself to its own members alone. */
  private referenceTo(pointer: string): string {
    const isParent = this.parents.has(pointer);
    return `#${encodeURI(isParent ? below(pointer, '$defs', this.nameOf(pointer)) : pointer)}`;
  }

  private offer(parent: string, base: JsonObject, { discriminator, offered }: Parent): JsonObject {
    const { property, mapping } = discriminator;
    const own = member(base['properties'], property);
    const known = valuesOf(own);
    const pairs = offered.flatMap((pointer): [string, string][] => {
      const mapped = mapping.filter(([, target]) => this.find(target) === pointer).map(([value]) => value);
      const limits = this.limitsOf(pointer, property, new Set([parent]));
      const values = [mapped, limits, [this.ownValue(pointer, known)]].find(({ length }) => length > 0) ?? [];
      return values.map((value) => [value, this.referenceTo(pointer)]);
    });
    const values = [...new Set(pairs.map(([value]) => value))].sort(byCodePoint);
    return {
      ...(isPlainText(own) && {
        properties: { ...objectMember(base, 'properties'), [property]: { ...own, enum: values } },
      }),
      anyOf: offered.map((pointer) => ({ $ref: this.referenceTo(pointer) })),
      discriminator: { propertyName: property, mapping: Object.fromEntries(pairs) },
    };
  }

  /** Values that a subtype itself limits the property to, or the nearest of what it is composed of below the parent. */
  private limitsOf(pointer: string, property: string, seen: Set<string>): readonly string[] {
    if (seen.has(pointer)) return [];
    seen.add(pointer);
    const within = (schema: Json): readonly string[] => {
      const own = valuesOf(member(member(schema, 'properties'), property));
      if (own.length > 0) return own;
      const target = this.find(textMember(schema, '$ref'));
      const parts = listMember(schema, 'allOf').map(within);
      if (target !== undefined) parts.push(this.limitsOf(target, property, seen));
      return parts.find(({ length }) => length > 0) ?? [];
    };
    return within(this.at(pointer));
  }

  /** The schema's name, in the case that the parent lists it in. */
  private ownValue(pointer: string, known: readonly string[]): string {
    const schema = this.at(pointer);
    const said =
      textMember(schema, 'x-ms-discriminator-value') ??
      textMember(schema, 'x-discriminator-value') ??
      this.nameOf(pointer);
    return known.find((value) => value.toLowerCase() === said.toLowerCase()) ?? said;
  }
}

/** Values that a property is limited to. */
function valuesOf(property: Json | undefined): readonly string[] {
  const listed = listMember(property, 'enum').filter((value) => typeof value === 'string');
  const constant = member(property, 'const');
  return typeof constant === 'string' ? [constant] : listed;
}

/** Any text: values can be written beside it. */
function isPlainText(property: Json | undefined): property is JsonObject {
  if (!isObject(property)) return false;
  const limits = ['$ref', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'format', 'pattern'];
  return property['type'] === 'string' && !limits.some((keyword) => keyword in property);
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
