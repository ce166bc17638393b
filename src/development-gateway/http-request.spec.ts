import type { ParameterRoute } from '../gateways/shared.js';
import { httpRequest } from './http-request.js';

const base = new URL('https://api.example.com/v1/');

type Requested = Parameters<typeof httpRequest>[0];

function tool(
  parameters: Readonly<Record<string, ParameterRoute>>,
  more: Partial<Requested> = {},
): Requested {
  return { path: '/a/{x}', method: 'post', inputSchema: { type: 'object' }, ...more, parameters };
}
const query = (route: Partial<ParameterRoute>, value: unknown) =>
  httpRequest(tool({ q: { in: 'query', name: 'q', ...route } }, { path: '/a' }), base, { q: value }).url
    .search;
const path = (route: Partial<ParameterRoute>, value: unknown) =>
  httpRequest(tool({ x: { in: 'path', name: 'x', ...route } }), base, { x: value }).url.pathname;
const body = (mediaType: string, value: unknown, schema: object = {}) =>
  httpRequest(
    tool(
      { body: { in: 'body', name: '', mediaType } },
      { path: '/a', inputSchema: { properties: { body: schema } } },
    ),
    base,
    { body: value },
  );

const fields = (
  mediaType: string,
  routes: Readonly<Record<string, Partial<ParameterRoute>>>,
  properties = {},
) =>
  tool(
    Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [name, { in: 'body', name, mediaType, ...route }]),
    ),
    { path: '/a', inputSchema: { properties } },
  );
type Routes = Parameters<typeof fields>[1];
const form = (routes: Routes) => fields('application/x-www-form-urlencoded', routes);
const parts = (routes: Routes, properties = {}) => fields('multipart/form-data', routes, properties);
const text = ({ body: content }: { readonly body?: string | Uint8Array }) =>
  Buffer.from(content as Uint8Array).toString();

const unfit = { code: 'invalid_arguments' };
function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (fault) {
    return fault;
  }
}

