import { PipelineServer, type Call } from '../../../test/pipeline-server.js';
const uuid = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';
let server: PipelineServer;

beforeAll(async () => {
  server = await PipelineServer.start();
});
afterAll(async () => {
  await server.stop();
});

const outcome = (method: string, path: string, call?: Call): Promise<string> =>
  server.outcome(method, path, call);
const json = (method: string, path: string, call?: Call): Promise<Record<string, unknown>> =>
  server.json(method, path, call);

describe('the path', () => {
  it.each(['x', uuid.toUpperCase(), `${uuid}0`, '%00', '%F0%9F%98%80'])('holds no id in %p', async (id) => {
    expect(await outcome('GET', `/things/${id}`)).toBe('400 invalid_path');
  });

  it('may hold any text as apiId, but none that can’t be kept', async () => {
    expect(await json('GET', '/apis/a%2Fb%20c')).toHaveProperty('params.apiId', 'a/b c');
    expect(await outcome('GET', '/apis/a%00')).toBe('400 invalid_path');
    expect(await outcome('GET', `/apis/${'a'.repeat(700)}`)).toBe('400 invalid_path');
  });

  it('with a broken encoding is refused', async () => {
    expect(await outcome('GET', '/apis/%E0%A4%A')).toBe('400 invalid_path');
  });
});

describe('the query', () => {
  it('is coerced and filled with defaults', async () => {
    expect(await json('GET', '/things?limit=7&names=a&deep=true')).toMatchObject({
      query: { limit: 7, active: 'true', names: ['a'], deep: true },
    });
  });

  it.each([
    'limit=0',
    'limit=501',
    'limit=x',
    'limit=1&limit=2',
    'odd=1',
    'active=maybe',
    'names=%00',
    'cursor=',
    '__proto__=1',
    'constructor=1',
  ])('%s is refused', async (query) => {
    expect(await outcome('GET', `/things?${query}`)).toBe('400 invalid_query');
  });

  it('never carries a token', async () => {
    expect(await outcome('GET', '/things?access_token=x', { claims: null })).toBe('401 token_missing');
    expect(await outcome('GET', '/things?access_token=x')).toBe('400 invalid_query');
  });
});

