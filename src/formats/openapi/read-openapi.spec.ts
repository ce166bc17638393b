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
const body = (schema: object, more: object = {}) => ({
  content: { 'application/json': { schema } },
  ...more,
});
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

describe('what an operation becomes', () => {
  it('merges parameters and body, and says where each goes', async () => {
    const endpoint = await only(
      withOperation({
        operationId: 'changeThing',
        summary: 'Change',
        description: 'Changes a thing.',
        deprecated: true,
        tags: ['things', 'things', { name: 'odd' }, {}],
        parameters: [
          id,
          { name: 'dry', in: 'query', schema: { type: 'boolean' }, description: 'Try only' },
          { name: 'ids', in: 'query', style: 'pipeDelimited', explode: false, schema: { type: 'array' } },
          { name: 'filter', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
          { name: 'X-Trace', in: 'header', example: 'abc', schema: { type: 'string' } },
        ],
        requestBody: body(
          { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          { required: true },
        ),
      }),
    );
    expect(endpoint).toMatchObject({
      key: '/things/{id}@post',
      method: 'post',
      path: '/things/{id}',
      name: 'changeThing',
      sourceName: 'changeThing',
      title: 'Change',
      description: 'Changes a thing.',
      lifecycleStatus: 'deprecated',
      tags: ['things', 'odd'],
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          dry: { type: 'boolean', description: 'Try only' },
          'X-Trace': { type: 'string', examples: ['abc'] },
          name: { type: 'string' },
        },
        required: ['id', 'name'],
      },
      parameters: {
        id: { in: 'path', name: 'id' },
        dry: { in: 'query', name: 'dry' },
        ids: { in: 'query', name: 'ids', style: 'pipeDelimited' },
        filter: { in: 'query', name: 'filter', mediaType: 'application/json' },
        'X-Trace': { in: 'header', name: 'X-Trace' },
        name: { in: 'body', name: 'name' },
      },
    });
    expect(endpoint.parameters).not.toHaveProperty('Authorization');
  });

  it('lets the body keep a name, then the path', async () => {
    const { inputSchema, parameters } = await only(
      withOperation({
        parameters: [
          id,
          { name: 'id', in: 'query' },
          { name: 'name', in: 'header' },
          { name: 'x', in: 'query' },
          { name: 'x', in: 'cookie' },
        ],
        requestBody: body({ type: 'object', properties: { id: {}, name: {} } }),
      }),
    );
    expect(Object.keys(inputSchema['properties'] as object)).toEqual(
      expect.arrayContaining(['id__path', 'id__query', 'x', 'name__header', 'x__cookie', 'id', 'name']),
    );
    expect(parameters['x__cookie']).toEqual({ in: 'cookie', name: 'x' });
    expect(inputSchema['required']).toEqual(['id__path']);
  });

  it('leaves a parameter its name where only answers have a property of that name', async () => {
    const properties = { id: { type: 'string', readOnly: true }, name: {} };
    const schema = { type: 'object', properties, required: ['id', 'name'] };
    const { inputSchema, parameters } = await only(
      withOperation({ parameters: [id], requestBody: body(schema, { required: true }) }),
    );
    expect(Object.keys(inputSchema['properties'] as object).sort()).toEqual(['id', 'name']);
    expect(inputSchema['required']).toEqual(['id', 'name']);
    expect(parameters['id']).toMatchObject({ in: 'path', name: 'id' });
  });

  it('takes what an operation says over what its path says, and adds what nobody says', async () => {
    const document = {
      openapi: '3.1.0',
      paths: {
        '/a/{id}/{other}': {
          parameters: [
            { ...id, schema: { type: 'string' } },
            { name: 'q', in: 'query' },
          ],
          get: { parameters: [id] },
          'x-note': { get: {} },
          servers: [],
          summary: 'A path',
        },
      },
    };
    const endpoint = await only(document);
    expect(endpoint.inputSchema).toEqual({
      type: 'object',
      properties: { id: { type: 'integer' }, other: { type: 'string' }, q: {} },
      required: ['id', 'other'],
      additionalProperties: false,
    });
    expect(await codes(document)).toEqual(['path_parameter_undeclared']);
  });

  it('knows from the verb what is safe', async () => {
    const paths = {
      '/a': Object.fromEntries(
        ['get', 'head', 'put', 'delete', 'post', 'patch', 'query'].map((verb) => [verb, {}]),
      ),
    };
    const { endpoints } = await read({ openapi: '3.2.0', paths });
    const letters = ({ safety: { readOnly, idempotent, destructive } }: FlatEndpoint) =>
      `${readOnly ? 'r' : ''}${idempotent ? 'i' : ''}${destructive ? 'd' : ''}`;
    expect(Object.fromEntries(endpoints.map((endpoint) => [endpoint.method, letters(endpoint)]))).toEqual({
      get: 'ri',
      head: 'ri',
      put: 'i',
      delete: 'id',
      post: '',
      patch: '',
      query: 'ri',
    });
  });

  it('keeps security requirements as any-of sets', async () => {
    const scopes = async (security: unknown, root: object = {}) =>
      (await only(withOperation({ security }, root))).scopes;
    const components = {
      securitySchemes: {
        oauth: { type: 'oauth2', flows: { implicit: { scopes: { a: 'Read', z: 'Not asked' } } } },
      },
    };
    expect(await scopes([{ oauth: ['b', 'a'] }, { oauth: ['c'], key: [] }], { components })).toEqual([
      [{ scheme: 'oauth', scopes: ['a', 'b'], descriptions: { a: 'Read' } }],
      [
        { scheme: 'key', scopes: [] },
        { scheme: 'oauth', scopes: ['c'] },
      ],
    ]);
    expect(await scopes([{ oauth: ['a'] }, {}, { oauth: ['a', 'a'] }])).toEqual([
      [{ scheme: 'oauth', scopes: ['a'] }],
      [],
    ]);
    expect(await scopes([], { security: [{ oauth: ['a'] }] })).toEqual([]);
    expect(await scopes(undefined, { security: [{ oauth: ['a'] }] })).toEqual([
      [{ scheme: 'oauth', scopes: ['a'] }],
    ]);
  });

  it('honours what authors say about tools', async () => {
    const hidden = (operation: object, root: object = {}) => codes(withOperation(operation, root));
    expect(await hidden({ 'x-mcp': false })).toContain('operation_hidden');
    expect(await hidden({ 'x-speakeasy-mcp': { disabled: true } })).toContain('operation_hidden');
    expect(await hidden({}, { 'x-mcp': { enabled: false } })).toContain('operation_hidden');
    expect(await hidden({ 'x-mcp': true }, { 'x-mcp': false })).not.toContain('operation_hidden');
    const named = { name: 'thing-tool', title: 'Thing', description: 'For agents.' };
    const endpoint = await only(withOperation({ operationId: 'x', 'x-speakeasy-mcp': named }));
    expect(endpoint).toMatchObject({ ...named, sourceName: 'x' });
  });

  it.each([
    [true, true],
    [false, undefined],
    ['true', undefined],
  ])('x-openai-isConsequential: %j asks for approval: %j', async (said, asked) => {
    const { safety } = await only(withOperation({ 'x-openai-isConsequential': said }));
    expect(safety.humanApprovalRequired).toBe(asked);
  });
});

