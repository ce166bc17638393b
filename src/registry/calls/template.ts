import { below, isObject, type Json, type JsonObject } from '../../documents/json.js';

/**
 * A value in which some texts stand for others: `$title` for the parameter or step of that name, `$issue.project.id` and
 * `$issues.nodes.0.id` for a part of it, and `$$` at the beginning of a text for a dollar sign. Nothing else is computed.
 */
export type Template = Json;

/** Parameters and results of steps, by name; what was left out is missing. */
export type Scope = Readonly<Record<string, Json>>;

export interface Reference {
  readonly name: string;
  /** Members and places of items, from the named value inward. */
  readonly path: readonly string[];
  /** Of the text in the template. */
  readonly pointer: string;
}

const reference = /^\$([A-Za-z_][A-Za-z0-9_]*)((?:\.(?:[A-Za-z_][A-Za-z0-9_]*|0|[1-9]\d{0,5}))*)$/;

function referenceIn(text: string, pointer = ''): Reference | undefined {
  const [, name, path = ''] = reference.exec(text) ?? [];
  return name === undefined ? undefined : { name, path: path.split('.').slice(1), pointer };
}

/** What every object inherits: no path leads there. */
const inherited = new Set(['__proto__', 'constructor', 'prototype']);

/** The step of a reference that would lead to what every object inherits; undefined where none does. */
export function inheritedStep({ name, path }: Pick<Reference, 'name' | 'path'>): string | undefined {
  return [name, ...path].find((step) => inherited.has(step));
}

/** Lists what a template refers to, with the places. */
export function referencesIn(template: Template | undefined, pointer: string): Reference[] {
  if (typeof template === 'string')
    return [referenceIn(template, pointer)].filter((each) => each !== undefined);
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([key, member]) => referencesIn(member, below(pointer, key)));
}

/**
 * Puts the values in. What was left out is left out of the object or list that it stands in, and so is null, but for the
 * names of `keepNull`. Undefined where the template itself is such a text.
 */
export function filled(template: Template, scope: Scope, keepNull: readonly string[] = []): Json | undefined {
  if (typeof template === 'string') {
    const found = referenceIn(template);
    if (found === undefined) return template.startsWith('$$') ? template.slice(1) : template;
    const value = partAt(scope, [found.name, ...found.path]);
    return value === null && !keepNull.includes(found.name) ? undefined : value;
  }
  if (Array.isArray(template)) {
    return template
      .map((item: Json) => filled(item, scope, keepNull))
      .filter((item): item is Json => item !== undefined);
  }
  if (!isObject(template)) return template;
  return filledObject(template, scope, keepNull);
}

export function filledObject(
  template: JsonObject,
  scope: Scope,
  keepNull: readonly string[] = [],
): JsonObject {
  const members = Object.entries(template).flatMap(([name, member]): [string, Json][] => {
    const value = filled(member, scope, keepNull);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

/** What stands at the path, by members and places of items that are the value's own. */
export function partAt(value: Json | Scope | undefined, path: readonly string[]): Json | undefined {
  let part = value as Json | undefined;
  for (const step of path) part = ownMember(part, step);
  return part;
}

function ownMember(value: unknown, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const found: unknown = Reflect.get(value, name);
  // The length of a list is no item of it.
  return Array.isArray(value) && !/^\d+$/.test(name) ? undefined : (found as Json);
}
