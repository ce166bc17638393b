import type { Json, JsonObject } from '../packages/schema-reading/keywords.js';
import type { ToolInterface } from '../packages/tool-clients/tool-interface.js';
import { aTool } from './hostile-tools.js';

const list = (count: number, each: (place: number) => Json): Json[] =>
  Array.from({ length: count }, (_, place) => each(place));
const named = (count: number, each: (place: number) => Json, prefix = 'd'): JsonObject =>
  Object.fromEntries(list(count, each).map((value, place) => [prefix + String(place), value]));
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const member = (a: JsonObject): JsonObject => object({ a });

/** A schema within itself a number of times. */
export const nested = (levels: number, within: (schema: JsonObject) => JsonObject): JsonObject =>
  list(levels, () => 0).reduce<JsonObject>((schema) => within(schema), { type: 'string' });

export const groups = (levels: number): string => '('.repeat(levels) + 'a' + ')'.repeat(levels);

/** Definitions that each lead to the next. */
const chain = (count: number, to: (next: Json) => JsonObject): JsonObject => ({
  ...member({ $ref: '#/$defs/d0' }),
  $defs: {
    ...named(count, (place) => to({ $ref: `#/$defs/d${String(place + 1)}` })),
    [`d${String(count)}`]: {},
  },
});

/** Two chains of objects that both hold of one argument. */
const bothChains = (count: number): JsonObject => ({
  ...member({ allOf: [{ $ref: '#/$defs/x0' }, { $ref: '#/$defs/y0' }] }),
  $defs: Object.assign(
    {},
    ...['x', 'y'].map((side) => ({
      ...named(count, (place) => object({ next: { $ref: `#/$defs/${side}${String(place + 1)}` } }), side),
      [side + String(count)]: { type: 'string' },
    })),
  ) as JsonObject,
});

/** Of which a module is made, as large or as deep as a spec may be, or deeper. */
const schemas: Readonly<Record<string, JsonObject>> = {
  groups: member({ type: 'string', pattern: groups(50) }),
  many_groups: member({ type: 'string', pattern: groups(900) }),
  optional_groups: member({ type: 'string', pattern: '(a'.repeat(50) + ')?'.repeat(50) }),
  looking_ahead: member({ type: 'string', pattern: '(?=a'.repeat(300) + ')'.repeat(300) }),
  repetitions: member({ type: 'string', pattern: '(?:ab{50000}c{50000}){8}' }),
  objects: nested(90, (schema) => member(schema)),
  lists: member(nested(190, (items) => ({ type: ['array', 'null'], items }))),
  maps: member(nested(190, (additionalProperties) => ({ type: ['object', 'null'], additionalProperties }))),
  tuples: member(
    nested(90, (place) => ({ type: ['array', 'null'], prefixItems: [{ type: 'integer' }, place] })),
  ),
  alternatives: member(nested(60, (items) => ({ anyOf: [{ type: 'integer' }, { type: 'array', items }] }))),
  union: member({ anyOf: list(5_000, (place) => object({ [`p${String(place)}`]: { type: 'string' } })) }),
  constants: member({ enum: list(10_000, (place) => (place % 3 === 0 ? place : `v${String(place)}`)) }),
  arguments: object(named(4_900, () => ({ type: 'string', default: 'x' }))),
  long_texts: {
    ...object({
      ['n'.repeat(60_000)]: { type: 'string', default: 'y'.repeat(60_000) },
      list: { type: 'array', default: list(9_000, (place) => place) },
      number: { type: 'number', default: 1e308 },
      long: { $ref: `#/$defs/${'d'.repeat(20_000)}` },
    }),
    $defs: { ['d'.repeat(20_000)]: member({ type: 'string' }) },
  },
  chain_of_lists: chain(3_000, (items) => ({ type: 'array', items })),
  chain_of_names: chain(4_800, (next) => next as JsonObject),
  chain_of_alternatives: chain(1_500, (next) => ({ anyOf: [{ type: 'integer' }, next] })),
  both_chains: bothChains(600),
};

export const largeTools: readonly ToolInterface[] = Object.entries(schemas).map(([name, schema]) =>
  aTool(name, schema, { outputSchema: schema }),
);
