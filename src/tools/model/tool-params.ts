import { parse, v5 } from 'uuid';
import { isObject } from '../../documents/json.js';

/** One argument of a tool, as the catalog shows it (docs/contract.md, section 7). */
export interface ToolParam {
  readonly name: string;
  readonly type: ParamType;
  readonly required: boolean;
  readonly description?: string;
  readonly default?: unknown;
  /** The property's schema; its `$ref`s are those of the tool's input schema. */
  readonly schema: unknown;
  /** From 0. */
  readonly order: number;
}

/** Gives the ids of the params of a tool, the same at every version: UUIDs v5 of their names. */
export function paramIds(toolId: string): (name: string) => string {
  const namespace = parse(toolId);
  return (name) => v5(name, namespace);
}

export const paramTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;
export type ParamType = (typeof paramTypes)[number];

type Schema = Readonly<Record<string, unknown>>;

/**
 * The properties of a tool's logical input schema, one param each.
 * Required ones first as the schema lists them, the rest by name: the members of a stored schema have no order.
 */
export function paramsOf(inputSchema: Schema): readonly ToolParam[] {
  const properties = asSchema(inputSchema['properties']);
  const required = new Set(listOf(inputSchema['required']).filter((name) => typeof name === 'string'));
  const root: Root = { schema: inputSchema, left: MAX_CHOICES, known: new Map() };
  const known = new Set([
    ...[...required].filter((name) => Object.hasOwn(properties, name)),
    ...Object.keys(properties).sort(),
  ]);
  return [...known].map((name, order) => {
    const schema = properties[name];
    const resolved = resolve(schema, inputSchema);
    // By itself, so that the order of the params changes none of their types.
    root.known.clear();
    return {
      name,
      type: typeOf(resolved, root) ?? 'object',
      required: required.has(name),
      ...described(resolved['description']),
      ...(resolved['default'] !== undefined && { default: resolved['default'] }),
      schema,
      order,
    };
  });
}

function described(description: unknown): { readonly description?: string } {
  return typeof description === 'string' && description !== '' ? { description } : {};
}

/** Choices that are looked at for the types of all params: a schema whose choices lead back to it has no end of them. */
const MAX_CHOICES = 20_000;

interface Root {
  readonly schema: Schema;
  /** How many choices may still be looked at. */
  left: number;
  /** Types of what choices refer to, by reference; undefined also of what is being looked at, since it leads back. */
  readonly known: Map<string, ParamType | undefined>;
}

/** The type that a schema names, or that its keywords imply; the first one where it allows several. */
function typeOf(schema: Schema, root: Root, depth = 0): ParamType | undefined {
  const named = listOf(schema['type']).find(isParamType);
  if (named !== undefined) return named;
  const values = listOf(schema['const'] ?? schema['enum']).filter(
    (value) => value !== null && value !== undefined,
  );
  if (values.length > 0) return typeOfValue(values[0]);
  if ('properties' in schema || 'additionalProperties' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  if (depth === MAX_STEPS) return undefined;
  for (const word of ['allOf', 'anyOf', 'oneOf']) {
    for (const choice of listOf(schema[word])) {
      root.left -= 1;
      if (root.left < 0) return undefined;
      const type = typeOfChoice(choice, root, depth + 1);
      if (type !== undefined) return type;
    }
  }
  return undefined;
}

function typeOfChoice(choice: unknown, root: Root, depth: number): ParamType | undefined {
  const { $ref: ref, ...beside } = asSchema(choice);
  const isAlone = typeof ref === 'string' && Object.keys(beside).length === 0;
  if (!isAlone) return typeOf(resolve(choice, root.schema), root, depth);
  if (root.known.has(ref)) return root.known.get(ref);
  root.known.set(ref, undefined);
  const type = typeOf(resolve(choice, root.schema), root, depth);
  root.known.set(ref, type);
  return type;
}

function typeOfValue(value: unknown): ParamType {
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return isParamType(type) ? type : 'object';
}

/** References followed in a row; more are a circle. */
const MAX_STEPS = 8;

/** Follows `#/$defs/…`, the only references that a stored input schema holds. */
function resolve(schema: unknown, root: Schema): Schema {
  let found = asSchema(schema);
  for (let step = 0; step < MAX_STEPS; step++) {
    const ref = found['$ref'];
    if (typeof ref !== 'string' || !ref.startsWith('#/')) break;
    const target = ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, name) => asSchema(at)[unescaped(name)], root);
    found = { ...asSchema(target), ...without$ref(found) };
  }
  return found;
}

function without$ref(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([word]) => word !== '$ref'));
}

/** A step of an RFC 6901 pointer in a URI fragment. */
function unescaped(step: string): string {
  const pointer = /%[0-9a-f]{2}/i.test(step) ? decoded(step) : step;
  return pointer.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function asSchema(value: unknown): Schema {
  return isObject(value) ? value : {};
}

const knownTypes: ReadonlySet<unknown> = new Set(paramTypes);

function isParamType(type: unknown): type is ParamType {
  return knownTypes.has(type);
}

const nothing: readonly unknown[] = [];

/** What a keyword holds, by itself or in a list; of thousands of params most hold nothing, for which no list is made. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return nothing;
  return Array.isArray(value) ? value : [value];
}
