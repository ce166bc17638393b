import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { ScriptedGateway } from '../../test/e2e/gateway-servers.js';
import { describeUnless } from '../../test/unless.js';
import { until } from '../../test/until.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';
import { hostId } from '../../test/system/service-process.js';

const sample = readFileSync(new URL('../../sample/account-service.openapi.yaml', import.meta.url), 'utf8');

/** Each thing that waits leads from the home screen to where it is mended. */
describeUnless(lacking, 'the home screen in a browser', () => {
  let portal: PortalBrowser;
  let gateway: ScriptedGateway;
  /** Serves a description, and refuses what is delivered to it. */
  let elsewhere: Server;
  let origin = '';
  const secrets = mkdtempSync(join(tmpdir(), 'portal-home-'));

  beforeAll(async () => {
    gateway = await ScriptedGateway.start();
    elsewhere = createServer((request, response) => {
      response.writeHead(request.method === 'GET' ? 200 : 410).end(request.method === 'GET' ? sample : '');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((elsewhere.address() as AddressInfo).port)}`;
    mkdirSync(join(secrets, hostId));
    const secret = { value: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, origins: [origin] };
    writeFileSync(join(secrets, hostId, 'hook.json'), JSON.stringify(secret));
    portal = await PortalBrowser.open({ WEBHOOK_ATTEMPTS: '1', SECRETS_DIR: secrets });
    await portal.signIn();
  });
  afterAll(async () => {
    await portal.close();
    await gateway.stop();
    elsewhere.closeAllConnections();
    await new Promise((resolve) => elsewhere.close(resolve));
    rmSync(secrets, { recursive: true });
  });

  /** What somebody else than the one who is signed in imports. */
  const bring = async (document: string) => {
    const token = await portal.server.token({ sub: 'author', host: hostId, env: ['dev'] });
    const body = {
      ...{ api: { apiId: 'accounts' }, version: { serviceId: 'com.example.accounts-1.0.0', envTag: 'dev' } },
      ...{ publish: true, document },
    };
    return portal.server.api('POST', `//v1/hosts/${hostId}/imports`, { token, body });
  };
  /** What the home screen says under this title. */
  const card = (title: string) => portal.page.getByRole('region', { name: title });

  it('takes a description in from an address, as the first step', async () => {
    await portal.link('Import one').click();
    const address = portal.field('Or fetch it from an address');
    await address.fill(`${origin.replace('127.0.0.1', '127.0.0.2')}/accounts/openapi.yaml`);
    await portal.button('Fetch').click();
    await portal.page.getByText('is not at a public address').waitFor();
    await address.fill(`${origin}/accounts/openapi.yaml`);
    await address.press('Enter');
    await until(
      () => portal.field(/^API/).first().inputValue(),
      (apiId) => apiId === 'accounts',
    );
    await portal.field(/^Service/).fill('com.example.accounts-1.0.0');
    await portal.button('Show what would change').click();
    await portal.page.getByText('Nothing has been written yet.').waitFor();
    await portal.button('Import').and(portal.page.locator('main button')).click();
    await portal.heading('Imported').waitFor();
    expect((await portal.others('GET', '/tools?name=listBills')).text).toContain('"name":"listBills"');
  });

  it('names nothing that waits where nothing does', async () => {
    await portal.go('/');
    await portal.heading('This catalog').waitFor();
    expect(await portal.heading('Needs you').count()).toBe(0);
  });

  it('leads from a version that waits to its review, and says what keeps one from approving it', async () => {
    // Callers have to say more from now on.
    const breaking = sample.replace('cents: { type: integer', 'cents: { type: string');
    expect((await bring(breaking)).text).toMatch(/"inReview":\[\{/);
    await portal.go('/');
    const waiting = card('Versions in review').getByRole('link').first();
    await waiting.click();
    await portal.heading('Decide').waitFor();
    await portal.page.goBack();
    await card('Versions in review').waitFor();
  });

  it('lets through at the desk what waits: none while one lacks something, then all', async () => {
    await card('Versions in review').getByRole('link').first().waitFor();
    await portal.go('/desk');
    await portal.heading('Reviews').waitFor();
    await portal.page.getByLabel('Select all').check();
    await portal.button(/^Approve \d+$/).click();
    await portal.page.getByText('may not be approved, so none is').waitFor();
    await portal.page.getByText('evaluation_needed').first().waitFor();
    await portal.button(/^Evaluate \d+$/).click();
    await portal.page.getByText('an evaluation', { exact: true }).first().waitFor({ state: 'detached' });
    await portal.page.getByText('Ready to approve').first().waitFor();
    await portal.page.getByLabel('Select all').check();
    await portal.button(/^Approve \d+$/).waitFor();
    expect(await portal.page.getByLabel(/^Reason, where something is missing/).count()).toBe(0);
    await portal.button(/^Approve \d+$/).click();
    await portal.heading('Nothing waits for a review').waitFor();
    await portal.go('/');
    await portal.heading('This catalog').waitFor();
    expect(await portal.heading('Needs you').count()).toBe(0);
  });

  it('leads to gateways that differ, once a check has found it, and no more when it is accepted', async () => {
    gateway.tools = [{ name: 'stranger', inputSchema: { type: 'object' } }];
    const id = v7();
    const body = { serviceId: 'com.example.gateway-1.0.0', envTag: 'dev', url: gateway.url };
    await portal.others('PUT', `/gateways/${id}`, body);
    await portal.others('POST', `/gateways/${id}/drift/check`);
    await portal.go('/');
    await card('Gateways that differ from the catalog').getByText('stranger').waitFor();
    await portal.link('com.example.gateway-1.0.0 · dev').click();
    await portal.page.waitForURL(`**/gateways/${id}?tab=drift`);
  });

  it('leads to assigned tools that can’t be called', async () => {
    const tools = JSON.parse((await portal.others('GET', '/tools?name=listBills')).text) as {
      items: { toolId: string; apiVersionId: string }[];
    };
    const [tool] = tools.items;
    const made = await portal.others('POST', '/skills', {
      ...{ name: 'bills', description: 'Bills.', contentMarkdown: '# Bills' },
    });
    const { id } = JSON.parse(made.text) as { id: string };
    await portal.others('PUT', `/skills/${id}/tools/${tool?.toolId ?? ''}`, { accessLevel: 'read' });
    await portal.others('POST', `/skills/${id}/activate`);
    await portal.go('/');
    await card('Assigned tools that can’t be called').getByText('listBills').waitFor();
    await portal.link('bills').click();
    await portal.page.getByRole('tab', { name: 'Tools', selected: true }).waitFor();
  });

  it('leads to a run of an evaluation that has found less than the one before', async () => {
    const keep = (expected: string) =>
      portal.others('PUT', '/evaluation-sets/bills', {
        rows: [{ prompt: 'list the bills of an account', expect: [expected] }],
      });
    const run = async () => {
      await portal.go('/search?tab=evaluation');
      await portal.page.getByLabel('Data set', { exact: true }).selectOption({ label: 'bills (1)' });
      await portal.button('Run it').click();
      await portal.heading('Prompt by prompt').waitFor();
    };
    await keep('listBills');
    await run();
    await keep('closeAccount');
    await run();
    await portal.go('/');
    await card('Evaluations that have become worse').getByRole('link').first().click();
    await portal.heading('What was taken for what').waitFor();
  });

  it('leads to deliveries that were given up, and delivers them again', async () => {
    const webhook = v7();
    await portal.others('PUT', `/webhooks/${webhook}`, { url: `${origin}/hook`, secret: 'hook' });
    await portal.others('POST', '/skills', { name: 'told', contentMarkdown: 'Do.' });
    await until(
      async () => (await portal.others('GET', `/webhooks/${webhook}/deliveries?state=dead`)).text,
      (text) => text.includes('"dead"'),
    );
    await portal.go('/');
    await card('Deliveries of webhooks that were given up').getByRole('link').first().click();
    await portal.page.waitForURL(`**/webhooks/${webhook}?state=dead`);
    await portal.button('Deliver again').first().click();
    await portal.page.getByText('It is delivered again.').waitFor();
  });

  it('has nothing that axe finds, in any look', async () => {
    const { items } = JSON.parse((await portal.others('GET', '/webhooks')).text) as {
      items: { webhookId: string }[];
    };
    const screens = [
      '/',
      '/import',
      '/webhooks',
      `/webhooks/${items[0]?.webhookId ?? ''}`,
      '/tools?inReview=true',
      '/desk',
    ];
    expect(await portal.faults(screens)).toEqual([]);
  });

  it('breaks no rule of its own, and asks nobody else for anything', () => {
    expect(portal.troubles).toEqual([]);
    expect(portal.elsewhere).toEqual([]);
  });
});
