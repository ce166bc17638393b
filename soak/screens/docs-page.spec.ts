import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { sample } from '../../src/sample/sample-ids.js';
import { OwnServer } from '../../test/e2e/own-server.js';
import { browserPath, lacking } from '../../test/system/portal-browser.js';
import { describeUnless } from '../../test/unless.js';

const { hostId } = sample;

/** Nothing of it depends on the database. */
describe('the page /docs', () => {
  let running: OwnServer;
  const server = () => running;
  beforeAll(async () => {
    running = await OwnServer.start('embedded');
  });
  afterAll(() => running.stop());

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
