import { canonicalJson } from '../../kernel/canonical-json.js';
import { readFlat, type FlatEndpoint } from '../../../test/flat-endpoints.js';
import type { JsonObject } from '../../documents/json.js';

/** What people's tools write, and what their YAML says without their knowing. */
const read = (source: string | object) => readFlat(source, { format: 'auto' });
const yaml = (paths: string) => `openapi: 3.0.3\ninfo: { title: 404, version: 1.0 }\npaths:\n${paths}`;
const properties = ({ inputSchema }: FlatEndpoint | undefined = {} as FlatEndpoint) =>
  inputSchema['properties'] as JsonObject;

describe('YAML', () => {
  const text = yaml(`  /a:
    get:
      operationId: 5
      deprecated: yes
      tags: [1, { name: two }]
      parameters:
        - { name: v, in: query, required: yes, schema: { type: string, enum: [1.5, on, 0777, null] } }
      responses:
        200:
          content:
            application/json:
              schema: { type: object, required: [1], properties: { 1: { type: integer } } }
`);

  it('means texts where it says numbers, and true where it says yes', async () => {
    const { title, endpoints } = await read(text);
    const [endpoint] = endpoints;
    expect(title).toBe('404');
    expect(endpoint).toMatchObject({ sourceName: '5', lifecycleStatus: 'deprecated', tags: ['1', 'two'] });
    expect(properties(endpoint)).toEqual({ v: { type: 'string', enum: ['1.5', 'on', '0777', null] } });
    expect(endpoint?.inputSchema['required']).toEqual(['v']);
    expect(endpoint?.outputSchema).toMatchObject({ required: ['1'] });
  });

  it('is the same with a byte order mark and line ends of Windows', async () => {
    const { endpoints } = await read(text);
    expect((await read(`\ufeff${text.replaceAll('\n', '\r\n')}`)).endpoints).toEqual(endpoints);
  });

  it.each([
    ['openapi: 3.0', '3.0'],
    ['openapi: 3.1', '3.1'],
    ['swagger: 2.0', '2.0'],
    ['%YAML 1.1\n---\nopenapi: 3.1.0', '3.1.0'],
  ])('may begin with %j', async (head, version) => {
    expect((await read(`${head}\npaths: {}\n`)).formatVersion).toBe(version);
  });
});

describe('members that stand twice', () => {
  const json =
    '{"openapi":"3.1.0","info":{"title":"\\"a\\": 1","title" : "b"},"paths":{"/a/{b}":{"get":{}},"/a/{b}":{"put":{}}}}';

  it.each([
    ['JSON', json],
    [
      'YAML',
      "openapi: 3.1.0\ninfo: {title: 'a', title: b}\nx-list: [{a: 1}, {a: 1, a: 2}]\npaths:\n  /a/{b}: {get: {}}\n  /a/{b}: {put: {}}\n",
    ],
  ])('of %s are told with their places, and the last one counts', async (kind, text) => {
    const { title, endpoints, warnings } = await read(text);
    expect(title).toBe('b');
    expect(endpoints.map(({ key }) => key)).toEqual(['/a/{b}@put']);
    const places = warnings.filter(({ code }) => code === 'duplicate_member').map(({ pointer }) => pointer);
    const inList = kind === 'YAML' ? ['/x-list/1/a'] : [];
    expect(places).toEqual(['/info/title', ...inList, '/paths/~1a~1{b}']);
  });

  it('are no news where a merge key brings one of them', async () => {
    const text = yaml('  /a:\n    get: { <<: *c, <<: *d, description: x }\n').replace(
      'paths:',
      'x-c: &c { description: c }\nx-d: &d { summary: d }\npaths:',
    );
    expect((await read(text)).warnings).toEqual([]);
  });
});

