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
import { discriminatorOf, type Discriminator } from '../schema/discriminator.js';

/** Subtypes beyond which none is offered: no model would choose among them. */
const MAX_SUBTYPES = 32;

/**
 * Writes out what `discriminator` says of a schema that names no subtypes itself: those that are composed of it by `allOf`,
 * and those of its mapping, become branches of its `anyOf`. Subtypes go on being composed of its own members alone, which
 * are kept within it, under `$defs`: else parent and child would hold each other.
 */
export function withSubtypes(root: JsonObject, warnings: WarningSink): JsonObject {
  const { components, definitions } = root;
  const schemas = objectMember(components, 'schemas');
  return {
    ...root,
    ...(isObject(definitions) && { definitions: new Families(definitions, '/definitions', warnings).all() }),
    ...(isObject(components) &&
      schemas && {
        components: { ...components, schemas: new Families(schemas, '/components/schemas', warnings).all() },
      }),
  };
}

interface Parent {
  readonly discriminator: Discriminator;
  /** Subtypes to offer, by name; none where the schema has branches of its own. */
  readonly offered: readonly string[];
}

class Families {
  private readonly parents: ReadonlyMap<string, Parent>;
  /** Schemas by what they are composed of. */
  private readonly children = new Map<string, string[]>();

  constructor(
    private readonly schemas: JsonObject,
    private readonly at: string,
    private readonly warnings: WarningSink,
  ) {
    const found = entriesOf(schemas).flatMap(([name, schema]): [string, Discriminator][] => {
      const discriminator = isObject(schema) ? discriminatorOf(schema) : undefined;
      return discriminator ? [[name, discriminator]] : [];
    });
    if (found.length > 0) this.findChildren();
    this.parents = new Map(
      found.flatMap(([name, discriminator]): [string, Parent][] => {
        const parent = this.parent(name, discriminator);
        return parent ? [[name, parent]] : [];
      }),
    );
  }

  all(): JsonObject {
    if (this.parents.size === 0) return this.schemas;
    return Object.fromEntries(
      entriesOf(this.schemas).map(([name, schema]) => [
        name,
        isObject(schema) ? this.written(name, schema) : schema,
      ]),
    );
  }

  private findChildren(): void {
    for (const [name, schema] of entriesOf(this.schemas)) {
      for (const part of listMember(schema, 'allOf')) {
        const parent = this.named(textMember(part, '$ref'));
        if (parent === undefined || parent === name) continue;
        const others = this.children.get(parent);
        if (others) others.push(name);
        else this.children.set(parent, [name]);
      }
    }
  }

  /** The name of the schema that a reference, or a target of a mapping, leads to. */
  private named(target: string | undefined): string | undefined {
    if (target === undefined) return undefined;
    const prefix = `#${this.at}/`;
    const name = target.startsWith(prefix) ? unescaped(target.slice(prefix.length)) : target;
    return Object.hasOwn(this.schemas, name) ? name : undefined;
  }

  private parent(name: string, discriminator: Discriminator): Parent | undefined {
    const schema = this.schemas[name];
    const composed = this.descendants(name);
    if (['oneOf', 'anyOf'].some((keyword) => listMember(schema, keyword).length > 0))
      return composed.length > 0 ? { discriminator, offered: [] } : undefined;
    const mapped = discriminator.mapping.map(([, target]) => this.named(target));
    const own = valuesOf(member(member(schema, 'properties'), discriminator.property));
    const names = new Set([...composed, ...mapped.filter((found) => found !== undefined)]);
    if (names.size > 0 && own.includes(name)) names.add(name);
    if (names.size === 0 || (names.size === 1 && names.has(name))) return undefined;
    if (names.size <= MAX_SUBTYPES) return { discriminator, offered: [...names].sort(byCodePoint) };
    const detail = `This schema has ${String(names.size)} subtypes, too many to choose from; only its own members are offered.`;
    this.warnings.warn('schema_pruned', `${this.at}/${name}`, detail);
    return undefined;
  }

  private descendants(name: string): readonly string[] {
    const found = new Set([name]);
    for (const next of found) for (const child of this.children.get(next) ?? []) found.add(child);
    found.delete(name);
    return [...found];
  }

  private written(name: string, schema: JsonObject): JsonObject {
    const { allOf } = schema;
    const composed = Array.isArray(allOf)
      ? { ...schema, allOf: allOf.map((part) => this.onBase(part)) }
      : schema;
    const parent = this.parents.get(name);
    if (!parent) return composed;
    const { discriminator: _discriminator, oneOf: _oneOf, anyOf: _anyOf, ...base } = composed;
    const $defs: JsonObject = { ...objectMember(schema, '$defs'), [name]: base };
    return parent.offered.length === 0
      ? { ...composed, $defs }
      : { ...base, ...this.offer(name, parent, base), $defs };
  }

  /** A part of a subtype: of its parent the own members alone. */
  private onBase(part: Json): Json {
    const parent = this.named(textMember(part, '$ref'));
    if (!isObject(part) || parent === undefined || !this.parents.has(parent)) return part;
    return { ...part, $ref: this.baseOf(parent) };
  }

  private baseOf(name: string): string {
    return `#${encodeURI(below(this.at, name, '$defs', name))}`;
  }

  private offer(name: string, { discriminator, offered }: Parent, base: JsonObject): JsonObject {
    const { property, mapping } = discriminator;
    const own = member(base['properties'], property);
    const known = valuesOf(own);
    const values = new Map(
      offered.map((subtype) => {
        const mapped = mapping.filter(([, target]) => this.named(target) === subtype).map(([value]) => value);
        return [subtype, mapped.length > 0 ? mapped : [this.ownValue(subtype, known)]];
      }),
    );
    const reference = (subtype: string): string =>
      this.parents.has(subtype) ? this.baseOf(subtype) : `#${encodeURI(below(this.at, subtype))}`;
    const pairs = [...values].flatMap(([subtype, names]) =>
      names.map((value) => [value, reference(subtype)]),
    );
    const all = [...values.values()].flat().sort(byCodePoint);
    return {
      ...(isPlainText(own) && {
        properties: { ...objectMember(base, 'properties'), [property]: { ...own, enum: [...new Set(all)] } },
      }),
      anyOf: offered.map((subtype) => ({ $ref: reference(subtype) })),
      discriminator: { propertyName: property, mapping: Object.fromEntries(pairs) as JsonObject },
    };
  }

  /** The schema's name, in the case that the parent lists it in. */
  private ownValue(name: string, known: readonly string[]): string {
    const schema = this.schemas[name];
    const said =
      textMember(schema, 'x-ms-discriminator-value') ?? textMember(schema, 'x-discriminator-value') ?? name;
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

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