describe('bodies', () => {
  const properties = async (requestBody: object, rest: object = {}) =>
    (await only(withOperation({ requestBody }, rest))).inputSchema['properties'] as JsonObject;

  it.each([
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['a text', { type: 'string' }],
    ['an object without named properties', { type: 'object', additionalProperties: { type: 'string' } }],
    ['an object or a list', { anyOf: [{ type: 'object', properties: { a: {} } }, { type: 'array' }] }],
    ['a boolean schema', true as unknown as object],
  ])('%s is the property body', async (_name, schema) => {
    expect(Object.keys(await properties(body(schema))).sort()).toEqual(['body', 'id']);
  });

  it('merges objects that are composed', async () => {
    const schemas = {
      Base: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string' }, kind: { const: 'one' } },
      },
      Other: {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'string' }, b: {}, kind: { const: 'two' } },
      },
    };
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const all = await only(
      withOperation(
        {
          requestBody: body(
            { allOf: [ref('Base'), { required: ['c'], properties: { c: {} } }] },
            { required: true },
          ),
        },
        { components: { schemas } },
      ),
    );
    expect(all.inputSchema['required']).toEqual(['id', 'a', 'c']);
    const one = await only(
      withOperation(
        { requestBody: body({ oneOf: [ref('Base'), ref('Other')] }, { required: true }) },
        { components: { schemas } },
      ),
    );
    expect(one.inputSchema).toMatchObject({
      properties: { a: { type: 'string' }, b: {}, kind: { type: 'string', enum: ['one', 'two'] } },
      required: ['id', 'a'],
    });
  });

  it('asks for a whole body only where it may be left out', async () => {
    const schema = { type: 'object', required: ['a', 'b'], properties: { a: {}, b: {}, c: {} } };
    const { inputSchema } = await only(withOperation({ requestBody: body(schema) }));
    expect(inputSchema['required']).toEqual(['id']);
    expect(inputSchema['dependentRequired']).toEqual({ a: ['b'], b: ['a'], c: ['a', 'b'] });
  });

  it('leaves out what is read only, even where it is required elsewhere', async () => {
    const schemas = {
      Base: { type: 'object', properties: { uid: { type: 'string', readOnly: true }, name: {} } },
    };
    const schema = { allOf: [{ $ref: '#/components/schemas/Base' }], required: ['uid', 'name'] };
    const { inputSchema, outputSchema } = await only(
      withOperation(
        { requestBody: body(schema, { required: true }), responses: { 200: body(schema) } },
        { components: { schemas } },
      ),
    );
    expect(inputSchema['required']).toEqual(['id', 'name']);
    expect(Object.keys(inputSchema['properties'] as object)).toEqual(['id', 'name']);
    expect(JSON.stringify(outputSchema)).toContain('uid');
  });

  it('prefers JSON, and says of other media types how they travel', async () => {
    const content = {
      'text/plain': {},
      'application/xml': { schema: { type: 'object', properties: { x: {} } } },
      'application/vnd.api+json': { schema: { type: 'object', properties: { j: {} } } },
    };
    expect(Object.keys(await properties({ content }))).toEqual(['id', 'j']);
    const form = await only(
      withOperation({
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { file: { type: 'string', format: 'binary' }, tags: { type: 'array' } },
              },
              encoding: { tags: { style: 'form', explode: false } },
            },
          },
        },
      }),
    );
    expect(form.inputSchema['properties']).toMatchObject({
      file: { type: 'string', contentEncoding: 'base64' },
    });
    expect(form.parameters['tags']).toEqual({
      in: 'body',
      name: 'tags',
      style: 'form',
      explode: false,
      mediaType: 'multipart/form-data',
    });
    expect(await properties({ content: { 'image/png': {} } })).toMatchObject({
      body: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
    });
    expect(await properties({ content: { 'text/csv': {} } })).toMatchObject({ body: { type: 'string' } });
  });
});