describe('OpenAPI', () => {
  const withParameter = (schema: object) => ({
    openapi: '3.0.3',
    paths: { '/a': { get: { parameters: [{ name: 'p', in: 'query', schema }] } } },
  });

  it('takes null where an enum is nullable and does not list it', async () => {
    const { endpoints } = await read(withParameter({ type: 'string', nullable: true, enum: ['a'] }));
    expect(properties(endpoints[0])['p']).toEqual({ type: ['string', 'null'], enum: ['a', null] });
  });

  it('says where parameters are no list', async () => {
    const parameters = { p: { name: 'p', in: 'query' } };
    const { warnings } = await read({ openapi: '3.0.3', paths: { '/a': { get: { parameters } } } });
    expect(warnings).toMatchObject([{ code: 'part_dropped', pointer: '/paths/~1a/get/parameters' }]);
  });

  it('tells of paths that differ in the names of their parameters alone', async () => {
    const { endpoints, warnings } = await read({
      openapi: '3.1.0',
      paths: { '/a/{id}': { get: {} }, '/a/{name}': { get: {}, put: {} } },
    });
    expect(endpoints).toHaveLength(3);
    expect(warnings.filter(({ code }) => code === 'paths_collide')).toMatchObject([
      { pointer: '/paths/~1a~1{name}/get' },
    ]);
  });

  it('follows media types that are references, as 3.2 has them', async () => {
    const content = { 'application/json': { $ref: '#/components/mediaTypes/Thing' } };
    const { endpoints } = await read({
      openapi: '3.2.0',
      paths: { '/a': { post: { requestBody: { content }, responses: { 200: { content } } } } },
      components: { mediaTypes: { Thing: { schema: { type: 'object', properties: { q: {} } } } } },
    });
    expect(properties(endpoints[0])).toEqual({ q: {} });
    expect(endpoints[0]?.outputSchema).toMatchObject({ properties: { q: {} } });
  });

  it('follows whole maps that are references, within the upload alone', async () => {
    const description = {
      openapi: '3.0.3',
      paths: { '/a': { put: { requestBody: { content: { 'application/json': { schema: 0 } } } } } },
    };
    const text = JSON.stringify(description).replace(
      '"schema":0',
      '"schema":{"$ref":"#/components/schemas/A"}',
    );
    const components = (reference: string) =>
      `${text.slice(0, -1)},"components":{"schemas":{"$ref":"${reference}"}}}`;
    const files = {
      'openapi.json': components('./schemas.yaml'),
      'schemas.yaml': 'A: { type: object, properties: { b: { $ref: "#/B" } } }\nB: { type: integer }\n',
    };
    expect(properties((await read({ files })).endpoints[0])).toEqual({ b: { type: 'integer' } });
    const alone = await read(components('./schemas.yaml'));
    expect(alone.warnings.map(({ code }) => code)).toEqual(['external_reference']);
    const circular = await read(components('#/components/schemas'));
    expect(circular.warnings.map(({ code }) => code)).toEqual(['broken_reference']);
  });

  it('takes the media type that has a schema, where another has an example alone', async () => {
    const content = {
      'application/json': { examples: { one: { value: { a: 1 } } } },
      'application/json; charset=utf-8': { schema: { type: 'object', properties: { a: {} } } },
    };
    const { endpoints } = await read({
      openapi: '3.0.3',
      paths: { '/a': { post: { requestBody: { content }, responses: { 200: { content } } } } },
    });
    expect(properties(endpoints[0])).toEqual({ a: {} });
    expect(endpoints[0]?.outputSchema).toMatchObject({ properties: { a: {} } });
  });

  it('answers with the items of JSON Lines as a list', async () => {
    const itemSchema = { type: 'object', properties: { a: { type: 'integer' } } };
    const content = {
      'text/event-stream': { itemSchema: { type: 'object' } },
      'application/jsonl': { itemSchema },
    };
    const { endpoints } = await read({
      openapi: '3.2.0',
      paths: { '/a': { get: { responses: { 200: { content } } } } },
    });
    expect(endpoints[0]?.outputSchema).toEqual({ type: 'array', items: itemSchema });
  });

  it('asks for no body that must be empty', async () => {
    const schema = { type: 'object', title: 'Nothing', properties: {}, additionalProperties: false };
    const content = { 'application/x-www-form-urlencoded': { schema } };
    const operation = (required: boolean) => ({ requestBody: { required, content } });
    const { endpoints } = await read({
      openapi: '3.0.3',
      paths: { '/a': { get: operation(false), post: operation(true) } },
    });
    expect(endpoints.map((endpoint) => Object.keys(properties(endpoint)))).toEqual([[], ['body']]);
  });

  it('keeps the examples of a parameter that have a value', async () => {
    const examples = { none: { summary: 'All' }, some: { value: 2 }, last: { value: -1 } };
    const parameter = { name: 'p', in: 'query', schema: { type: 'integer' }, examples };
    const { endpoints } = await read({
      openapi: '3.0.3',
      paths: { '/a': { get: { parameters: [parameter] } } },
    });
    expect(properties(endpoints[0])['p']).toEqual({ type: 'integer', examples: [-1, 2] });
  });

  it('says the same whatever the order of members', async () => {
    const branch = (name: string) => ({
      type: 'object',
      required: [name],
      properties: { kind: { type: 'string' }, [name]: { type: 'string', description: 'd' }, note: {} },
    });
    const mapping = {
      one: '#/components/schemas/A',
      other: '#/components/schemas/A',
      last: '#/components/schemas/B',
    };
    const oneOf = ['A', 'B'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const schema = { oneOf, discriminator: { propertyName: 'kind', mapping } };
    const content = { 'application/json': { schema } };
    const B = branch('b');
    const document = {
      openapi: '3.0.3',
      paths: {
        '/a': {
          post: { requestBody: { content }, responses: { 200: { content } }, callbacks: { x: {}, y: {} } },
        },
      },
      components: {
        schemas: {
          A: branch('a'),
          B: { ...B, properties: { ...B.properties, a: { description: 'd', type: 'string' } } },
        },
      },
    };
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      const members = Object.entries(value).map(([name, inner]) => [name, reversed(inner)] as const);
      return Object.fromEntries(members.reverse());
    };
    const [one, other] = [await read(document), await read(reversed(document) as object)];
    expect(other.endpoints.map((endpoint) => canonicalJson(endpoint))).toEqual(
      one.endpoints.map((endpoint) => canonicalJson(endpoint)),
    );
    expect(properties(one.endpoints[0])).toMatchObject({ a: { type: 'string', description: 'd' } });
  });

  it('keeps operation ids apart that differ in their case, or stand twice', async () => {
    const ids = ['getA', 'geta', 'getA', ' ', {}];
    const paths = Object.fromEntries(
      ids.map((operationId, index) => [`/${String(index)}`, { get: { operationId } }]),
    );
    const names = (await read({ openapi: '3.1.0', paths })).endpoints.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['getA', 'geta']);
    expect(new Set(names).size).toBe(5);
  });
});
