import { BoundedAjv } from './validator.js';
import { MAX_COUNTED } from './faults.js';

const half = 500_000;
const many = (value: unknown): unknown[] => Array.from({ length: half }, () => value);

describe('errors of a value', () => {
  const check = new BoundedAjv({ useDefaults: true, ownProperties: true }).compile({
    type: 'object',
    additionalProperties: false,
    properties: {
      names: { type: 'array', maxItems: 3, uniqueItems: true, items: { type: 'string' } },
      kinds: { type: 'array', uniqueItems: true, items: { enum: ['a', 'b', { c: 1 }] } },
      rows: {
        type: 'array',
        items: { type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 2 } } },
      },
      either: {
        type: 'array',
        items: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'array' }] },
      },
      nested: { $ref: '#/$defs/node' },
      limit: { type: 'integer', default: 5 },
    },
    $defs: {
      node: { type: 'object', properties: { in: { type: 'array', items: { $ref: '#/$defs/node' } } } },
    },
  });

  it('are none of one that is right, and defaults are filled in', () => {
    const value = { either: [many(1)] };
    expect(check(value)).toEqual([]);
    expect(value).toMatchObject({ limit: 5 });
  });

  it.each<[string, object]>([
    ['items of a wrong type', { names: many(1) }],
    ['items that are compared with each other', { kinds: many({}) }],
    ['rows that lack a member', { rows: many({}) }],
    ['members that are not known', Object.fromEntries(many(0).map((_, at) => [`m${String(at)}`, 1]))],
    ['parts that are of the shape of the whole', { nested: { in: many({ in: [1, 2] }) } }],
  ])('are no more than are counted: %s', (_, value) => {
    const errors = check(value);
    expect(errors.length).toBeGreaterThanOrEqual(MAX_COUNTED);
    expect(errors.length).toBeLessThan(3 * MAX_COUNTED);
  });

  it('are all of a value with a few, wherever they stand', () => {
    const rows = many({ a: 'aa' });
    rows[half - 2] = { a: 'a' };
    rows[half - 1] = {};
    const errors = check({ names: ['a', 'a', 'b', 2], rows, other: 1 });
    expect(errors.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)).toEqual([
      ' additionalProperties',
      '/names maxItems',
      '/names/3 type',
      '/names uniqueItems',
      '/rows/499998/a minLength',
      '/rows/499999 required',
    ]);
  });

  it('hold no value, and are not kept', () => {
    const error = check({ names: many(1) }).findLast(({ keyword }) => keyword === 'type');
    expect(error).not.toHaveProperty('data');
    expect(error).toHaveProperty('parentSchema', { type: 'string' });
  });

  it('tell what is wrong where only a branch that was given up could', () => {
    const rule = { anyOf: [{ items: { type: 'string' } }, { items: { type: 'number' } }] };
    const branches = new BoundedAjv({ strict: false }).compile(rule);
    expect(branches(many(true)).length).toBeGreaterThan(0);
    expect(branches(many(1))).toEqual([]);
  });
});

it('checks values by schemas for which ajv alone makes code that fails', () => {
  const inner = {
    patternProperties: { '^a': { type: 'null' } },
    oneOf: [{ oneOf: [true, false] }, { properties: { a: true }, propertyNames: false }],
  };
  const check = new BoundedAjv({ strict: false }).compile({ type: 'object', properties: { inner } });
  expect(check({ inner: { a: null } })).toEqual([]);
  expect(check({ inner: { a: 1 } })).toHaveLength(1);
  const closed = { properties: { a: true }, unevaluatedProperties: false };
  expect(new BoundedAjv({ strict: false }).compile(closed)({ a: 1, b: 2 })).toHaveLength(1);
});
