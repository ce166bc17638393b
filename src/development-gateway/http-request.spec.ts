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
  httpRequest(tool({ q: { in: 'query', name: 'q', ...route } }, { path: '/a' }), base, { q: value }).then(
    ({ url }) => url.search,
  );
const path = (route: Partial<ParameterRoute>, value: unknown) =>
  httpRequest(tool({ x: { in: 'path', name: 'x', ...route } }), base, { x: value }).then(
    ({ url }) => url.pathname,
  );
const body = (mediaType: string, value: unknown, schema: object = {}) =>
  httpRequest(
    tool(
      { body: { in: 'body', name: '', mediaType } },
      { path: '/a', inputSchema: { properties: { body: schema } } },
    ),
    base,
    { body: value },
  );

describe('the request for the arguments of a tool', () => {
  it.each<[Partial<ParameterRoute>, unknown, string]>([
    [{}, 'a&b=c ü', '?q=a%26b%3Dc%20%C3%BC'],
    [{}, [1, true], '?q=1&q=true'],
    [{}, [], ''],
    [{}, { a: 1, b: 'x' }, '?a=1&b=x'],
    [{ explode: false }, ['a', 'b'], '?q=a%2Cb'],
    [{ explode: false }, { a: 1, b: 2 }, '?q=a%2C1%2Cb%2C2'],
    [{ style: 'pipeDelimited' }, ['a', 'b'], '?q=a%7Cb'],
    [{ style: 'spaceDelimited' }, ['a', 'b'], '?q=a%20b'],
    [{ style: 'deepObject', explode: true }, { a: 1 }, '?q%5Ba%5D=1'],
    [{ mediaType: 'application/json' }, { a: [1] }, '?q=%7B%22a%22%3A%5B1%5D%7D'],
    [{ name: '' }, { a: 'x y' }, '?a=x+y'],
    [{}, null, ''],
  ])('writes a query as %j says: %j', async (route, value, written) => {
    expect(await query(route, value)).toBe(written);
  });

  it.each<[Partial<ParameterRoute>, unknown, string]>([
    [{}, 'a/b?c#d', '/v1/a/a%2Fb%3Fc%23d'],
    [{}, ['a', 'b'], '/v1/a/a,b'],
    [{ explode: true }, { k: 'v', l: 'w' }, '/v1/a/k=v,l=w'],
    [{ style: 'label' }, 'x', '/v1/a/.x'],
    [{ style: 'label', explode: true }, ['a', 'b'], '/v1/a/.a.b'],
    [{ style: 'matrix' }, ['a', 'b'], '/v1/a/;x=a,b'],
    [{ style: 'matrix', explode: true }, { k: 'v' }, '/v1/a/;k=v'],
  ])('writes a path as %j says: %j', async (route, value, written) => {
    expect(await path(route, value)).toBe(written);
  });

  it('never leaves the endpoint', async () => {
    for (const value of ['', '.', '..', null])
      await expect(path({}, value)).rejects.toMatchObject({ code: 'invalid_arguments' });
    await expect(path({ style: 'label' }, '.')).rejects.toMatchObject({ code: 'invalid_arguments' });
    expect(await path({}, '%2e%2e')).toBe('/v1/a/%252e%252e');
    const header = (name: string, value: string) =>
      httpRequest(tool({ h: { in: 'header', name } }, { path: '/a' }), base, { h: value });
    expect((await header('X-Way', 'a, b')).headers).toMatchObject({ 'x-way': 'a, b' });
    for (const [name, value] of [
      ['X-Way', 'a\r\nx: y'],
      ['Host', 'b'],
      ['Authorization', 'b'],
    ] as const)
      await expect(header(name, value)).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it.each([
    ['/a\\{x}', '..'],
    ['/a/{x}\t', '..'],
    ['/a/.\t./{x}', 'b'],
    ['/a\\..\\{x}', 'b'],
    ['/../{x}', 'b'],
    ['/%2e%2E/{x}', 'b'],
  ])('refuses the path %j with %j in it, which an address would read as another', async (template, value) => {
    const route: ParameterRoute = { in: 'path', name: 'x' };
    await expect(
      httpRequest(tool({ x: route }, { path: template }), base, { x: value }),
    ).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it.each<[ParameterRoute['in'], unknown]>([
    ['path', 'a\ud800'],
    ['path', { '\udfff': 'a' }],
    ['query', ['a', { b: '\ud83d' }]],
    ['cookie', '\ude00\ud83d'],
  ])('refuses half a character, which no address can hold, in the %s: %j', async (place, value) => {
    const route: ParameterRoute = { in: place, name: 'x' };
    const template = place === 'path' ? '/a/{x}' : '/a';
    await expect(
      httpRequest(tool({ x: route }, { path: template }), base, { x: value }),
    ).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringContaining('/x holds half a character') as unknown,
    });
  });

  it('keeps an empty segment that its template has', async () => {
    const route: ParameterRoute = { in: 'path', name: 'x' };
    const { url } = await httpRequest(tool({ x: route }, { path: '/a//{x}/' }), base, { x: 'b' });
    expect(url.pathname).toBe('/v1/a//b/');
  });

  it('writes bodies of every kind', async () => {
    expect(await body('application/merge-patch+json', { a: null })).toMatchObject({
      body: '{"a":null}',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(await body('*/*', 7)).toMatchObject({
      body: '7',
      headers: { 'content-type': 'application/json' },
    });
    expect(await body('text/plain', 'as it is')).toMatchObject({ body: 'as it is' });
    const binary = await body('application/pdf', 'JVBERg==', { type: 'string', format: 'binary' });
    expect(Buffer.from(binary.body as Uint8Array).toString()).toBe('%PDF');
    const form = { in: 'body', mediaType: 'application/x-www-form-urlencoded' };
    const pairs = tool({ a: { ...form, name: 'a' }, b: { ...form, name: 'b' } }, { path: '/a' });
    expect(await httpRequest(pairs, base, { a: ['x', 'y'], b: '&' })).toMatchObject({
      body: 'a=x&a=y&b=%26',
    });
    const parts = tool({ a: { in: 'body', name: 'a', mediaType: 'multipart/form-data' } }, { path: '/a' });
    const sent = await httpRequest(parts, base, { a: { k: 1 } });
    expect(sent.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(Buffer.from(sent.body as Uint8Array).toString()).toContain('name="a"\r\n\r\n{"k":1}');
    expect(await httpRequest(pairs, base, {})).not.toHaveProperty('body');
  });
});