describe('the request for the arguments of a tool', () => {
  it.each<[Partial<ParameterRoute>, unknown, string]>([
    [{}, 'a&b=c ü', '?q=a%26b%3Dc%20%C3%BC'],
    [{}, [1, true], '?q=1&q=true'],
    [{}, [], ''],
    [{}, { a: 1, b: 'x' }, '?a=1&b=x'],
    [{ explode: false }, ['a', 'b'], '?q=a,b'],
    [{ explode: false }, { a: 1, b: 2 }, '?q=a,1,b,2'],
    [{ explode: false }, ['a,b', 'c'], '?q=a%2Cb,c'],
    [{ explode: false }, { a: 1, b: 2, c: null }, '?q=a,1,b,2'],
    [{ style: 'pipeDelimited' }, ['a', 'b'], '?q=a%7Cb'],
    [{ style: 'pipeDelimited' }, ['a', 'b|c'], '?q=a%7Cb%257Cc'],
    [{ style: 'pipeDelimited' }, ['b|c'], '?q=b%7Cc'],
    [{ style: 'spaceDelimited' }, ['a', 'b'], '?q=a%20b'],
    [{ style: 'spaceDelimited' }, ['a', 'b c'], '?q=a%20b%2520c'],
    [{ style: 'tabDelimited' }, ['a', 'b'], '?q=a%09b'],
    [{ style: 'deepObject', explode: true }, { a: 1 }, '?q%5Ba%5D=1'],
    [
      { style: 'deepObject', explode: true },
      { a: { b: 'x', c: null }, d: ['y', { e: 1 }] },
      '?q%5Ba%5D%5Bb%5D=x&q%5Bd%5D%5B0%5D=y&q%5Bd%5D%5B1%5D%5Be%5D=1',
    ],
    [{ style: 'deepObject' }, ['a', 'b'], '?q%5B0%5D=a&q%5B1%5D=b'],
    [{ mediaType: 'application/json' }, { a: [1] }, '?q=%7B%22a%22%3A%5B1%5D%7D'],
    [{ mediaType: 'text/plain' }, 'as it is', '?q=as%20it%20is'],
    [{ name: '' }, { a: 'x y' }, '?a=x+y'],
    [{ name: '', mediaType: 'application/x-www-form-urlencoded' }, { a: 'x y' }, '?a=x+y'],
    [{ name: '', mediaType: 'application/json' }, { a: 1 }, '?%7B%22a%22%3A1%7D'],
    [{}, null, ''],
  ])('writes a query as %j says: %j', (route, value, written) => {
    expect(query(route, value)).toBe(written);
  });

  it.each<[Partial<ParameterRoute>, unknown, string]>([
    [{}, 'a/b?c#d', '/v1/a/a%2Fb%3Fc%23d'],
    [{}, ['a', 'b'], '/v1/a/a,b'],
    [{ explode: true }, { k: 'v', l: 'w' }, '/v1/a/k=v,l=w'],
    [{ style: 'label' }, 'x', '/v1/a/.x'],
    [{ style: 'label', explode: true }, ['a', 'b'], '/v1/a/.a.b'],
    [{ style: 'label', explode: true }, [1.5, 'a.b'], '/v1/a/.1%2E5.a%2Eb'],
    [{ style: 'label', explode: true }, { k: 'v.w' }, '/v1/a/.k=v%2Ew'],
    [{ style: 'label' }, 'a.b', '/v1/a/.a.b'],
    [{ style: 'matrix' }, ['a', 'b'], '/v1/a/;x=a,b'],
    [{ style: 'matrix', explode: true }, { k: 'v' }, '/v1/a/;k=v'],
    [{ style: 'pipeDelimited' }, ['a', 'b'], '/v1/a/a%7Cb'],
    [{ mediaType: 'application/json' }, { k: 1 }, '/v1/a/%7B%22k%22%3A1%7D'],
  ])('writes a path as %j says: %j', (route, value, written) => {
    expect(path(route, value)).toBe(written);
  });

  it.each<[Partial<ParameterRoute>, unknown, string]>([
    [{}, ['a', 'b'], 'a,b'],
    [{ style: 'tabDelimited' }, ['a', 'b'], 'a\tb'],
    [{ mediaType: 'application/json' }, { k: 1 }, '{"k":1}'],
  ])('writes a header as %j says: %j', (route, value, written) => {
    const described = tool({ h: { in: 'header', name: 'X-Way', ...route } }, { path: '/a' });
    expect(httpRequest(described, base, { h: value }).headers).toMatchObject({ 'x-way': written });
  });

  it.each<[Partial<ParameterRoute>, unknown]>([
    [{}, ['a,b', 'c']],
    [{}, ['a,b']],
    [{}, [{ k: 1, l: 2 }]],
    [{}, { k: 'a,b' }],
    [{ explode: true }, { 'k,l': 'a' }],
  ])('refuses a comma that a header would take for one between items: %j %j', (route, value) => {
    const described = tool({ h: { in: 'header', name: 'X-Way', ...route } }, { path: '/a' });
    expect(refusal(() => httpRequest(described, base, { h: value }))).toMatchObject({
      ...unfit,
      message: '/h holds a comma within an item, which a header can’t tell from one between items.',
    });
  });

  it('writes a list in a cookie, where no comma may stand', () => {
    const described = tool({ c: { in: 'cookie', name: 'c', explode: false } }, { path: '/a' });
    const { headers } = httpRequest(described, base, { c: ['a,b', 'c'] });
    expect(headers).toMatchObject({ cookie: 'c=a%252Cb%2Cc' });
  });

  it('never leaves the endpoint', () => {
    for (const value of ['', '.', '..', null]) expect(refusal(() => path({}, value))).toMatchObject(unfit);
    expect(refusal(() => path({ style: 'label' }, '.'))).toMatchObject(unfit);
    expect(path({}, '%2e%2e')).toBe('/v1/a/%252e%252e');
    const header = (name: string, value: string) =>
      httpRequest(tool({ h: { in: 'header', name } }, { path: '/a' }), base, { h: value });
    expect(header('Content-Language', 'de').headers).toMatchObject({ 'content-language': 'de' });
    expect(header('X-Way', 'a, b').headers).toMatchObject({ 'x-way': 'a, b' });
    for (const [name, value] of [
      ['X-Way', 'a\r\nx: y'],
      ['Host', 'b'],
      ['Authorization', 'b'],
      ['Content-Length', '1'],
    ] as const)
      expect(refusal(() => header(name, value))).toMatchObject(unfit);
  });

  it.each([
    ['/a\\{x}', '..'],
    ['/a/{x}\t', '..'],
    ['/a/.\t./{x}', 'b'],
    ['/a\\..\\{x}', 'b'],
    ['/../{x}', 'b'],
    ['/%2e%2E/{x}', 'b'],
  ])('refuses the path %j with %j in it, which an address would read as another', (template, value) => {
    const route: ParameterRoute = { in: 'path', name: 'x' };
    const described = tool({ x: route }, { path: template });
    expect(refusal(() => httpRequest(described, base, { x: value }))).toMatchObject(unfit);
  });

  it.each<[ParameterRoute['in'], unknown]>([
    ['path', 'a\ud800'],
    ['path', { '\udfff': 'a' }],
    ['query', ['a', { b: '\ud83d' }]],
    ['cookie', '\ude00\ud83d'],
  ])('refuses half a character, which no address can hold, in the %s: %j', (place, value) => {
    const route: ParameterRoute = { in: place, name: 'x' };
    const template = place === 'path' ? '/a/{x}' : '/a';
    const described = tool({ x: route }, { path: template });
    expect(refusal(() => httpRequest(described, base, { x: value }))).toMatchObject({
      ...unfit,
      message: expect.stringContaining('/x holds half a character') as unknown,
    });
  });

  it('keeps an empty segment that its template has', () => {
    const route: ParameterRoute = { in: 'path', name: 'x' };
    const { url } = httpRequest(tool({ x: route }, { path: '/a//{x}/' }), base, { x: 'b' });
    expect(url.pathname).toBe('/v1/a//b/');
  });

  it.each([
    ['/m?beta=true', {}, '/v1/m?beta=true'],
    ['/m?beta=true', { q: 'x' }, '/v1/m?beta=true&q=x'],
    ['/m/{x}?in={x}&b=1', { x: 'c?d' }, '/v1/m/c%3Fd?in=c%3Fd&b=1'],
    ['/m/{?x}', { x: 'c' }, '/v1/m/c'],
  ])('sends the query of %s with every request', (template, args, written) => {
    const routes = { x: { in: 'path', name: 'x' }, q: { in: 'query', name: 'q' } };
    const { url } = httpRequest(tool(routes, { path: template }), base, args);
    expect(url.pathname + url.search).toBe(written);
  });

  it('leaves a pair of the fixed query to the argument that says the same, and refuses another', () => {
    const routes = { q: { in: 'query', name: 'q' }, c: { in: 'query', name: 'comp' } } as const;
    const of = (args: Record<string, unknown>) =>
      httpRequest(tool(routes, { path: '/m?comp=a%20b&d' }), base, args).url.search;
    expect(of({ c: 'a b', q: 'x' })).toBe('?d&comp=a%20b&q=x');
    expect(of({ q: 'x' })).toBe('?comp=a%20b&d&q=x');
    expect(of({ c: ['a b', 'c'] })).toBe('?d&comp=a%20b&comp=c');
    expect(refusal(() => of({ c: 'other' }))).toMatchObject({
      ...unfit,
      message: '/c is another than "a b", which the path itself has for comp.',
    });
  });

  it('refuses an empty list that is required, since an address can’t say it', () => {
    const routes = { q: { in: 'query', name: 'q' }, c: { in: 'cookie', name: 'c' } } as const;
    const of = (required: string[], args: Record<string, unknown>) =>
      httpRequest(tool(routes, { path: '/m', inputSchema: { required } }), base, args);
    expect(of([], { q: [] }).url.search).toBe('');
    expect(of(['q'], { q: [1] }).url.search).toBe('?q=1');
    for (const args of [{ q: [] }, { q: {} }, { c: [] }])
      expect(refusal(() => of(['q', 'c'], args))).toMatchObject({
        ...unfit,
        message: expect.stringContaining('is required and empty, which an address can’t say') as unknown,
      });
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
    'refuses one that is required in %s, too',
    (mediaType) => {
      const of = (required: string[], more: object = {}) => {
        const described = fields(mediaType, { a: more });
        return refusal(() => httpRequest({ ...described, inputSchema: { required } }, base, { a: [] }));
      };
      const message = '/a is required and empty, which a form can’t say: give something in it.';
      expect(of(['a'])).toMatchObject({ ...unfit, message });
      expect(of(['a'], { partType: 'application/json' })).toHaveProperty('body');
      expect(of([])).toHaveProperty('body');
      expect(body(mediaType, { a: [] })).toHaveProperty('body');
    },
  );

  it('sends a required body that has no members', () => {
    const always = { always: true };
    expect(httpRequest(fields('application/json', { a: always }), base, {})).toMatchObject({
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(httpRequest(form({ a: always }), base, {}).body).toBe('');
  });

  it('takes arguments by names that every object has', () => {
    const named = tool({ toString: { in: 'query', name: 'toString' } }, { path: '/a' });
    const sent = httpRequest(named, base, { toString: 'a', constructor: 'b' });
    expect(sent.url.search).toBe('?toString=a');
    expect(sent.body).toBe('{"constructor":"b"}');
  });

  it('writes bodies of every kind', () => {
    expect(body('application/merge-patch+json', { a: null })).toMatchObject({
      body: '{"a":null}',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(body('*/*', 7)).toMatchObject({ body: '7', headers: { 'content-type': 'application/json' } });
    expect(body('text/*', 'a')).toMatchObject({ body: 'a', headers: { 'content-type': 'text/plain' } });
    expect(body('text/plain', 'as it is')).toMatchObject({ body: 'as it is' });
    expect(httpRequest(form({ a: {}, b: {} }), base, {})).not.toHaveProperty('body');
  });

  it.each<[Partial<ParameterRoute>, unknown, string]>([
    [{}, ['x', '&'], 'a=x&a=%26'],
    [{ explode: false }, ['x y', 'z,'], 'a=x+y,z%2C'],
    [{ style: 'pipeDelimited', explode: false }, ['x', 'y'], 'a=x%7Cy'],
    [{ style: 'tabDelimited', explode: false }, ['x', 'y'], 'a=x%09y'],
    [{ style: 'deepObject', explode: true }, { k: ['x'] }, 'a%5Bk%5D%5B0%5D=x'],
    [{ style: 'form', explode: true }, { k: 1 }, 'k=1'],
    [{}, { k: 1 }, 'a=%7B%22k%22%3A1%7D'],
    [{ partType: 'application/json' }, ['x'], 'a=%5B%22x%22%5D'],
    [{}, null, ''],
  ])('writes a field of a form as %j says: %j', (route, value, written) => {
    expect(httpRequest(form({ a: route }), base, { a: value }).body).toBe(written);
  });

  it('writes the members of a form that is one argument', () => {
    expect(body('application/x-www-form-urlencoded', { a: [1, 2], b: 'c' }).body).toBe('a=1&a=2&b=c');
    expect(text(body('multipart/form-data', { a: 'b' }))).toContain('name="a"\r\n\r\nb\r\n');
  });

  it('sends a form that is a text as it is, and refuses one that has no members', () => {
    expect(body('application/x-www-form-urlencoded', 'a=b&c=%26').body).toBe('a=b&c=%26');
    for (const mediaType of ['application/x-www-form-urlencoded', 'multipart/form-data'])
      expect(refusal(() => body(mediaType, ['a']))).toMatchObject({
        ...unfit,
        message: '/body is no object, whose members the fields of the form are.',
      });
  });
});

describe('bytes', () => {
  const bytes = { type: 'string', contentEncoding: 'base64' };
  const binary = { type: 'string', contentEncoding: 'base64', contentMediaType: 'application/octet-stream' };

  it.each([
    ['as imports say it', bytes],
    ['as OpenAPI 3.0 says it', { type: 'string', format: 'binary' }],
    ['where it may be null', { anyOf: [bytes, { type: 'null' }] }],
    ['by reference', { $ref: '#/$defs/File' }],
  ])('are the whole body, %s', (_name, schema) => {
    const described = tool(
      { body: { in: 'body', name: '', mediaType: 'application/pdf' } },
      { path: '/a', inputSchema: { properties: { body: schema }, $defs: { File: bytes } } },
    );
    const sent = httpRequest(described, base, { body: 'JVBE\nRv8=' });
    expect(sent.headers['content-type']).toBe('application/pdf');
    expect([...(sent.body as Uint8Array)]).toEqual([0x25, 0x50, 0x44, 0x46, 0xff]);
  });

  it.each([
    ['image/*', 'iVBORw0KGgo=', 'image/png'],
    ['image/*', '/9j/4A==', 'image/jpeg'],
    ['image/*', 'R0lGODlh', 'image/gif'],
    ['image/*', 'UklGRgAAAABXRUJQ', 'image/webp'],
    ['image/*', 'AAAA', 'application/octet-stream'],
    ['audio/*', 'iVBORw0KGgo=', 'application/octet-stream'],
    ['image/webp', 'iVBORw0KGgo=', 'image/webp'],
  ])('are of the type that they begin as, where a document has %s: %s', (mediaType, value, sent) => {
    expect(body(mediaType, value, bytes).headers['content-type']).toBe(sent);
  });

  it.each(['no base64!', 'a', 'YWJj=YWJj'])('are not read from %j', (value) => {
    expect(refusal(() => body('application/pdf', value, bytes))).toMatchObject({
      ...unfit,
      message: '/body is not in base64, in which bytes are given.',
    });
  });

  it('stay as they are written in JSON, in forms and in texts', () => {
    expect(body('application/json', 'AA==', bytes).body).toBe('"AA=="');
    expect(body('text/plain', 'AA==', { type: 'string' }).body).toBe('AA==');
  });

  it('are files among the parts of a multipart body, with the type that the document says', () => {
    const sent = httpRequest(
      parts(
        { file: {}, photo: { partType: 'image/png' }, pages: {}, note: {} },
        { file: binary, photo: binary, pages: { type: 'array', items: bytes } },
      ),
      base,
      { file: '//4=', photo: 'AQ==', pages: ['Ag==', 'Aw=='], note: 'n' },
    );
    const [, boundary = ''] =
      /^multipart\/form-data; boundary=(.+)$/.exec(sent.headers['content-type'] ?? '') ?? [];
    const part = (name: string, content: string, type = 'application/octet-stream') =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
    expect(Buffer.from(sent.body as Uint8Array).toString('latin1')).toBe(
      [
        part('file', '\xff\xfe'),
        part('photo', '\x01', 'image/png'),
        part('pages', '\x02'),
        part('pages', '\x03'),
        `--${boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\nn\r\n--${boundary}--\r\n`,
      ].join(''),
    );
  });

  it.each<[string, object]>([
    ['may be null', { properties: { a: { anyOf: [{ type: 'array', items: bytes }, { type: 'null' }] } } }],
    ['is a reference', { properties: { a: { $ref: '#/$defs/Files' } } }],
    ['is composed', { properties: { a: { allOf: [{ $ref: '#/$defs/Files' }] } } }],
    ['no property is for', { additionalProperties: { $ref: '#/$defs/Files' } }],
  ])('are files of a list that %s', (_, schema) => {
    const inputSchema = { ...schema, $defs: { Files: { type: 'array', items: bytes } } };
    const whole = { body: { in: 'body' as const, name: '', mediaType: 'multipart/form-data' } };
    const sent = [
      httpRequest({ ...parts({ a: {} }), inputSchema }, base, { a: ['YQ==', 'Yg=='] }),
      httpRequest(
        tool(whole, { path: '/a', inputSchema: { properties: { body: schema }, $defs: inputSchema.$defs } }),
        base,
        { body: { a: ['YQ==', 'Yg=='] } },
      ),
    ];
    for (const each of sent)
      expect(
        text(each)
          .split('name="a"; filename="a"\r\n')
          .map((part) => part.split('\r\n')[2])
          .slice(1),
      ).toEqual(['a', 'b']);
  });

  it.each<[Partial<ParameterRoute>, unknown, string]>([
    [{}, { k: 1 }, 'name="a"\r\nContent-Type: application/json\r\n\r\n{"k":1}\r\n'],
    [{}, 7, 'name="a"\r\n\r\n7\r\n'],
    [{ partType: 'text/csv' }, 'x,y', 'name="a"\r\nContent-Type: text/csv\r\n\r\nx,y\r\n'],
    [{ partType: 'application/json' }, [1, 2], 'Content-Type: application/json\r\n\r\n[1,2]\r\n'],
    [{ style: 'form', explode: false }, ['x,', 'y'], 'name="a"\r\n\r\nx%2C,y\r\n'],
    [{ style: 'deepObject', explode: true }, { k: 'v' }, 'name="a[k]"\r\n\r\nv\r\n'],
    [{ name: 'a"\r\nb' }, 'x', 'name="a%22%0D%0Ab"\r\n'],
  ])('have parts of other kinds beside them: %j, %j', (route, value, written) => {
    expect(text(httpRequest(parts({ a: route }), base, { a: value }))).toContain(written);
  });
});
