import { compile } from '../../../test/import-laws.js';
import { readFlat } from '../../../test/flat-endpoints.js';

const listed = (inputSchema: object) =>
  readFlat({ tools: [{ name: 'find', description: 'Finds.', inputSchema }] }, { format: 'auto' });

async function fitted(inputSchema: object) {
  const { endpoints, warnings } = await listed(inputSchema);
  const [endpoint] = endpoints;
  if (endpoint === undefined) throw new Error('The tool was left out.');
  return { ...endpoint, warnings, codes: warnings.map(({ code }) => code) };
}

const text = { type: 'string' };

describe('the names of arguments', () => {
  it('fit every maker of models, and the routing keeps those of the server', async () => {
    const { inputSchema, parameters, warnings } = await fitted({
      type: 'object',
      properties: { 'uids[]': { type: 'array', items: text }, $top: { type: 'integer' }, plain: text },
      required: ['uids[]', 'plain'],
    });
    expect(inputSchema).toEqual({
      type: 'object',
      properties: { uids: { type: 'array', items: text }, top: { type: 'integer' }, plain: text },
      required: ['uids', 'plain'],
    });
    expect(parameters).toEqual({
      uids: { in: 'argument', name: 'uids[]' },
      top: { in: 'argument', name: '$top' },
      plain: { in: 'argument', name: 'plain' },
    });
    expect(warnings).toMatchObject([{ code: 'argument_renamed', pointer: '/tools/0' }]);
    expect(warnings[0]?.detail).toContain('"$top" is offered as "top"');
  });

  it('are others wherever the schema speaks of them, and stay within an argument', async () => {
    const inner = { type: 'object', properties: { 'a b': text }, required: ['a b'] };
    const { inputSchema } = await fitted({
      type: 'object',
      properties: { $in: inner, $by: text },
      dependentRequired: { $by: ['$in'] },
      if: { properties: { $by: { const: 'x' } }, required: ['$by'] },
      then: { required: ['$in'] },
      examples: [{ $by: 'x' }],
    });
    expect(inputSchema).toEqual({
      type: 'object',
      properties: { in: inner, by: text },
      dependentRequired: { by: ['in'] },
      if: { properties: { by: { const: 'x' } }, required: ['by'] },
      then: { required: ['in'] },
      examples: [{ by: 'x' }],
    });
  });

  it('fit in OpenAPI, too: each goes where it belongs', async () => {
    const { endpoints } = await readFlat(
      {
        openapi: '3.1.0',
        info: { title: 'A', version: '1' },
        paths: {
          '/things': {
            post: {
              parameters: [
                { name: 'include[]', in: 'query', schema: { type: 'array', items: text } },
                { name: 'include', in: 'query', schema: text },
                { name: 'filter[status]', in: 'query', schema: text },
              ],
              requestBody: {
                content: {
                  'application/json': { schema: { type: 'object', properties: { '@type': text } } },
                },
              },
            },
          },
        },
      },
      { format: 'auto' },
    );
    const names = Object.keys(endpoints[0]?.inputSchema['properties'] ?? {});
    expect(names).toEqual([
      'filter_status',
      'include',
      expect.stringMatching(/^include_[0-9a-f]{8}$/),
      'type',
    ]);
    expect(names.map((name) => endpoints[0]?.parameters[name])).toEqual([
      { in: 'query', name: 'filter[status]' },
      { in: 'query', name: 'include' },
      { in: 'query', name: 'include[]' },
      { in: 'body', name: '@type' },
    ]);
  });

  it('fit in messages of protobuf: extensions are named without brackets', async () => {
    const proto = `syntax = "proto2"; package old.v1;
message Ask { extensions 100 to 200; }
extend Ask { optional string trace = 100; }
service S { rpc Say(Ask) returns (Ask); }`;
    const { endpoints } = await readFlat(proto, { format: 'auto' });
    expect(endpoints[0]?.parameters).toEqual({ 'old.v1.trace': { in: 'argument', name: '[old.v1.trace]' } });
    expect(endpoints[0]?.inputSchema['properties']).toEqual({ 'old.v1.trace': text });
  });

  it('are renamed in the order of OpenRPC, which is by position', async () => {
    const params = [
      { name: '$from', schema: text },
      { name: 'to', schema: text },
    ];
    const methods = [{ name: 'move', params, result: { name: 'r', schema: {} } }];
    const { endpoints, warnings } = await readFlat(
      { openrpc: '1.2.6', info: { title: 'A', version: '1' }, methods },
      { format: 'auto' },
    );
    expect(warnings).toMatchObject([{ code: 'argument_renamed', pointer: '/methods/0' }]);
    expect(endpoints[0]?.extras['paramOrder']).toEqual(['from', 'to']);
    expect(endpoints[0]?.parameters['from']).toEqual({ in: 'argument', name: '$from' });
  });
});

