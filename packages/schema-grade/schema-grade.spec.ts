import { gradeInput, gradeOutput, type SchemaGrade } from './schema-grade.js';

const properties = {
  id: { type: 'string', description: 'An id' },
  limit: { type: 'integer', minimum: 1, maximum: 100 },
  state: { enum: ['open', 'closed'] },
  node: { $ref: '#/$defs/node' },
};
const { id, limit, state, node } = properties;
const base = {
  type: 'object',
  properties,
  required: ['id'],
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
};

const withProperties = (changed: object) => ({ ...base, properties: { ...properties, ...changed } });

describe('grading a schema change', () => {
  it.each<[change: string, input: SchemaGrade, output: SchemaGrade, after: object]>([
    ['nothing', 'none', 'none', structuredClone(base)],
    ['wording', 'none', 'none', withProperties({ id: { ...id, description: 'The id' } })],
    ['order of members', 'none', 'none', { ...base, properties: { node, state, limit, id } }],
    ['a new optional property', 'compatible', 'compatible', withProperties({ more: {} })],
    [
      'a new required property',
      'breaking',
      'compatible',
      { ...withProperties({ more: {} }), required: ['id', 'more'] },
    ],
    ['a property made required', 'breaking', 'compatible', { ...base, required: ['id', 'limit'] }],
    ['a property made optional', 'compatible', 'breaking', { ...base, required: [] }],
    ['a removed property', 'breaking', 'breaking', { ...base, properties: { id, state, node } }],
    ['a wider type', 'compatible', 'breaking', withProperties({ limit: { ...limit, type: 'number' } })],
    ['another type', 'breaking', 'breaking', withProperties({ id: { type: 'boolean' } })],
    ['null allowed', 'compatible', 'breaking', withProperties({ id: { type: ['string', 'null'] } })],
    [
      'an enum value more',
      'compatible',
      'breaking',
      withProperties({ state: { enum: ['open', 'closed', 'new'] } }),
    ],
    ['an enum value less', 'breaking', 'compatible', withProperties({ state: { enum: ['open'] } })],
    ['an enum for what was free', 'breaking', 'compatible', withProperties({ id: { ...id, enum: ['a'] } })],
    ['a tightened bound', 'breaking', 'compatible', withProperties({ limit: { ...limit, maximum: 50 } })],
    [
      'a loosened bound',
      'compatible',
      'breaking',
      withProperties({ limit: { type: 'integer', maximum: 100 } }),
    ],
    ['a new pattern', 'breaking', 'compatible', withProperties({ id: { ...id, pattern: '^a' } })],
    ['a closed object', 'breaking', 'compatible', { ...base, additionalProperties: false }],
    [
      'a change inside a cycle',
      'breaking',
      'compatible',
      { ...base, $defs: { node: { ...base.$defs.node, required: ['next'] } } },
    ],
    [
      'a definition renamed',
      'none',
      'none',
      {
        ...withProperties({ node: { $ref: '#/$defs/other' } }),
        $defs: { other: { type: 'object', properties: { next: { $ref: '#/$defs/other' } } } },
      },
    ],
  ])('%s: input %s, output %s', (_change, input, output, after) => {
    expect(gradeInput(base, after)).toBe(input);
    expect(gradeOutput(base, after)).toBe(output);
  });

  it('pairs the branches of anyOf and oneOf in any order', () => {
    const one = { anyOf: [{ type: 'string' }, { type: 'number' }] };
    expect(gradeInput(one, { anyOf: [{ type: 'number' }, { type: 'string' }] })).toBe('none');
    expect(gradeInput(one, { anyOf: [{ type: 'string' }] })).toBe('breaking');
    expect(gradeInput(one, { anyOf: [...one.anyOf, { type: 'null' }] })).toBe('compatible');
    expect(gradeInput({ allOf: [{ minLength: 1 }] }, { allOf: [] })).toBe('compatible');
  });

  it('sees through a reference with keywords beside it', () => {
    const schema = (type: string) => ({ $ref: '#/$defs/a', maxLength: 3, $defs: { a: { type } } });
    expect(gradeInput(schema('string'), schema('string'))).toBe('none');
    expect(gradeInput(schema('string'), schema('null'))).toBe('breaking');
  });

  it('takes an absent output schema for no promise', () => {
    expect(gradeOutput(undefined, { type: 'object' })).toBe('compatible');
    expect(gradeOutput({ type: 'object' }, undefined)).toBe('breaking');
    expect(gradeOutput(undefined, undefined)).toBe('none');
  });

  it('counts members of enum values that look like annotations', () => {
    expect(gradeInput({ enum: [{ title: 'a' }] }, { enum: [{ title: 'b' }] })).toBe('breaking');
  });
});

it('gives up on what never seems to end, in either direction', () => {
  const tree = { type: 'object', properties: { next: { $ref: '#' } } };
  let written: object = { type: 'object', properties: {} };
  for (let level = 0; level < 15_000; level += 1) written = { type: 'object', properties: { next: written } };
  expect([gradeInput(tree, written), gradeOutput(tree, written)]).toEqual(['breaking', 'breaking']);
});
