import { definitionNamed, entriesOf, isObject, type Json, type JsonObject } from '../../documents/json.js';
import { conditionsOf } from './conditions.js';
import { objectShape } from './object-shape.js';
import type { ObjectShape } from './shape.js';
import { SchemaSource } from './source.js';

/** What makers of models refuse at the root of an input schema, and what says the same of all arguments. */
const MERGED = ['$ref', 'allOf', 'anyOf', 'oneOf'];
const REFUSED = new Set([...MERGED, 'not', 'enum', 'const']);

/**
 * Makes the root an object that lists all arguments: alternatives and parts are merged as those of a body are; what can't be
 * merged is left out, so that more is accepted than before.
 */
export function fitRoot(schema: JsonObject, changes: Set<string>): JsonObject {
  return withProperties(withoutRefused(schema, changes));
}

/** Without them at all, one maker refuses what takes no arguments. */
function withProperties(schema: JsonObject): JsonObject {
  return schema['properties'] === undefined ? { ...schema, properties: {} } : schema;
}

function withoutRefused(schema: JsonObject, changes: Set<string>): JsonObject {
  const refused = Object.keys(schema).filter((keyword) => REFUSED.has(keyword));
  if (refused.length === 0) return schema['type'] === 'object' ? schema : { ...schema, type: 'object' };
  const plain = without(schema, refused);
  const merged = refused.filter((keyword) => MERGED.includes(keyword));
  // Its patterns stay beside what is merged, so they leave nothing more open.
  const composed = {
    ...without(plain, ['patternProperties']),
    ...Object.fromEntries(merged.map((keyword) => [keyword, schema[keyword] as Json])),
  };
  const shape =
    merged.length > 0
      ? objectShape({ ...composed, type: 'object' }, new SchemaSource(schema, '/$defs/'), cutBefore)
      : undefined;
  const lost = shape === undefined ? refused : refused.filter((keyword) => !merged.includes(keyword));
  if (shape !== undefined) changes.add(`the parts at its root (${merged.join(', ')}) were merged`);
  if (lost.length > 0) changes.add(`${lost.join(', ')} at its root was left out`);
  return withUsedDefinitions({ ...(shape === undefined ? plain : rootOf(plain, shape)), type: 'object' });
}

/** Schemas that are parts of themselves were cut, and told of, where they were read. */
const cutBefore = (): void => undefined;

function rootOf(plain: JsonObject, shape: ObjectShape): JsonObject {
  const { properties, required, additional, choices, description } = shape;
  const isClosed = additional === false && plain['patternProperties'] === undefined;
  const names = { given: [...required], possible: [...properties.keys()] };
  const rest = without(plain, ['properties', 'required', 'additionalProperties', 'unevaluatedProperties']);
  return {
    ...rest,
    ...(description !== undefined && plain['description'] === undefined && { description }),
    properties: Object.fromEntries(properties),
    ...(required.size > 0 && { required: [...required] }),
    ...(additional !== undefined && { additionalProperties: additional }),
    // A condition of its own has the one place that there is.
    ...(rest['if'] === undefined && conditionsOf({ shape, choices, ...names, isClosed })),
  };
}

function without(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** Leaves out the definitions that only what was merged referred to. */
function withUsedDefinitions({ $defs, ...root }: JsonObject): JsonObject {
  const all = new Map(entriesOf($defs));
  const used = new Set<string>();
  const collect = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    const reference = isObject(value) ? value['$ref'] : undefined;
    const name = typeof reference === 'string' ? definitionNamed(reference) : undefined;
    if (name !== undefined && all.has(name) && !used.has(name)) {
      used.add(name);
      collect(all.get(name) ?? null);
    }
    for (const inner of Object.values(value)) collect(inner);
  };
  collect(root);
  const kept = [...all].filter(([name]) => used.has(name));
  return kept.length === 0 ? root : { ...root, $defs: Object.fromEntries(kept) };
}
