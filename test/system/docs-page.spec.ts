import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { request as httpRequest } from 'node:http';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { decodeJwt } from 'jose';
import { OwnServer } from '../e2e/own-server.js';
import { describeUnless } from '../unless.js';
import { hostId } from './service-process.js';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const places = (process.env['PATH'] ?? '').split(delimiter);
const browserPath = places.flatMap((place) => names.map((name) => join(place, name))).find(existsSync);

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
    running = await OwnServer.start('embedded');
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

  const lacking =
    browserPath === undefined ? 'no Chromium is in the PATH (apt-get install chromium)' : undefined;
  describeUnless(lacking, 'in a browser', () => {
    let browser: Browser;
    let page: Page;
    const troubles: string[] = [];
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: browserPath ?? '' });
      // What is out of sight is not rendered.
      page = await browser.newPage({ viewport: { width: 1200, height: 40_000 } });
      // The page is long, and a machine may be busy.
      page.setDefaultTimeout(120_000);
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        if (/Content Security Policy|Refused to/.test(message.text())) troubles.push(message.text());
      });
      await page.goto(`${server().address}/docs`);
    });
    afterAll(async () => {
      await browser.close();
    });

    /** An operation, opened to be tried. */
    const opened = async (id: string): Promise<Locator> => {
      const block = page.locator(`[id$="-${id}"].opblock`);
      await block.locator('.opblock-summary-control').click();
      await block.getByRole('button', { name: 'Try it out' }).click();
      return block;
    };

    const executed = async (block: Locator): Promise<number> => {
      const answered = page.waitForResponse((response) => response.url().includes('/v1/hosts/'));
      await block.getByRole('button', { name: 'Execute' }).click();
      return (await answered).status();
    };

    it('carries out a POST, and another', async () => {
      const block = await opened('createSkill');
      const [first, second] = ['tried', 'tried again'].map((name) =>
        JSON.stringify({ name, contentMarkdown: '# Tried' }),
      );
      await block.locator('textarea.body-param__text').fill(first ?? '');
      expect(await executed(block)).toBe(201);
      await block.locator('textarea.body-param__text').fill(second ?? '');
      expect(await executed(block)).toBe(201);
    });

    it('carries out a PUT, and the same again', async () => {
      const block = await opened('putWebhook');
      await block.locator('[data-param-name="webhookId"] input').fill('0198c0de-0000-7000-8000-00000000f001');
      expect(await executed(block)).toBe(201);
      expect(await executed(block)).toBe(200);
    });

    it('still has its token after a reload, and the host is filled in', async () => {
      await page.reload();
      const block = await opened('listSkills');
      expect(await block.locator('[data-param-name="hostId"] input').inputValue()).toBe(hostId);
      expect(await executed(block)).toBe(200);
    });

    it('keeps a token that was entered over its own', async () => {
      const entered = await server().token({ sub: 'olga', scope: 'catalog:read' });
      await page.getByRole('button', { name: 'Authorize' }).first().click();
      // Beside the token there is the cookie of the portal.
      const dialog = page.locator('.dialog-ux .auth-container').first();
      await dialog.getByRole('button', { name: 'Remove authorization' }).click();
      await dialog.locator('input').fill(entered);
      await dialog.getByRole('button', { name: 'Apply credentials' }).click();
      await page.reload();
      const block = await opened('createSkill');
      expect(await executed(block)).toBe(403);
    });

    it('breaks no rule of its own, and puts no token into an address', () => {
      expect(troubles).toEqual([]);
      expect(page.url()).not.toContain('eyJ');
    });
  });
});
