import { readFlat, type FlatEndpoint } from '../../../test/flat-endpoints.js';
import type { JsonObject } from '../../documents/json.js';

/** What a document says of its requests, as far as it is about where arguments go and how they are written. */
const read = (source: object) => readFlat(source, { format: 'auto' });
const document = (paths: object, rest: object = {}) => ({ openapi: '3.1.0', paths, ...rest });

async function only(paths: object, rest: object = {}): Promise<FlatEndpoint> {
  const { endpoints } = await read(document(paths, rest));
  expect(endpoints).toHaveLength(1);
  return endpoints[0] as FlatEndpoint;
}
const warnings = async (paths: object) => (await read(document(paths))).warnings.map(({ code }) => code);
const properties = ({ inputSchema }: FlatEndpoint) => inputSchema['properties'] as JsonObject;
const text = { type: 'string' };
const named = (name: string, place: string, schema: object = text) => ({ name, in: place, schema });

describe('paths', () => {
  it.each([
    [String.raw`/tags/{tagId:\d+}/update`, '/tags/{tagId}/update'],
    ['/tags/{ tagId : [a-z]{2,3} }', '/tags/{tagId}'],
    [String.raw`/tags/{tagId:\{.\}}.json`, '/tags/{tagId}.json'],
    ['/tags/{tagId:[^/]+}', '/tags/{tagId}'],
    ['/tags/{tagId}#old', '/tags/{tagId}'],
  ])('are called without what %s says beside the name', async (key, path) => {
    const operation = { post: { parameters: [named('tagId', 'path', { type: 'integer' })] } };
    const endpoint = await only({ [key]: operation });
    expect(endpoint).toMatchObject({ key: `${key}@post`, path });
    expect(properties(endpoint)).toEqual({ tagId: { type: 'integer' } });
    expect(endpoint.inputSchema['required']).toEqual(['tagId']);
    expect(await warnings({ [key]: operation })).toEqual([]);
  });

  it('keep a name with a colon that is declared so', async () => {
    const { path, parameters } = await only({
      '/a/{b:c}': { get: { parameters: [named('b:c', 'path')] } },
    });
    expect(path).toBe('/a/{b:c}');
    expect(parameters).toEqual({ b_c: { in: 'path', name: 'b:c' } });
  });

  it('have a fixed query, and leave to parameters what these write', async () => {
    const endpoint = await only({
      '/find?beta=true&q={q}&in={place}': {
        get: { parameters: [named('q', 'query'), named('place', 'path')] },
      },
    });
    expect(endpoint.path).toBe('/find?beta=true&in={place}');
    expect(endpoint.parameters).toEqual({
      place: { in: 'path', name: 'place' },
      q: { in: 'query', name: 'q' },
    });
  });

  it('are told apart by expressions and queries, and not by fragments', async () => {
    const get = { get: {} };
    expect(
      await warnings({ [String.raw`/a/{b:\d+}`]: get, '/a/{b:[a-z]+}': get, '/a?b=c': get }),
    ).not.toContain('paths_collide');
    expect(await warnings({ '/a#b': get, '/a#c': get })).toContain('paths_collide');
    expect(await warnings({ '/a/{b}': get, '/a/{c}': get })).toContain('paths_collide');
  });

  it('have parameters of whatever name', async () => {
    const names = ['toString', 'constructor', '__proto__'];
    const endpoint = await only({
      '/a/{toString}/{__proto__}': { get: { parameters: names.map((name) => named(name, 'query')) } },
    });
    expect(endpoint.parameters).toEqual({
      toString: { in: 'path', name: 'toString' },
      proto: { in: 'path', name: '__proto__' },
      toString__query: { in: 'query', name: 'toString' },
      constructor: { in: 'query', name: 'constructor' },
      proto__query: { in: 'query', name: '__proto__' },
    });
    expect(Object.keys(properties(endpoint)).sort()).toEqual(Object.keys(endpoint.parameters).sort());
  });
});