describe('what is broken in a good document', () => {
  it('costs no more than itself', async () => {
    const document = {
      openapi: '3.1.0',
      paths: {
        '/good': { get: { operationId: 'good' } },
        '/bad': { get: 'oops', post: null, put: [] },
        '/odd': { get: { parameters: 'x', responses: 5, requestBody: 7, tags: {}, security: 'no' } },
        '/gone': { $ref: '#/components/pathItems/nowhere' },
        '/out': { $ref: 'http://127.0.0.1/x' },
        '/there': { $ref: '#/components/pathItems/there' },
        'no-slash': { get: { parameters: [{ in: 'query' }, { name: 'a' }, { $ref: '#/nowhere' }, 5] } },
      },
      components: { pathItems: { there: { get: { operationId: 'there' } } } },
    };
    const { endpoints, warnings } = await read(document);
    expect(endpoints.map(({ key }) => key)).toEqual(['/good@get', '/odd@get', '/there@get', 'no-slash@get']);
    const count = (code: string) => warnings.filter((warning) => warning.code === code).length;
    expect([
      count('operation_skipped'),
      count('broken_reference'),
      count('external_reference'),
      count('parameter_dropped'),
    ]).toEqual([3, 2, 1, 2]);
    expect(warnings.find(({ code }) => code === 'operation_skipped')?.pointer).toBe('/paths/~1bad/get');
  });

  it('reports webhooks and callbacks, which nobody can call', async () => {
    const operation = { callbacks: { done: { '{$url}': { post: {} } } } };
    const document = withOperation(operation, { webhooks: { news: { post: {} } } });
    expect(await codes(document)).toEqual(
      expect.arrayContaining(['webhooks_left_out', 'callbacks_left_out']),
    );
    expect((await only(document)).extras['callbacks']).toEqual(['done']);
  });
});

describe('OpenAPI 2.0', () => {
  const swagger = {
    swagger: '2.0',
    host: 'api.example.test',
    basePath: '/v1',
    schemes: ['https'],
    consumes: ['application/json'],
    parameters: {
      Body: { name: 'thing', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } },
    },
    definitions: {
      Thing: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', 'x-nullable': true } },
      },
    },
    responses: { Fine: { description: 'ok', schema: { $ref: '#/definitions/Thing' } } },
    paths: {
      '/things/{id}': {
        get: { responses: { 200: { $ref: '#/responses/Fine' } } },
        parameters: [{ name: 'id', in: 'path', type: 'integer', required: true }],
        put: {
          parameters: [
            { $ref: '#/parameters/Body' },
            {
              name: 'tags',
              in: 'query',
              type: 'array',
              items: { type: 'string' },
              collectionFormat: 'multi',
            },
          ],
        },
        post: {
          consumes: ['multipart/form-data'],
          parameters: [{ name: 'file', in: 'formData', type: 'file', required: true }],
        },
      },
    },
  };

  it('keeps path parameters, shared bodies, form fields and responses', async () => {
    const { endpoints, formatVersion } = await read(swagger);
    expect(formatVersion).toBe('2.0');
    const [get, post, put] = endpoints;
    expect(get?.inputSchema).toMatchObject({ properties: { id: { type: 'integer' } }, required: ['id'] });
    expect(get?.outputSchema).toEqual({
      type: 'object',
      required: ['name'],
      properties: { name: { type: ['string', 'null'] } },
    });
    expect(put?.inputSchema['required']).toEqual(['id', 'name']);
    expect(put?.parameters['tags']).toEqual({ in: 'query', name: 'tags' });
    expect(post?.inputSchema).toMatchObject({
      properties: { file: { type: 'string', contentEncoding: 'base64' } },
      required: ['id', 'file'],
    });
    expect(post?.parameters['file']?.mediaType).toBe('multipart/form-data');
    expect(get?.extras['servers']).toEqual([{ url: 'https://api.example.test/v1' }]);
  });
});