describe('a JSON body', () => {
  it('arrives with its defaults', async () => {
    expect(await json('POST', '/things', { body: { name: 'a' } })).toMatchObject({
      body: { name: 'a', count: 3 },
    });
  });

  it('is refused with every fault and its place', async () => {
    const { errors } = await json('POST', '/things', {
      body: { count: 'x', 'a/b~c': 1, items: [{ odd: 1 }] },
    });
    expect(errors).toEqual(
      expect.arrayContaining([
        { pointer: '/name', detail: 'is missing' },
        { pointer: '/count', detail: 'must be a whole number' },
        { pointer: '/a~1b~0c', detail: expect.stringContaining('is not known here') },
        { pointer: '/items/0/odd', detail: expect.stringContaining('is not known here') },
      ]),
    );
  });

  it('is measured in characters, not in UTF-16 units', async () => {
    expect(await outcome('POST', '/things', { body: { name: '😀'.repeat(5) } })).toBe('200');
    expect(await outcome('POST', '/things', { body: { name: '😀'.repeat(6) } })).toBe('400 invalid_body');
  });

  it.each(['', ' ', 'null', '[]', '7', '"a"'])('may not be %p', async (raw) => {
    expect((await outcome('POST', '/things', { raw })).slice(0, 3)).toBe('400');
  });

  it('that is malformed is refused with line and column', async () => {
    expect(await json('POST', '/things', { raw: '{\n  "name": "a",\n  oops\n}' })).toMatchObject({
      code: 'malformed_json',
      detail: expect.stringContaining('line 3, column 3'),
    });
    for (const raw of [
      '{"a":1',
      '{"a":1,}',
      '{"a" 1}',
      '// c\n{}',
      "{'a':1}",
      '{"a":01}',
      '[',
      '['.repeat(200_000),
    ]) {
      expect(await json('POST', '/things', { raw })).toMatchObject({
        status: 400,
        detail: expect.stringMatching(/line \d+, column \d+/),
      });
    }
  });

  it('holds nothing that can’t be kept', async () => {
    const deep = `${'{"a":'.repeat(80)}1${'}'.repeat(80)}`;
    const wide = `{${Array.from({ length: 10_001 }, (_, at) => `"m${String(at)}":1`).join()}}`;
    for (const inner of [
      '"\\u0000"',
      '"\\ud800"',
      '{"a\\u0000":1}',
      '1e999',
      '{"__proto__":1}',
      wide,
      deep,
    ]) {
      const { status, errors } = await json('POST', '/things', {
        raw: `{"name":"a","config":{"x":${inner}}}`,
      });
      expect({ status, errors }).toEqual({
        status: 400,
        errors: [{ pointer: expect.stringMatching(/^\/config\/x/), detail: expect.any(String) }],
      });
    }
    expect(await outcome('POST', '/things', { raw: Buffer.from([0x22, 0xff, 0x22]) })).toBe(
      '400 malformed_json',
    );
  });

  it('can’t reach a prototype', async () => {
    expect(await outcome('POST', '/things', { raw: '{"name":"a","__proto__":{"count":1}}' })).toBe(
      '400 invalid_body',
    );
    expect(await outcome('POST', '/things', { raw: '{"name":"a","constructor":{"prototype":1}}' })).toBe(
      '400 invalid_body',
    );
    expect(await outcome('POST', '/things', { raw: '{"name":"a","config":{"constructor":1}}' })).toBe('200');
    expect(await outcome('POST', '/search', { raw: '{"toString":1}' })).toBe('400 invalid_body');
    expect(({} as Record<string, unknown>)['count']).toBeUndefined();
  });

  it('of 9,000 faults is answered shortly', async () => {
    const body = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`k${String(index)}`, 1]));
    const { errors } = await json('POST', '/things', { body });
    expect(errors).toHaveLength(101);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', ''])(
    'is not taken as %p',
    async (type) => {
      const call = { raw: Buffer.from('{"name":"a"}'), headers: { 'content-type': type } };
      expect(await outcome('POST', '/things', call)).toBe('415 unsupported_media_type');
    },
  );

  it('is taken as application/json with or without a charset, but not compressed', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect(await outcome('POST', '/things', { body: { name: 'a' }, headers })).toBe('200');
    expect(
      await outcome('POST', '/things', { body: { name: 'a' }, headers: { 'content-encoding': 'gzip' } }),
    ).toBe('415 unsupported_media_type');
  });

  it('is refused where the operation takes none, unless it is empty', async () => {
    const path = `/things/${uuid}/activate`;
    expect(await outcome('POST', path)).toBe('200');
    expect(await outcome('POST', path, { body: {} })).toBe('200');
    expect(await outcome('POST', path, { body: { name: 'a' } })).toBe('400 invalid_body');
  });
});

describe('an upload', () => {
  it.each(['application/json', 'application/yaml', 'text/plain; charset=utf-8'])(
    'as %s arrives as bytes',
    async (type) => {
      const raw = Buffer.alloc(3 << 20, '{');
      expect(await json('POST', '/documents', { raw, headers: { 'content-type': type } })).toMatchObject({
        bytes: raw.length,
      });
    },
  );

  it('is bounded, and must be there', async () => {
    expect(await outcome('POST', '/documents', { raw: Buffer.alloc((32 << 20) + 1) })).toBe(
      '413 body_too_large',
    );
    expect(await outcome('POST', '/documents')).toBe('400 invalid_body');
    expect(await outcome('POST', '/documents', { raw: 'x', headers: { 'content-type': 'image/png' } })).toBe(
      '415 unsupported_media_type',
    );
  });
});