describe('headers', () => {
  it.each([
    ...['Host', 'content-length', 'Connection', 'Transfer-Encoding', 'Cookie', 'Proxy-Authorization'],
    ...['X Trace', 'X:Trace', 'X-Träce', 'Portal-Catalog-Session'],
  ])('that nobody may set are not offered: %s', async (name) => {
    const paths = {
      '/a': { get: { parameters: [named(name, 'header'), named('Content-Language', 'header')] } },
    };
    expect(Object.keys((await only(paths)).parameters)).toEqual(['Content-Language']);
    expect(await warnings(paths)).toEqual(['parameter_dropped']);
  });

  it('are one argument, in whatever case they are named', async () => {
    const parameters = [named('X-Trace', 'header'), named('q', 'query'), named('Q', 'query')];
    const endpoint = await only({
      '/a': { parameters, get: { parameters: [named('x-trace', 'header', { type: 'integer' })] } },
    });
    expect(properties(endpoint)).toEqual({ q: text, Q: text, 'x-trace': { type: 'integer' } });
  });
});

const withBody = (mediaType: string, media: object, more: object = {}) => ({
  '/a': { post: { requestBody: { content: { [mediaType]: media }, ...more } } },
});

describe('bodies', () => {
  const schema = { type: 'object', properties: { q: text, r: text } };

  it('of a GET are told of', async () => {
    const requestBody = { content: { 'application/json': { schema } } };
    expect(await warnings({ '/a': { get: { requestBody } } })).toEqual(['body_unusual']);
    expect(await warnings({ '/a': { delete: { requestBody } } })).toEqual([]);
  });

  it('that are required are sent, even where none of their members is', async () => {
    const always = async (described: object, required: boolean) =>
      Object.values(
        (await only(withBody('application/json', { schema: described }, { required }))).parameters,
      ).map((route) => route.always ?? false);
    expect(await always(schema, true)).toEqual([true, true]);
    expect(await always(schema, false)).toEqual([false, false]);
    expect(await always({ ...schema, required: ['q'] }, true)).toEqual([false, false]);
    const answered = { type: 'object', properties: { q: { ...text, readOnly: true } } };
    const { inputSchema, parameters } = await only(
      withBody('application/json', { schema: answered }, { required: true }),
    );
    expect(inputSchema).toMatchObject({ properties: { body: { type: 'object' } }, required: ['body'] });
    expect(parameters).toEqual({ body: { in: 'body', name: '' } });
    expect(await always(answered, false)).toEqual([]);
  });

  it('say the types of their parts, and which of them are bytes', async () => {
    const image = { ...text, contentMediaType: 'image/png' };
    const endpoint = await only(
      withBody('multipart/form-data', {
        schema: {
          type: 'object',
          properties: {
            image,
            images: { type: 'array', items: image },
            scan: text,
            table: text,
            meta: { type: 'object' },
          },
        },
        encoding: {
          scan: { contentType: 'image/*, application/pdf' },
          table: { contentType: 'text/csv' },
          meta: { contentType: 'application/vnd.meta+json' },
        },
      }),
    );
    expect(properties(endpoint)).toEqual({
      image: { ...image, contentEncoding: 'base64' },
      images: { type: 'array', items: { ...image, contentEncoding: 'base64' } },
      scan: { ...text, contentEncoding: 'base64', contentMediaType: 'application/pdf' },
      table: text,
      meta: { type: 'object' },
    });
    const types = Object.entries(endpoint.parameters).map(([name, { partType }]) => [name, partType]);
    expect(Object.fromEntries(types)).toEqual({
      scan: 'application/pdf',
      table: 'text/csv',
      meta: 'application/vnd.meta+json',
    });
  });

  it('say which of their parts are bytes that may be left out as null', async () => {
    const image = { ...text, contentMediaType: 'image/png' };
    const bytes = { ...image, contentEncoding: 'base64' };
    const none = { type: 'null' };
    const endpoint = await only(
      withBody('multipart/form-data', {
        schema: {
          type: 'object',
          properties: {
            one: { anyOf: [image, none] },
            two: { anyOf: [{ type: 'array', items: image }, none] },
            three: { ...image, type: ['string', 'null'] },
            four: { anyOf: [text, none] },
          },
        },
      }),
    );
    expect(properties(endpoint)).toEqual({
      one: { anyOf: [bytes, none] },
      two: { anyOf: [{ type: 'array', items: bytes }, none] },
      three: { ...bytes, type: ['string', 'null'] },
      four: { anyOf: [text, none] },
    });
  });

  it.each(['image/png', 'application/octet-stream', 'application/pdf'])(
    'of %s are in base64, also where their schema says no more than text',
    async (mediaType) => {
      expect(properties(await only(withBody(mediaType, { schema: text })))).toMatchObject({
        body: { type: 'string', contentEncoding: 'base64' },
      });
    },
  );

  it.each(['application/x-ndjson', 'application/jsonl'])('of %s are one text of lines', async (mediaType) => {
    const lines = { type: 'array', items: { type: 'object' }, description: 'Rows.' };
    const endpoint = await only(withBody(mediaType, { schema: lines }));
    expect(properties(endpoint)).toEqual({ body: { ...text, description: 'Rows.' } });
    expect(endpoint.parameters).toEqual({ body: { in: 'body', name: '', mediaType } });
  });

  it('of XML are one text, with an outline of what it holds', async () => {
    const Pet = {
      type: 'object',
      required: ['name'],
      xml: { name: 'pet', namespace: 'urn:pets', prefix: 'p' },
      properties: {
        id: { type: 'integer', xml: { attribute: true } },
        uid: { type: 'string', readOnly: true },
        name: text,
        photos: { type: 'array', xml: { wrapped: true }, items: { ...text, xml: { name: 'photo' } } },
        tags: {
          type: 'array',
          items: { type: 'object', xml: { name: 'tag' }, properties: { kind: { enum: ['a', 'b'] } } },
        },
        parent: { $ref: '#/components/schemas/Pet' },
      },
    };
    const endpoint = await only(
      withBody(
        'application/xml',
        { schema: { $ref: '#/components/schemas/Pet' } },
        { description: 'A pet.' },
      ),
      { components: { schemas: { Pet } } },
    );
    expect(endpoint.parameters).toEqual({ body: { in: 'body', name: '', mediaType: 'application/xml' } });
    expect(properties(endpoint)).toEqual({
      body: {
        type: 'string',
        description:
          'A pet.\nXML of this form: <p:pet xmlns:p="urn:pets" id="integer"><!-- required --><name>string</name>' +
          '<photos><photo>string</photo><!-- repeated --></photos>' +
          '<tag><kind>a | b</kind></tag><!-- repeated --><p:pet>…</p:pet></p:pet>',
      },
    });
  });

  it('of XML that say nothing of their elements are plain texts', async () => {
    expect(properties(await only(withBody('text/xml', {})))).toEqual({ body: text });
  });
});

