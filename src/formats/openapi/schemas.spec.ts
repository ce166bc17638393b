import { readFlat, type FlatEndpoint } from '../../../test/flat-endpoints.js';
import type { JsonObject } from '../../documents/json.js';

const read = (source: object) => readFlat(source, { format: 'auto' });

/** A 3.1 document of one operation, `POST /things/{id}`. */
const withOperation = (operation: object, rest: object = {}) => ({
  openapi: '3.1.0',
  paths: { '/things/{id}': { post: operation } },
  ...rest,
});

async function only(source: object): Promise<FlatEndpoint> {
  const { endpoints } = await read(source);
  expect(endpoints).toHaveLength(1);
  return endpoints[0] as FlatEndpoint;
}

const codes = async (source: object) => (await read(source)).warnings.map(({ code }) => code);
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

describe('schemas', () => {
  const schemaOf = async (schema: object, rest: object = {}, version = '3.0.3') => {
    const parameters = [id, { name: 'p', in: 'query', schema }];
    const { inputSchema } = await only({ ...withOperation({ parameters }, rest), openapi: version });
    return { p: (inputSchema['properties'] as JsonObject)['p'] as JsonObject, defs: inputSchema['$defs'] };
  };

  it('speaks JSON Schema 2020-12 of what was OpenAPI 3.0', async () => {
    expect((await schemaOf({ type: 'string', nullable: true, example: 'x', xml: {}, 'x-a': 1 })).p).toEqual({
      type: ['string', 'null'],
      examples: ['x'],
    });
    expect(
      (
        await schemaOf({
          type: 'integer',
          minimum: 1,
          exclusiveMinimum: true,
          maximum: 9,
          exclusiveMaximum: false,
        })
      ).p,
    ).toEqual({
      type: 'integer',
      exclusiveMinimum: 1,
      maximum: 9,
    });
    expect((await schemaOf({ type: 'string', format: 'byte' })).p).toEqual({
      type: 'string',
      contentEncoding: 'base64',
    });
    expect((await schemaOf({ nullable: true, allOf: [{ type: 'string' }] })).p).toEqual({
      anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }],
    });
  });

  it('keeps cycles as references, and writes small definitions out', async () => {
    const schemas = {
      Node: {
        type: 'object',
        properties: {
          next: { $ref: '#/components/schemas/Node' },
          state: { $ref: '#/components/schemas/State' },
        },
      },
      State: { type: 'string', enum: ['on', 'off'] },
      Alias: { $ref: '#/components/schemas/Node' },
      'od d/é': { type: 'object', properties: { next: { $ref: '#/components/schemas/od%20d~1%C3%A9' } } },
    };
    const { p, defs } = await schemaOf(
      { $ref: '#/components/schemas/Alias', description: 'Here' },
      { components: { schemas } },
    );
    expect(p).toEqual({ $ref: '#/$defs/Node', description: 'Here' });
    expect(defs).toEqual({
      Node: {
        type: 'object',
        properties: { next: { $ref: '#/$defs/Node' }, state: { type: 'string', enum: ['on', 'off'] } },
      },
    });
    const odd = await schemaOf({ $ref: '#/components/schemas/od d~1é' }, { components: { schemas } });
    expect(Object.keys(odd.defs as object)[0]).toMatch(/^[\w.-]+-[0-9a-f]{8}$/);
  });

  it.each([
    ['#/components/schemas/Nowhere', 'broken_reference'],
    ['', 'broken_reference'],
    ['http://127.0.0.1:1/a.json', 'external_reference'],
    ['file:///etc/passwd', 'external_reference'],
    ['../b.yaml#/a', 'external_reference'],
  ])('accepts anything where %s stands', async ($ref, code) => {
    expect((await schemaOf({ $ref })).p).toEqual({});
    expect(
      await codes(withOperation({ parameters: [id, { name: 'p', in: 'query', schema: { $ref } }] })),
    ).toEqual([code]);
  });

  it('gives the branches of a discriminator their values', async () => {
    const schemas = {
      Cat: {
        type: 'object',
        properties: { kind: { type: 'string' }, purrs: {}, next: { $ref: '#/components/schemas/Cat' } },
      },
      Dog: {
        type: 'object',
        properties: { kind: { type: 'string' }, next: { $ref: '#/components/schemas/Dog' } },
      },
    };
    const oneOf = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }];
    const mapping = { cat: '#/components/schemas/Cat', kitten: 'Cat', dog: '#/components/schemas/Dog' };
    const { p } = await schemaOf(
      { oneOf, discriminator: { propertyName: 'kind', mapping } },
      { components: { schemas } },
    );
    expect(p).toEqual({
      anyOf: [
        { $ref: '#/$defs/Cat', properties: { kind: { enum: ['cat', 'kitten'] } }, required: ['kind'] },
        { $ref: '#/$defs/Dog', properties: { kind: { const: 'dog' } }, required: ['kind'] },
      ],
    });
  });

  it('never accepts less because something was left out', async () => {
    const broken = { $ref: '#/nowhere' };
    expect((await schemaOf({ not: broken })).p).toEqual({});
    expect((await schemaOf({ oneOf: [broken, { type: 'string' }] })).p).toEqual({
      anyOf: [{}, { type: 'string' }],
    });
    expect((await schemaOf({ type: 'string', pattern: '(a+)+$', not: { pattern: '(' } })).p).toEqual({
      type: 'string',
    });
    expect((await schemaOf({ patternProperties: { '(': {} }, additionalProperties: false })).p).toEqual({
      patternProperties: {},
    });
  });

  it('accepts anything where a list is longer than may be kept, with a warning', async () => {
    const list = (length: number) => Array.from({ length }, (_, index) => index);
    const kept = await schemaOf({ type: 'integer', enum: list(10_000) });
    expect(kept.p).toEqual({ type: 'integer', enum: list(10_000) });
    const document = withOperation({
      parameters: [
        { name: 'p', in: 'query', schema: { type: 'integer', enum: list(10_001) } },
        { name: 'q', in: 'query', schema: { type: 'array', enum: [[list(10_001)]] } },
        {
          name: 'r',
          in: 'query',
          schema: { type: 'array', prefixItems: list(10_001).map(() => ({})), items: false },
        },
      ],
    });
    const read = await readFlat(document, { format: 'auto' });
    expect(read.endpoints[0]?.inputSchema['properties']).toMatchObject({ p: {}, q: {}, r: {} });
    expect(JSON.stringify(read.endpoints[0]?.inputSchema).length).toBeLessThan(1_000);
    expect(read.warnings.filter(({ code }) => code === 'schema_pruned')).toHaveLength(3);
  });

  it('stays within its length, with a warning', async () => {
    const wide = (depth: number): object =>
      depth === 0
        ? { type: 'string' }
        : {
            type: 'object',
            properties: Object.fromEntries('abcdefgh'.split('').map((name) => [name, wide(depth - 1)])),
          };
    const document = withOperation({ parameters: [{ name: 'p', in: 'query', schema: wide(4) }] });
    const limited = await readFlat(document, { format: 'auto', limits: { inputSchemaLength: 5_000 } });
    expect(limited.warnings.map(({ code }) => code)).toContain('schema_pruned');
    const [endpoint] = limited.endpoints;
    expect(JSON.stringify(endpoint?.inputSchema).length).toBeLessThan(5_000);
    expect(endpoint?.inputSchema['required']).toEqual(['id']);
  });

  it('stays under the limit with the names of what does not fit', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Definition${'x'.repeat(60)}${String(index)}`);
    const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const large = { type: 'object', properties: { a: { enum: ['y'.repeat(600)] } } };
    const list = { anyOf: names.map(reference) };
    const schema = { type: 'object', properties: { list: reference('List') } };
    const document = {
      openapi: '3.1.0',
      paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
      components: { schemas: { List: list, ...Object.fromEntries(names.map((name) => [name, large])) } },
    };
    for (const inputSchemaLength of [4_000, 12_000, 20_000]) {
      const { endpoints } = await readFlat(document, { format: 'auto', limits: { inputSchemaLength } });
      expect(JSON.stringify(endpoints[0]?.inputSchema).length).toBeLessThanOrEqual(inputSchemaLength);
    }
  });
});
