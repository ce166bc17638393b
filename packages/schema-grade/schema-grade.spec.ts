import { gradeInput, gradeOutput, schemaFindings, type SchemaGrade } from './schema-grade.js';

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

describe('what is costly to compare', () => {
  let reads = 0;
  /** A branch that counts how often it is read. */
  const branch = (value: string) => ({
    get const() {
      reads += 1;
      return value;
    },
  });
  const branches = (prefix: string) =>
    Array.from({ length: 8_000 }, (_, index) => branch(`${prefix}${String(index)}`));

  beforeEach(() => {
    reads = 0;
  });

  it.each<[keyword: string, reversed: SchemaGrade]>([
    ['anyOf', 'none'],
    ['oneOf', 'none'],
    ['allOf', 'none'],
    ['prefixItems', 'breaking'],
  ])('%s is read in proportion to its branches', (keyword, reversed) => {
    const before = { [keyword]: branches('a') };
    expect(gradeInput(before, { [keyword]: branches('b') })).toBe('breaking');
    expect(gradeInput(before, { [keyword]: branches('a').reverse() })).toBe(reversed);
    expect(reads).toBeLessThan(10 * 8_000 * 4);
  });

  it('branches within branches are read once on each level', () => {
    const nested = (value: string) => {
      let schema: object = branch(value);
      for (let level = 0; level < 200; level += 1) schema = { anyOf: [schema] };
      return schema;
    };
    expect(gradeInput(nested('a'), nested('b'))).toBe('breaking');
    expect(reads).toBeLessThan(20);
  });

  it('an enum is compared as a set', () => {
    const values = Array.from({ length: 20_000 }, (_, index) => {
      const value = { index };
      return Object.defineProperty(value, 'read', { enumerable: true, get: () => (reads += 1) && 'x' });
    });
    expect(gradeInput({ enum: values }, { enum: structuredClone(values).reverse() })).toBe('none');
    expect(reads).toBeLessThan(20_000 * 4);
  });

  it('what pairs each part with each is given up', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => [`p${String(index)}`, {}] as const);
    const parts = (schema: (index: number) => object) =>
      Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`r${String(index)}`, schema(index)]));
    const before = {
      properties: parts((index) => ({ $ref: `#/$defs/r${String(index)}` })),
      $defs: parts(() => ({})),
    };
    const all = { properties: Object.fromEntries(many) };
    const after = { properties: parts(() => ({ $ref: '#/$defs/all' })), $defs: { all } };
    expect(gradeInput(before, after)).toBe('breaking');
  });
});

it('names every change, with its place and both values', () => {
  const after = {
    type: 'object',
    properties: {
      id: { ...id, type: ['string', 'null'] },
      state: { enum: ['open'] },
      node,
      more: { type: 'string' },
    },
    required: ['id', 'more'],
    $defs: base.$defs,
  };
  expect(schemaFindings(base, after, 'input')).toEqual([
    { rule: 'required.narrower', grade: 'breaking', pointer: '', before: ['id'], after: ['id', 'more'] },
    {
      ...{ rule: 'type.wider', grade: 'compatible', pointer: '/properties/id' },
      ...{ before: 'string', after: ['string', 'null'] },
    },
    {
      rule: 'properties.removal',
      grade: 'breaking',
      pointer: '/properties/limit',
      before: limit,
      after: undefined,
    },
    {
      ...{ rule: 'enum.narrower', grade: 'breaking', pointer: '/properties/state' },
      ...{ before: ['open', 'closed'], after: ['open'] },
    },
    {
      ...{ rule: 'properties.addition', grade: 'compatible', pointer: '/properties/more' },
      ...{ before: undefined, after: { type: 'string' } },
    },
  ]);
});

it('looks once at a branch that many properties share', () => {
  const many = (count: number, make: (at: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${String(at)}`, make(at)]));
  const schema = (more: object) => ({
    type: 'object',
    $defs: { shared: { properties: many(4_000, () => ({})) } },
    properties: many(1_000, () => ({ allOf: [{ $ref: '#/$defs/shared' }], ...more })),
  });
  // Were each looked at by itself, there would be too much to compare.
  expect(gradeInput(schema({}), schema({ properties: { own: {} } }))).toBe('compatible');
  expect(gradeInput(schema({}), schema({ properties: { p7: { type: 'string' } } }))).toBe('breaking');
});

it('looks at no member of a schema that comes where there was none', () => {
  let looked = 0;
  const properties = new Proxy(
    { a: { type: 'string' } },
    { ownKeys: (names) => ((looked += 1), Reflect.ownKeys(names)) },
  );
  expect(gradeOutput(undefined, { type: 'object', properties })).toBe('compatible');
  expect(gradeOutput({ properties, type: 'object' }, undefined)).toBe('breaking');
  expect(looked).toBe(0);
});
