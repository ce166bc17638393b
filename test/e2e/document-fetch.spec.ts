import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eachServer } from './server.js';

const served: Readonly<Record<string, (url: string) => readonly [number, Record<string, string>, Buffer]>> = {
  '/openapi.json': () => [200, { 'content-type': 'application/json' }, Buffer.from('{"openapi":"3.1.0"}')],
  '/moved': (url) => [302, { location: `${url}/openapi.json` }, Buffer.from('')],
  '/packed.zip': () => [200, { 'content-type': 'application/zip' }, Buffer.from([0x50, 0x4b, 0xff, 0xfe])],
};

eachServer((server) => {
  let origin = '';
  let seen: Record<string, unknown>[] = [];
  let elsewhere: HttpServer;
  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      seen.push(request.headers);
      const [status, headers, body] = served[request.url ?? '']?.(origin) ?? [404, {}, Buffer.from('secret')];
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((elsewhere.address() as AddressInfo).port)}`;
  });
  beforeEach(() => {
    seen = [];
  });
  afterAll(async () => {
    elsewhere.closeAllConnections();
    await new Promise((resolve) => elsewhere.close(resolve));
  });
  const fetched = (url: unknown, more: object = {}) =>
    server().api('POST', '/imports/fetch', { body: { url }, ...more });

  it('fetches a description, and sends no credential', async () => {
    const url = `${origin}/openapi.json`;
    const { status, body } = await fetched(url);
    expect([status, body]).toEqual([200, { url, document: '{"openapi":"3.1.0"}', bytes: 19 }]);
    expect(seen).toHaveLength(1);
    expect(Object.keys(seen[0] ?? {})).not.toEqual(expect.arrayContaining(['authorization']));
    expect(Object.keys(seen[0] ?? {})).not.toEqual(expect.arrayContaining(['cookie']));
  });

  const failures: [string, string][] = [
    ['/missing', 'document_not_served'],
    ['/moved', 'document_redirected'],
    ['/packed.zip', 'document_not_text'],
  ];
  it.each(failures)('says why %s is no description: %s', async (path, code) => {
    const { status, body, text } = await fetched(`${origin}${path}`);
    expect([status, body['code']]).toEqual([422, code]);
    expect(text).not.toContain('secret');
  });

  it('is let to public addresses alone, and to those that are allowed', async () => {
    const places = [
      'http://127.0.0.2:1/',
      'http://169.254.169.254/latest/',
      'http://[::1]:1/',
      'http://10.0.0.1/',
    ];
    const answers = await Promise.all(places.map((url) => fetched(url)));
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(
      places.map(() => [422, 'outbound_refused']),
    );
  });

  it('takes addresses of the web alone, without a user', async () => {
    const odd = ['file:///etc/passwd', 'ftp://a.example/x', 'no address', 'http://me:word@a.example/'];
    const answers = await Promise.all(odd.map((url) => fetched(url)));
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(
      odd.map(() => [400, 'invalid_body']),
    );
    expect(answers.at(-1)?.text).not.toContain('word@');
  });

  it('is for those who may import', async () => {
    const token = await server().token({ scope: 'catalog:read' });
    expect((await fetched(`${origin}/openapi.json`, { token })).status).toBe(403);
    expect(seen).toEqual([]);
  });
});