describe('lists of OpenAPI 2.0', () => {
  const list = { type: 'array', items: text };
  const written = async (
    place: string,
    collectionFormat?: string,
    mediaType = 'application/x-www-form-urlencoded',
  ) => {
    const parameter = { name: 'x', in: place, required: place === 'path', ...list };
    const { endpoints } = await read({
      swagger: '2.0',
      paths: {
        '/a/{x}': {
          post: {
            consumes: [mediaType],
            parameters: [{ ...parameter, ...(collectionFormat && { collectionFormat }) }],
          },
        },
      },
    });
    const { style, explode } =
      Object.values(endpoints[0]?.parameters ?? {}).find(
        (route) => route.in !== 'path' || place === 'path',
      ) ?? {};
    return [style, explode];
  };

  it.each([
    ['query', undefined, undefined, false],
    ['query', 'csv', undefined, false],
    ['query', 'ssv', 'spaceDelimited', undefined],
    ['query', 'tsv', 'tabDelimited', undefined],
    ['query', 'pipes', 'pipeDelimited', undefined],
    ['query', 'multi', undefined, undefined],
    ['path', undefined, undefined, undefined],
    ['path', 'pipes', 'pipeDelimited', undefined],
    ['header', 'tsv', 'tabDelimited', undefined],
    ['formData', undefined, 'form', false],
    ['formData', 'tsv', 'tabDelimited', false],
    ['formData', 'multi', 'form', true],
  ])('in the %s by %s are written in the style %s, exploded: %s', async (place, format, style, explode) => {
    expect(await written(place, format)).toEqual([style, explode]);
  });

  it('are written so in parts, too', async () => {
    expect(await written('formData', 'pipes', 'multipart/form-data')).toEqual(['pipeDelimited', false]);
  });
});
