import { compile } from '../../../test/import-laws.js';
import { readFlat } from '../../../test/flat-endpoints.js';

/** The input schema of `POST /users`, whose body is this. */
async function inputOf(schema: object, required = true): Promise<Record<string, unknown>> {
  const requestBody = { required, content: { 'application/json': { schema } } };
  const document = { openapi: '3.1.0', paths: { '/users': { post: { requestBody } } } };
  const { endpoints } = await readFlat(document, { format: 'auto' });
  return endpoints[0]?.inputSchema ?? {};
}
const having = (...names: string[]) => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

const shut = (...names: string[]) => ({ ...having(...names), additionalProperties: false });
/** Asks for a member, and for one value of `kind`. */
const kind = (value: string, name: string) => {
  const { properties, ...rest } = having(name, 'kind');
  return { ...rest, properties: { ...properties, kind: { const: value } } };
};

describe('a body of alternatives that ask for different things', () => {
  const alternatives = { oneOf: [having('name', 'email'), having('name', 'phone'), having('name', 'fax')] };

  it('asks for what one of them asks for', async () => {
    const schema = await inputOf(alternatives);
    const accepts = compile(schema);
    expect(schema['required']).toEqual(['name']);
    for (const name of ['email', 'phone', 'fax']) expect(accepts({ name: 'Ann', [name]: 'x' })).toBe(true);
    expect(accepts({ name: 'Ann' })).toBe(false);
  });

  it('takes no two of them together where only one may hold, whatever else is given', async () => {
    const accepts = compile(await inputOf(alternatives));
    expect(accepts({ name: 'Ann', email: 'x', phone: 'y' })).toBe(false);
    expect(accepts({ name: 'Ann', fax: 'x', phone: 'y' })).toBe(false);
    expect(accepts({ name: 'Ann', fax: 'x', more: 'y' })).toBe(true);
    const any = compile(await inputOf({ anyOf: alternatives.oneOf }));
    expect(any({ name: 'Ann', email: 'x', phone: 'y' })).toBe(true);
    const optional = compile(await inputOf({ oneOf: [having('a'), having('b', 'c')] }, false));
    expect([{}, { a: '1' }, { a: '1', b: '1' }].map(optional)).toEqual([true, true, true]);
    expect(optional({ a: '1', b: '1', c: '1' })).toBe(false);
  });

  it.each<[string, object[], boolean, object]>([
    ['both are closed, so that neither takes both', [shut('a'), shut('b')], false, {}],
    [
      'the closed one takes what the open one asks for',
      [{ ...shut('a', 'b'), required: ['b'] }, having('a')],
      false,
      {},
    ],
    ['the closed one refuses what the open one asks for', [shut('a'), having('b')], true, {}],
    ['one is a part of the other', [having('a'), having('a', 'b')], true, {}],
    ['they are told apart by a value', [kind('x', 'a'), kind('y', 'b')], true, { kind: 'x' }],
    ['one of them asks for nothing', [having('a'), { ...having('b'), required: [] }], true, {}],
    [
      'one refuses what the other asks for',
      [{ ...having('a'), not: { required: ['b'] } }, having('b')],
      true,
      {},
    ],
    ['one takes no more members', [{ ...having('a'), maxProperties: 1 }, having('b')], true, {}],
  ])('takes two together or not, as the document does, where %s', async (_, oneOf, both, more) => {
    const accepts = compile(await inputOf({ oneOf }));
    expect(accepts({ a: '1', b: '1', ...more })).toBe(both);
  });

  it.each(['oneOf', 'anyOf'])(
    'asks by the value that tells them apart, without a discriminator: %s',
    async (keyword) => {
      const schema = await inputOf({ [keyword]: [kind('card', 'number'), kind('cash', 'till')] });
      expect(schema).toMatchObject({
        required: ['kind'],
        properties: { kind: { type: 'string', enum: ['card', 'cash'] } },
      });
      const accepts = compile(schema);
      expect(accepts({ kind: 'card', number: '1' })).toBe(true);
      expect(accepts({ kind: 'cash', till: '1' })).toBe(true);
      expect(accepts({ kind: 'card', till: '1' })).toBe(false);
      expect(accepts({ number: '1' })).toBe(false);
      const alike = compile(await inputOf({ [keyword]: [kind('card', 'a'), kind('card', 'b')] }));
      expect(alike({ kind: 'card', b: '1' })).toBe(true);
    },
  );

  it('leaves out alternatives that no object is', async () => {
    const types = [having('a'), { type: 'string' }, { type: ['null', 'array'] }];
    const schema = await inputOf({ type: 'object', properties: { b: {} }, oneOf: types });
    expect(schema).toMatchObject({ required: ['a'], properties: { a: {}, b: {} } });
  });

  it('takes values that one alternative limits, where another does not', async () => {
    const { required: _, properties } = having('kind', 'a', 'b');
    const limited = { required: ['kind', 'a'], properties: { kind: { const: 'x' } } };
    const accepts = compile(
      await inputOf({ type: 'object', properties, oneOf: [limited, { required: ['b'] }] }),
    );
    const tried = [
      { kind: 'x', a: '1' },
      { kind: 'y', b: '1' },
      { kind: 'y', a: '1', b: '1' },
      { kind: 'y' },
    ];
    expect(tried.map(accepts)).toEqual([true, true, true, false]);
    const never = { required: ['a'], properties: { b: false } };
    const either = compile(
      await inputOf({ type: 'object', properties, oneOf: [never, { required: ['b'] }] }),
    );
    expect([{ a: '1' }, { b: '1' }, { a: '1', b: '1' }, {}].map(either)).toEqual([true, true, true, false]);
  });

  it('says so without a choice at its root, which makers of models refuse there', async () => {
    const schema = await inputOf(alternatives);
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) expect(schema).not.toHaveProperty(keyword);
  });

  it('asks for nothing where it may be left out and is', async () => {
    const accepts = compile(await inputOf(alternatives, false));
    expect(accepts({})).toBe(true);
    expect(accepts({ name: 'Ann' })).toBe(false);
    expect(accepts({ name: 'Ann', fax: '1' })).toBe(true);
  });

  it('keeps what an alternative asks for and nothing describes', async () => {
    const described = { ...having(), properties: { a: {}, b: {} } };
    const any = { anyOf: [{ required: ['a'] }, { required: ['b'] }, { required: ['c'] }] };
    const open = compile(await inputOf({ ...described, ...any }));
    expect([{ a: 1 }, { b: 1 }, { c: 1 }, {}, { d: 1 }].map(open)).toEqual([true, true, true, false, false]);
    const closed = compile(await inputOf({ ...described, ...any, additionalProperties: false }));
    expect([{ a: 1 }, { b: 1 }, { c: 1 }, {}].map(closed)).toEqual([true, true, false, false]);
    const hidden = { ...described, properties: { a: {}, b: {}, c: { readOnly: true } }, ...any };
    expect([{ a: 1 }, {}].map(compile(await inputOf(hidden)))).toEqual([true, true]);
  });

  it('asks for as many members as a body that is required has at least', async () => {
    const some = { type: 'object', properties: { a: {}, b: {} }, minProperties: 1 };
    const accepts = compile(await inputOf({ allOf: [some, { minProperties: 2 }] }));
    expect([{}, { a: 1 }, { a: 1, b: 1 }, { a: 1, c: 1 }].map(accepts)).toEqual([false, false, true, true]);
    expect(await inputOf({ ...some, required: ['a'] })).not.toHaveProperty('minProperties');
    expect(await inputOf({ oneOf: [some, having('a')] })).not.toHaveProperty('minProperties');
    expect(await inputOf(some, false)).not.toHaveProperty('minProperties');
  });

  it.each<[string, boolean, object, object | undefined]>([
    ['counts them beside parameters that are required', true, {}, { minProperties: 2 }],
    [
      'names them beside parameters that are not',
      false,
      { additionalProperties: false },
      { then: { required: ['b'] } },
    ],
    ['leaves it open where others may be named', false, {}, undefined],
  ])('%s', async (_, required, closed, expected) => {
    const schema = { type: 'object', properties: { a: {}, b: {} }, minProperties: 1, ...closed };
    const post = {
      parameters: [{ name: 'q', in: 'query', required, schema: { type: 'string' } }],
      requestBody: { required: true, content: { 'application/json': { schema } } },
    };
    const { endpoints } = await readFlat(
      { openapi: '3.1.0', paths: { '/users': { post } } },
      { format: 'auto' },
    );
    const input = endpoints[0]?.inputSchema ?? {};
    if (expected !== undefined) expect(input).toMatchObject(expected);
    const accepts = compile(input);
    expect([{ q: 'x' }, { q: 'x', b: 1 }].map(accepts)).toEqual([expected === undefined, true]);
  });

  it('asks for all of several choices', async () => {
    const accepts = compile(
      await inputOf({
        allOf: [{ anyOf: [having('a'), having('b')] }, { oneOf: [having('c'), having('d')] }],
      }),
    );
    expect(
      [
        { a: '1', c: '1' },
        { b: '1', d: '1' },
      ].map(accepts),
    ).toEqual([true, true]);
    expect([{ a: '1' }, { a: '1', b: '1' }, { d: '1' }, {}].map(accepts)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('takes an object that says beside its properties what of them is asked for', async () => {
    const { required: _, ...both } = having('email', 'phone');
    const accepts = compile(
      await inputOf({ ...both, anyOf: [{ required: ['email'] }, { required: ['phone'] }] }),
    );
    expect([{ email: 'x' }, { phone: 'x' }, {}].map(accepts)).toEqual([true, true, false]);
  });

  it('leaves open what it can do without, or what only the service writes', async () => {
    expect(await inputOf({ oneOf: [having('name'), having('name', 'phone')] })).not.toHaveProperty('if');
    const written = {
      type: 'object',
      required: ['id'],
      properties: { id: { readOnly: true, type: 'string' } },
    };
    expect(await inputOf({ oneOf: [written, having('name')] })).not.toHaveProperty('if');
  });
});

describe('a merged body that refuses what no part of it evaluates', () => {
  const closed = { unevaluatedProperties: false };

  it.each([
    ['composed', { allOf: [having('customer'), having('total')], ...closed }],
    ['with alternatives', { ...having('customer'), anyOf: [having('total'), having('sum')], ...closed }],
    ['within another', { allOf: [{ allOf: [having('customer'), having('total')], ...closed }] }],
  ])('is closed, %s', async (_, schema) => {
    const input = await inputOf(schema);
    expect(input).toMatchObject({ additionalProperties: false });
    const given = { customer: 'Ann', total: '1' };
    expect([given, { ...given, totl: '2' }].map(compile(input))).toEqual([true, false]);
  });

  it.each([
    ['additionalProperties', { ...having('total'), additionalProperties: { type: 'string' } }],
    ['patternProperties', { ...having('total'), patternProperties: { '^x-': {} } }],
  ])('stays open for what a part takes by %s', async (_, part) => {
    const accepts = compile(await inputOf({ allOf: [having('customer'), part], ...closed }));
    expect(accepts({ customer: 'Ann', total: '1', 'x-note': 'a' })).toBe(true);
  });

  it('takes of other members what they must be', async () => {
    const schema = { allOf: [having('a'), having('b')], unevaluatedProperties: { type: 'integer' } };
    const accepts = compile(await inputOf(schema));
    expect(
      [
        { a: '1', b: '1', c: 1 },
        { a: '1', b: '1', c: 'x' },
      ].map(accepts),
    ).toEqual([true, false]);
  });

  it('is merged over a dynamic reference, too', async () => {
    const schema = {
      $defs: { base: { $dynamicAnchor: 'base', ...having('a') } },
      $dynamicRef: '#base',
      ...closed,
    };
    expect([{ a: '1' }, { a: '1', b: '1' }].map(compile(await inputOf(schema)))).toEqual([true, false]);
  });
});
