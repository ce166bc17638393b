import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../documents/json.js';
import { sampleValues } from './sample-values.js';

it.each<[what: string, schema: JsonObject, values: readonly unknown[]]>([
  ['an enum', { type: 'string', enum: ['a', 'b', 1] }, ['a', 'b', 1]],
  ['a range, both ends of it', { type: 'integer', minimum: 2, exclusiveMaximum: 9 }, [2, 8]],
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
  expect(sampleValues(schema)).toEqual(values);
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
  const values = sampleValues(schema as unknown as JsonObject);
  expect(values.length).toBeGreaterThan(20);
  expect(values.filter((value) => !fits(value))).toEqual([]);
});

it('shows what somebody asks for in objects that take any member', () => {
  const values = sampleValues({ type: 'object' }, ['asked']);
  expect(values).toContainEqual({ asked: 'text' });
  expect(values).toContainEqual({ asked: null });
});
