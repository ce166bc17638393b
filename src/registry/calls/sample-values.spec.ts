import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../../documents/json.js';
import { sampleValues } from './sample-values.js';
import { MOST_STEPS, SamplingSteps } from './sampling-steps.js';

it.each<[what: string, schema: JsonObject, values: readonly unknown[]]>([
  ['an enum', { type: 'string', enum: ['a', 'b', 1] }, ['a', 'b', 1]],
  ['a range, both ends of it', { type: 'integer', minimum: 2, exclusiveMaximum: 9 }, [2, 8]],
  [
    'a range of numbers, also one that is no integer',
    { type: 'number', minimum: -1, maximum: 1 },
    [-0.5, -1, 1],
  ],
  ['a range between two integers', { type: 'number', minimum: 0, maximum: 0.25 }, [0.125, 0, 0.25]],
  ['numbers that are integers', { type: 'number', minimum: 0, maximum: 4, multipleOf: 2 }, [0, 4]],
  ['several types', { type: ['boolean', 'null'] }, [true, false, null]],
  ['a text of some length', { type: 'string', minLength: 6, maxLength: 6 }, ['textxx']],
  ['a list, and the shortest one', { type: 'array', items: { enum: [1, 2] }, minItems: 1 }, [[1], [2], [1]]],
  ['a choice', { anyOf: [{ const: 1 }, { const: 'a' }] }, [1, 'a']],
  ['what is both', { allOf: [{ type: 'string' }, { enum: ['a', 1] }] }, ['a']],
  ['nothing', { anyOf: [false] }, []],
  [
    'an object: full, bare, without each, and with each other value',
    {
      type: 'object',
      properties: { a: { type: 'boolean' }, b: { const: 1 } },
      required: ['a'],
      additionalProperties: false,
    },
    [{ a: true, b: 1 }, { a: true }, { a: true }, { a: false, b: 1 }],
  ],
])('gives of %s each shape', (_what, schema, values) => {
  const steps = new SamplingSteps();
  expect(sampleValues(schema, [], steps)).toEqual(values);
  expect(steps.taken).toBeLessThan(MOST_STEPS / 10);
});

it('fits the schema', () => {
  const schema = {
    type: 'object',
    $defs: {
      node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, id: { type: 'integer' } } },
    },
    properties: {
      tree: { $ref: '#/$defs/node' },
      size: { type: 'number', minimum: 0.5, maximum: 2 },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'null' }], items: false },
      either: {
        oneOf: [
          { type: 'string', maxLength: 2 },
          { type: 'array', maxItems: 0 },
        ],
      },
    },
    required: ['size'],
  } as const;
  const fits = new Ajv2020({ strict: false }).compile(schema);
  const steps = new SamplingSteps();
  const values = sampleValues(schema as unknown as JsonObject, [], steps) ?? [];
  expect(steps.taken).toBeLessThan(MOST_STEPS / 10);
  expect(values.length).toBeGreaterThan(20);
  expect(values.filter((value) => !fits(value))).toEqual([]);
});

it('shows what somebody asks for in objects that take any member', () => {
  const values = sampleValues({ type: 'object' }, ['asked']);
  expect(values).toContainEqual({ asked: 'text' });
  expect(values).toContainEqual({ asked: null });
});

const self = { $ref: '#' };
const letters = 'a b c d e f g h i j'.split(' ');
const titles = { anyOf: letters.map((title) => ({ title })) };
const toSelf = (names: readonly string[]): JsonObject => ({
  properties: Object.fromEntries(names.map((name) => [name, self])),
});

it.each<[what: string, schema: JsonObject]>([
  ['alternatives', { anyOf: [self, self, self] }],
  ['many alternatives', { anyOf: letters.map(() => self) }],
  ['alternatives beside a title', { title: 'T', anyOf: [self, self, self] }],
  ['one of several', { oneOf: [self, self, self] }],
  ['alternatives in both ways', { anyOf: [self, self, self], oneOf: [self, self] }],
  ['all of alternatives', { allOf: [{ anyOf: [self, self] }, { anyOf: [self, self] }] }],
  ['all of itself', { allOf: [self, self, self] }],
  ['all of alternatives that refer to nothing', { allOf: letters.map(() => titles) }],
  ['members', { type: 'object', ...toSelf(letters) }],
  ['members that are needed', { type: 'object', ...toSelf(['a', 'b', 'c']), required: ['a', 'b', 'c'] }],
  ['further members', { type: 'object', ...toSelf(letters), additionalProperties: self }],
  ['places of a list', { type: 'array', prefixItems: letters.map(() => self) }],
  ['very many members', { type: 'object', properties: Object.fromEntries(names(5_000, { type: 'null' })) }],
  [
    'one large value beside many small ones',
    {
      type: 'object',
      properties: { large: { const: names(1_500, 0) as unknown as Json }, small: { enum: names(1_900, 0) } },
    },
  ],
])('leaves a schema that comes to too much by %s', (_what, schema) => {
  // A tenth of what a call may take, since each of these takes all that it may.
  const most = MOST_STEPS / 10;
  const steps = new SamplingSteps(most);
  expect(sampleValues({ ...schema, description: 'As it is written.' }, [], steps)).toBeUndefined();
  // What is taken last is taken whole.
  expect(steps.taken).toBeLessThan(most * 2);
});

function names<T>(count: number, value: T): [string, T][] {
  return Array.from({ length: count }, (_, place) => [`n${String(place)}`, value]);
}

it('compares two long enums in steps by the sum of their lengths, not by the product', () => {
  const taken = [1_000, 4_000].map((length) => {
    const list = { enum: names(length, 0).map(([name]) => name) };
    const steps = new SamplingSteps();
    expect(sampleValues({ allOf: [list, list] }, [], steps)).toHaveLength(Math.min(length, 2_000));
    return steps.taken;
  });
  expect(taken[1]).toBeLessThan((taken[0] ?? 0) * 5);
});

it('tries conditions of conditions, as filters have them, well within its budget', () => {
  const compared = { type: 'object', properties: Object.fromEntries(names(9, { type: 'string' })) };
  const schema = {
    $defs: {
      filter: {
        type: 'object',
        properties: {
          ...Object.fromEntries(names(12, compared)),
          and: { type: 'array', items: { $ref: '#/$defs/filter' } },
          or: { type: 'array', items: { $ref: '#/$defs/filter' } },
          not: { $ref: '#/$defs/filter' },
        },
      },
    },
    type: 'object',
    properties: { where: { $ref: '#/$defs/filter' } },
  };
  const steps = new SamplingSteps();
  const values = sampleValues(schema, [], steps);
  expect(values?.length).toBeGreaterThan(100);
  expect(steps.taken).toBeLessThan(MOST_STEPS / 2);
});