describe('the root of an input schema', () => {
  const byId = { properties: { id: text }, required: ['id'] };
  const byName = { properties: { name: text, town: text }, required: ['name', 'town'] };

  it.each(['anyOf', 'oneOf'])(
    'lists what alternatives of it take (%s), and asks for one of them',
    async (keyword) => {
      const { inputSchema, codes } = await fitted({ type: 'object', [keyword]: [byId, byName] });
      expect(codes).toEqual(['input_schema_fitted']);
      for (const refused of ['anyOf', 'oneOf', 'allOf', 'not', 'enum'])
        expect(inputSchema).not.toHaveProperty(refused);
      expect(inputSchema['properties']).toEqual({ id: text, name: text, town: text });
      const accepts = compile(inputSchema);
      const tried = [{ id: 'x' }, { name: 'x', town: 'y' }, { name: 'x' }, {}];
      expect(tried.map(accepts)).toEqual([true, true, false, false]);
    },
  );

  it('holds the parts of it together, also those that it refers to, and no definition that nobody uses', async () => {
    const { inputSchema } = await fitted({
      type: 'object',
      allOf: [{ $ref: '#/$defs/Part' }, { properties: { own: { $ref: '#/$defs/Tree' } } }],
      unevaluatedProperties: false,
      $defs: {
        Part: { type: 'object', properties: { id: text }, required: ['id'], description: 'x'.repeat(600) },
        Tree: {
          type: 'object',
          properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
        },
      },
    });
    expect(inputSchema).toMatchObject({ required: ['id'], additionalProperties: false });
    expect(Object.keys(inputSchema['properties'] as object)).toEqual(['id', 'own']);
    expect(Object.keys(inputSchema['$defs'] as object)).toEqual(['Tree']);
    compile(inputSchema);
  });

  it.each([{ additionalProperties: false }, { unevaluatedProperties: false }])(
    'stays closed beside patterns of its own: %o',
    async (closed) => {
      const { inputSchema } = await fitted({
        type: 'object',
        ...closed,
        patternProperties: { '^x-': text },
        properties: { a: text },
        allOf: [{ properties: { a: { minLength: 1 } }, required: ['a'] }],
      });
      const accepts = compile(inputSchema);
      expect([{ a: 'a', 'x-b': 'b' }, { a: 'a', b: 'b' }, {}].map(accepts)).toEqual([true, false, false]);
    },
  );

  it('stays open where a part of it has patterns', async () => {
    const { inputSchema } = await fitted({
      type: 'object',
      unevaluatedProperties: false,
      allOf: [{ properties: { a: text }, patternProperties: { '^x-': text } }],
    });
    expect(compile(inputSchema)({ a: 'a', 'x-b': 'b' })).toBe(true);
  });

  it('is without what can not be merged, and says so', async () => {
    const { inputSchema, warnings } = await fitted({
      type: 'object',
      properties: { a: text },
      not: { required: ['b'] },
    });
    expect(inputSchema).toEqual({ type: 'object', properties: { a: text } });
    expect(warnings[0]?.detail).toContain('not at its root was left out');
  });
});

