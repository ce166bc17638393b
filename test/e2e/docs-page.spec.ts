import { request as httpRequest } from 'node:http';
import { decodeJwt } from 'jose';
import { sample } from '../../src/sample/sample-ids.js';
import { aKind } from './kinds.js';
import { OwnServer } from './own-server.js';

const { hostId } = sample;

/** A request with headers that `fetch` would not let anybody choose. */
function ask(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${address}/docs/token`, { method: 'POST', headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers });
      });
    });
    sent.on('error', reject).end();
  });
}

/** Nothing of it depends on the database. */
describe('the page /docs', () => {
  let running: OwnServer;
  const server = () => running;
  beforeAll(async () => {
    running = await OwnServer.start(aKind);
  });
  afterAll(() => running.stop());

  describe('the token of /docs', () => {
    const { host, port } = {
      host: () => new URL(server().address).host,
      port: () => new URL(server().address).port,
    };

    it('is given to the page itself: for an hour, and marked as its own', async () => {
      const { status, text, headers } = await ask(server().address, { origin: `http://${host()}` });
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      const claims = decodeJwt((JSON.parse(text) as { token: string }).token);
      expect(claims).toMatchObject({ sub: 'developer', client_id: 'portal-catalog-docs', host: hostId });
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
    });

    it.each([
      ['without an Origin', () => ({})],
      ['a page of another origin', () => ({ origin: 'http://evil.example' })],
      ['a page of another port', () => ({ origin: 'http://127.0.0.1:1' })],
      ['a page without an origin', () => ({ origin: 'null' })],
      [
        'a foreign name bound to this address',
        () => ({ host: `evil.example:${port()}`, origin: `http://evil.example:${port()}` }),
      ],
      ['over TLS of something in front', () => ({ origin: `https://${host()}` })],
      ['a proxy', () => ({ origin: `http://${host()}`, 'x-forwarded-for': '203.0.113.7' })],
    ])('is not given to others: %s', async (_, headers) => {
      const answer = await ask(server().address, headers());
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        403,
        expect.objectContaining({ code: 'page_only' }),
      ]);
      expect(answer.text).not.toContain('eyJ');
    });

    it('does not exist without the development issuer', async () => {
      const relying = await OwnServer.start('embedded', {
        AUTH_JWKS_URI: 'https://login.example/jwks',
        AUTH_ISSUER: 'https://login.example',
        AUTH_AUDIENCE: 'portal-catalog',
        AUTH_DEV_ISSUER: 'off',
      });
      const { host: own } = new URL(relying.address);
      expect((await ask(relying.address, { origin: `http://${own}` })).status).toBe(404);
      expect((await relying.api('GET', '//docs', { token: '' })).text).not.toContain('data-token');
      await relying.stop();
    });
  });
});
