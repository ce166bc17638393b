import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSampleData } from '../../src/sample/sample-data.js';
import { describeUnless } from '../../test/unless.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';

const folder = fileURLToPath(new URL('../../docs/pictures', import.meta.url));
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
    const first = async (noun: string) =>
      (JSON.parse((await portal.others('GET', `/${noun}?limit=1`)).text) as Listed).items[0] ?? {};
    skill = (await first('skills'))['skillId'] ?? '';
    agent = (await first('agents'))['agentDefId'] ?? '';
  });
  afterAll(() => portal.close());

  it('shows what an agent was given before, by keyboard on the slider too', async () => {
    await portal.go(`/agents/${agent}`);
    const given = portal.page.locator('main a[href*="/tools/"]');
    await given.first().waitFor();
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
    const screens = {
      home: '/',
      tools: '/tools',
      skill: `/skills/${skill}`,
      agent: `/agents/${agent}`,
      search: '/search?prompt=why+is+my+bill+so+high',
      graph: `/graph?kind=Skill&id=${skill}`,
    };
    for (const [name, path] of Object.entries(screens)) {
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
    }
  });

  it('breaks no rule of its own, and asks nobody else for anything', () => {
    expect(portal.troubles).toEqual([]);
    expect(portal.elsewhere).toEqual([]);
  });
});