describe('the values of an input schema', () => {
  const inputOf = async (properties: object, more: object = {}) =>
    (await fitted({ type: 'object', properties, ...more })).inputSchema;

  it('are lists of something', async () => {
    const list = { type: ['array', 'null'] };
    expect(
      await inputOf({ a: { type: 'array' }, b: list, c: { type: 'array', items: { type: 'array' } } }),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: 'array', items: {} },
        b: { ...list, items: {} },
        c: { type: 'array', items: { type: 'array', items: {} } },
      },
    });
  });

  it.each([
    ['bounds that exclude each other', { a: { type: 'string', minLength: 5, maxLength: 2 } }, {}, { a: 'x' }],
    ['a number below an open end', { a: { type: 'number', minimum: 1, exclusiveMaximum: 1 } }, {}, { a: 1 }],
    ['quoted numbers', { a: { type: 'integer', enum: ['1', '2'] } }, {}, { a: '1' }],
    ['quoted numbers or null', { a: { type: ['integer', 'null'], enum: ['1', null] } }, {}, { a: '1' }],
    [
      'a name that is not there',
      { a: text },
      { required: ['a', 'b'], additionalProperties: false },
      { a: 'x' },
    ],
    ['what takes no value', { a: false }, { required: ['a'] }, { a: 'x' }],
  ])('can be given: %s', async (_, properties, more, value) => {
    const { inputSchema, codes } = await fitted({ type: 'object', properties, ...more });
    expect(codes).toEqual(['input_schema_fitted']);
    expect(compile(inputSchema)(value)).toBe(true);
  });

  it('have an end', async () => {
    const { inputSchema, codes } = await fitted({
      type: 'object',
      properties: { node: { $ref: '#/$defs/Node' } },
      required: ['node'],
      $defs: {
        Node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/Node' }, name: text },
          required: ['next', 'name'],
          description: 'x'.repeat(600),
        },
      },
    });
    expect(codes).toEqual(['input_schema_fitted']);
    expect(compile(inputSchema)({ node: { name: 'a' } })).toBe(true);
    expect(compile(inputSchema)({ node: {} })).toBe(false);
    const lists = { $defs: { List: { type: 'array', items: { $ref: '#/$defs/List' }, minItems: 1 } } };
    const ofLists = compile(await inputOf({ list: { $ref: '#/$defs/List' } }, lists));
    expect([{ list: [[], [[]]] }, { list: [1] }].map(ofLists)).toEqual([true, false]);
  });

  it('have one by an object rather than by the list that it holds', async () => {
    const to = (name: string) => ({ $ref: `#/$defs/${name}` });
    const node = { type: 'object', properties: { inner: to('List') }, required: ['inner'] };
    const $defs = { Node: node, List: { type: 'array', items: to('Node'), minItems: 1 } };
    const accepts = compile(await inputOf({ list: to('List') }, { $defs }));
    expect([{ list: [{}] }, { list: [] }].map(accepts)).toEqual([true, false]);
  });

  it('are let alone where they fit', async () => {
    const schema = {
      type: 'object',
      properties: { a: { anyOf: [text, { type: 'null' }] }, tree: { $ref: '#/$defs/Tree' } },
      $defs: {
        Tree: {
          type: 'object',
          properties: { all: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
          required: ['all'],
        },
      },
      additionalProperties: false,
    };
    const { inputSchema, codes } = await fitted(schema);
    expect([inputSchema, codes]).toEqual([schema, []]);
  });
});

describe('a definition that is large', () => {
  it('is warned of, with what makes it so', async () => {
    const { warnings } = await fitted({
      type: 'object',
      properties: {
        note: { ...text, description: 'x'.repeat(15_000) },
        kind: { ...text, description: 'y'.repeat(3_000) },
      },
    });
    expect(warnings).toMatchObject([{ code: 'definition_large', pointer: '/tools/0' }]);
    expect(warnings[0]?.detail).toContain('the argument note (14.7 KiB), the argument kind (3.0 KiB)');
  });

  it('is none at 16 KiB', async () => {
    const { codes } = await fitted({
      type: 'object',
      properties: { note: { ...text, description: 'x'.repeat(16_000) } },
    });
    expect(codes).toEqual([]);
  });
});
