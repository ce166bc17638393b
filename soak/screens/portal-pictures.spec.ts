import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';
import { loadSampleData } from '../../src/sample/sample-data.js';
import { describeUnless } from '../../test/unless.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';
import { hostId } from '../../test/system/service-process.js';

const folder = fileURLToPath(new URL('../../docs/pictures', import.meta.url));
const sample = readFileSync(new URL('../../sample/account-service.openapi.yaml', import.meta.url), 'utf8');
/** Callers have to say more of two operations from now on, and a third is described otherwise. */
const changed = sample
  .replace('required: [cents, reason]', 'required: [cents, reason, channel]')
  .replace(/( +)reason: \{ type: string, minLength: 10.*\n/, '$&$1channel: { type: string }\n')
  .replace('minLength: 3, maxLength: 80', 'minLength: 5, maxLength: 80')
  .replace('Lists the bills of an account, newest first', 'Lists the bills of an account, oldest first');
const MAX_BYTES = 150_000;
/** A list of records, by what they have. */
interface Listed {
  readonly items: readonly Readonly<Record<string, string>>[];
}

/** On the sample data. With PICTURES=write in the environment, docs/pictures is made anew. */
describeUnless(lacking, 'the portal on the sample data', () => {
  let portal: PortalBrowser;
  let skill = '';
  let agent = '';
  beforeAll(async () => {
    portal = await PortalBrowser.open();
    await loadSampleData(portal.server.app);
    await portal.signIn();
    skill = (await first('skills?limit=1'))['skillId'] ?? '';
    agent = (await first('agents?limit=1'))['agentDefId'] ?? '';
  });
  afterAll(() => portal.close());

  const listed = async (question: string) =>
    (JSON.parse((await portal.others('GET', `/${question}`)).text) as Listed).items;
  const first = async (question: string) => (await listed(question))[0] ?? {};

  /** By the gateway of the service itself, so that every tool can be called. */
  const exposeAll = async (): Promise<void> => {
    const gateway = `/gateways/${v7()}`;
    const { text } = await portal.others('GET', '/development-gateway');
    const { path } = JSON.parse(text) as { path: string };
    await portal.others('PUT', gateway, {
      ...{ serviceId: 'com.tidewell.gateway-1.0.0', envTag: 'dev', maxSensitivityTier: 'restricted' },
      url: `${portal.server.address}${path.replace('{gatewayId}', gateway.replace('/gateways/', ''))}`,
    });
    const tools = (await listed('tools')).map(({ toolId }) => ({ toolId }));
    await portal.others('PUT', `${gateway}/exposures`, { tools });
  };

  /** Versions in review, a conflict, and an evaluation that finds less than the one before. */
  const makeWait = async (): Promise<void> => {
    const { endpointId = '' } = await first('tools?name=listBills');
    await portal.others('PATCH', `/endpoints/${endpointId}`, { description: 'All bills of one account.' });
    const { serviceId = '', apiId = '' } = await first('tools?name=refundPayment');
    const version = { apiVersion: '1.0.0', serviceId, envTag: 'dev' };
    const brought = { api: { apiId }, version, publish: true, document: changed };
    const token = await portal.server.token({ host: hostId, env: ['dev'], sub: 'ines' });
    const imports = `//v1/hosts/${hostId}/imports`;
    const { text } = await portal.server.api('POST', imports, { token, body: brought });
    expect(text).toMatch(/"inReview":\[\{/);
    for (const expected of ['listBills', 'closeAccount']) {
      const rows = [{ prompt: 'list the bills of an account', expect: [expected] }];
      await portal.others('PUT', '/evaluation-sets/bills', { rows });
      // On the screen: a run is shown to those alone who see as much as who has run it.
      await portal.go('/search?tab=evaluation');
      await portal.page.getByLabel('Data set', { exact: true }).selectOption({ label: 'bills (1)' });
      await portal.button('Run it').click();
      await portal.heading('Prompt by prompt').waitFor();
    }
  };

  /** Goes to a screen, of which there is a picture: no larger than a page may load. */
  const drawn = async (name: string, path: string): Promise<void> => {
    await portal.go(path);
    await portal.page.evaluate('document.fonts.ready.then(() => undefined)');
    const picture = await portal.page.screenshot({ animations: 'disabled', caret: 'hide' });
    expect([name, picture.byteLength <= MAX_BYTES]).toEqual([name, true]);
    const file = join(folder, `${name}.png`);
    if (process.env['PICTURES'] === 'write') {
      await mkdir(folder, { recursive: true });
      await writeFile(file, picture);
    }
    expect([file, existsSync(file)]).toEqual([file, true]);
  };

  it('shows what an agent was given before, by keyboard on the slider too', async () => {
    await portal.go(`/agents/${agent}`);
    const given = portal.page.locator('main a[href*="/tools/"]');
    await given.first().waitFor();
    await portal.page.getByText(/^It is given 1 skill with \d tools\. /).waitFor();
    await portal.button('See it as it was before').click();
    await portal.page.getByLabel('As of', { exact: true }).fill('1');
    await portal.page.waitForURL('**asOf=1*');
    await given.first().waitFor({ state: 'detached' });
    await portal.button('Now').click();
    await given.first().waitFor();
    await portal.page.getByRole('slider', { name: 'Position of the log' }).focus();
    await portal.page.keyboard.press('ArrowLeft');
    await portal.page.waitForURL('**asOf=*');
    await portal.page.goto(`${portal.server.address}/agents/${agent}?asOf=never`);
    await portal.heading('That failed').waitFor();
  });

  it('shows the steps of a workflow that backs a skill, links it, and takes it away', async () => {
    await portal.go(`/skills/${skill}?tab=workflow`);
    const steps = portal.page.getByRole('grid', { name: /^Steps of / });
    await steps.first().waitFor();
    expect(await steps.first().getByRole('row').count()).toBeGreaterThan(1);
    const before = await steps.count();
    await portal.page.getByLabel('Workflow', { exact: true }).last().selectOption({ index: 1 });
    await portal.page.getByLabel('What it is for').selectOption({ label: 'Tests' });
    await portal.button('Add').click();
    await steps.nth(before).waitFor();
    await portal
      .button(/^Remove /)
      .last()
      .click();
    await steps.nth(before).waitFor({ state: 'detached' });
  });

  it('has nothing that axe finds, in any look', async () => {
    const screens = [`/agents/${agent}`, `/agents/${agent}?asOf=3`, `/skills/${skill}?tab=workflow`];
    expect(await portal.faults(screens)).toEqual([]);
  });

  it('looks as in the pictures of the documents, which are small', async () => {
    await drawn('tools', '/tools');
    await drawn('skill', `/skills/${skill}`);
    await drawn('agent', `/agents/${agent}`);
    await drawn('search', '/search?prompt=why+is+my+bill+so+high');
    await drawn('graph', `/graph?kind=Skill&id=${skill}`);
  });

  it('shows on Home what waits, each with its way to mend it, and what a version changes', async () => {
    await exposeAll();
    await makeWait();
    await drawn('home', '/');
    for (const title of ['Versions in review', 'Conflicts to settle', 'Evaluations that have become worse'])
      await portal.heading(title).waitFor();
    expect(await portal.heading('Four steps to tools that an agent can call').count()).toBe(0);
    const { toolId = '', toolVersion = '' } = await first('tool-versions?name=refundPayment');
    await drawn('review', `/tools/${toolId}/versions/${toolVersion}`);
    await portal.page.getByText('must be given from now on').waitFor();
  });

  it('breaks no rule of its own, and asks nobody else for anything', () => {
    expect(portal.troubles).toEqual([]);
    expect(portal.elsewhere).toEqual([]);
  });
});
