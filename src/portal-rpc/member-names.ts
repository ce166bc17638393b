/** Names of members in camelCase and in snake_case. Only names that a schema declares are changed: data stays as it is. Pure. */
import type { JSONSchema } from 'json-schema-to-ts';
import { isObject } from '../../packages/schema-reading/keywords.js';

/** `skillId` as `skill_id`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Whether an object names any member in snake_case. */
export function isSnakeCase(value: object): boolean {
  return Object.keys(value).some((name) => name.includes('_'));
}

/** The value with the names that the schema declares in snake_case; those of free-form members, such as schemas, as they are. */
export function inSnakeCase(value: unknown, schema: JSONSchema): unknown {
  return renamed(value, [schema], snakeCase);
}

/** The value with what is meant for a name that the schema declares under that name: `skill_id` for `skillId`. */
export function asDeclared(value: unknown, schema: JSONSchema): unknown {
  return renamed(value, [schema], (name) => name);
}

type Declared = Exclude<JSONSchema, boolean>;

function renamed(value: unknown, schemas: readonly JSONSchema[], nameOf: (name: string) => string): unknown {
  if (!Array.isArray(value) && !isObject(value)) return value;
  const all = schemas.flatMap(alternatives);
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: each }) => (isSchema(each) ? [each] : []));
    return value.map((item) => renamed(item, items, nameOf));
  }
  const declared = Object.keys(Object.assign({}, ...all.map(({ properties }) => properties)) as object);
  const meant = new Map(
    declared.flatMap((name) => [[name, name] as const, [snakeCase(name), name] as const]),
  );
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const name = meant.get(key);
      if (name === undefined) return [key, renamed(member, restOf(all), nameOf)];
      const own = all.flatMap(({ properties }) => schemaAt(properties, name));
      return [nameOf(name), renamed(member, own, nameOf)];
    }),
  );
}

/** A schema, and all that it may be besides. */
function alternatives(schema: JSONSchema): Declared[] {
  if (typeof schema === 'boolean') return [];
  const { anyOf = [], oneOf = [], allOf = [] } = schema;
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(alternatives)];
}

/** What members have that are not declared by name. */
function restOf(schemas: readonly Declared[]): JSONSchema[] {
  return schemas.flatMap(({ additionalProperties }) =>
    isSchema(additionalProperties) ? [additionalProperties] : [],
  );
}

function schemaAt(properties: Declared['properties'], name: string): JSONSchema[] {
  const found = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isSchema(found) ? [found] : [];
}

function isSchema(value: unknown): value is Declared {
  return isObject(value);
}
