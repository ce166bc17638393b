import { readdirSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { servePortal } from './portal.js';

const built = fileURLToPath(new URL('../../../ui/dist/assets/', import.meta.url));
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Answers as the service does where nothing is there. */
async function portal(publicUrl?: string): Promise<FastifyInstance> {
  const instance = Fastify();
  instance.setNotFoundHandler((_, reply) => reply.code(404).send({ code: 'no_such_route' }));
  instance.get('/v1/hosts', () => ({ items: [] }));
  expect(servePortal(instance, publicUrl === undefined ? undefined : new URL(publicUrl))).toBe(true);
  await instance.listen({ port: 0, host: '127.0.0.1' });
  return instance;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly body: string;
}

/** By hand, since `fetch` would tidy up the path and take the compression away. */
function get(
  instance: FastifyInstance,
  path: string,
  headers: Readonly<Record<string, string>> = browser,
): Promise<Answer> {
  const { port } = instance.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, body: bytes.toString() });
      });
    })
      .on('error', reject)
      .end();
  });
}

describe('the portal', () => {
  let instance: FastifyInstance;
  beforeAll(async () => {
    instance = await portal();
  });
  afterAll(() => instance.close());

  it.each(['/', '/tools', '/tools/0198c0de-0000-7000-8000-000000000001', '/no/such/screen?q=1'])(
    'is the answer to a browser that asks for %s',
    async (url) => {
      const { status, headers, body } = await get(instance, url);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['cache-control']).toBe('no-store');
      expect(body).toContain('<base href="/"');
      expect(body).not.toMatch(/__[A-Z]+__/);
    },
  );

  it.each(['/v1/unknown', '/docs/unknown', '/session/unknown', '/assets/unknown.js', '/.well-known/unknown'])(
    'is no answer at %s, not even for a browser',
    async (url) => {
      const { status, body } = await get(instance, url);
      expect([status, body]).toEqual([404, '{"code":"no_such_route"}']);
    },
  );

  it.each([['*/*'], ['application/json']])('is no answer to a program that accepts %s', async (accept) => {
    expect((await get(instance, '/tools', { accept })).status).toBe(404);
  });

  it('leaves routes alone that answer', async () => {
    expect((await get(instance, '/v1/hosts')).body).toBe('{"items":[]}');
  });

  it('runs no script and takes no style from elsewhere, with a nonce that no other page has', async () => {
    const [one, other] = [await get(instance, '/'), await get(instance, '/')];
    const [policy, another] = [one, other].map(({ headers }) => String(headers['content-security-policy']));
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w-]{22}'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toBe(another);
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy ?? '') ?? [];
    expect(one.body).toContain(`nonce="${nonce}"`);
    expect(one.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(one.body).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=/);
  });

  it('has files that are kept for good, and sends them compressed', async () => {
    const script = readdirSync(built).find((file) => /^index-.*\.js$/.test(file)) ?? '';
    const plain = await get(instance, `/assets/${script}`, {});
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const small = await get(instance, `/assets/${script}`, { 'accept-encoding': 'br' });
    expect(small.headers['content-encoding']).toBe('br');
    expect(small.bytes.length).toBeLessThan(plain.bytes.length / 2);
  });

  it.each(['/assets/..%2findex.html', '/assets/%2e%2e/manifest.json', '/assets/../../package.json'])(
    'gives no other file: %s',
    async (url) => {
      const { body } = await get(instance, url, {});
      expect(body).not.toMatch(/portal-catalog|<base|src\/main/);
    },
  );

  it('serves under the path of PUBLIC_URL, whatever is written there', async () => {
    const below = await portal('https://example.test/catalog');
    expect((await get(below, '/tools')).body).toContain('<base href="/catalog/"');
    await below.close();
    const odd = await portal('https://example.test/a"><script>alert(1)</script>');
    expect((await get(odd, '/')).body).not.toContain('<script>alert');
    await odd.close();
  });
});
