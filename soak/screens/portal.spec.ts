import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { v7 } from 'uuid';
import { ScriptedGateway } from '../../test/e2e/gateway-servers.js';
import { describeUnless } from '../../test/unless.js';
import { until } from '../../test/until.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';
import { hostId } from '../../test/system/service-process.js';
import { everyScreen, routesWithout } from './every-screen.js';
import { hostile, hostileDocument, hostileTexts, strikes } from './hostile.js';

const sample = fileURLToPath(new URL('../../sample/account-service.openapi.yaml', import.meta.url));

/** Is there when what the page holds now is drawn. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
/** How far what is drawn may move while a screen loads (cumulative layout shift): above it people notice. */
const MAX_MOVED = 0.1;

/** From an empty catalog on, each test goes on where the one before has stopped. */
describeUnless(lacking, 'the portal in a browser', () => {
  let portal: PortalBrowser;
  let context: BrowserContext;
  let page: Page;
  let skill = '';
  let agent = '';
  let screens: readonly string[] = [];
  let gateway: ScriptedGateway;
  const gatewayId = v7();

  beforeAll(async () => {
    gateway = await ScriptedGateway.start();
    portal = await PortalBrowser.open();
    ({ context, page } = portal);
  });
  afterAll(async () => {
    await portal.close();
    await gateway.stop();
  });

  const others = (method: string, path: string, body?: object) => portal.others(method, path, body);
  const button = (name: string | RegExp) => portal.button(name);
  const link = (name: string | RegExp) => portal.link(name);
  const field = (name: string | RegExp) => portal.field(name);
  const idIn = (path: string): string => new URL(page.url()).pathname.replace(path, '');
  const go = (path: string) => portal.go(path);
  const tab = (name: string, selected?: boolean) =>
    page.getByRole('tab', { name, ...(selected === undefined ? {} : { selected }) });

  it('has nothing that axe finds on the page to sign in, in any look', async () => {
    expect(await portal.faults(['/'])).toEqual([]);
  });

  it('lets an operator sign in, and shows the steps where the catalog is empty', async () => {
    await button('Sign in as operator').click();
    await page.getByRole('heading', { name: 'Four steps to tools that an agent can call' }).waitFor();
    await link('Import one').click();
    await page.waitForURL('**/import');
  });

  it('takes an API in: what would change first, and then that', async () => {
    await page.setInputFiles('input[type=file]', sample);
    await field(/^API/).fill('accounts');
    await field(/^Service/).fill('com.example.accounts-1.0.0');
    await button('Show what would change').click();
    await page.getByText('Nothing has been written yet.').waitFor();
    expect((await others('GET', '/tools')).text).toContain('"items":[]');
    await button('Import').and(page.locator('main button')).click();
    await page.getByRole('heading', { name: 'Imported' }).waitFor();
    await link('Make a skill of these tools').click();
  });

  it('makes a skill of its tools, and says what an agent reads', async () => {
    await field(/^Name/).fill('account-help');
    await button('Make the skill').click();
    await page.getByRole('heading', { level: 1, name: 'account-help' }).waitFor();
    skill = idIn('/skills/');
    await button('Activate').click();
    await button('More actions').waitFor();
    await page.getByRole('tab', { name: 'Tools' }).click();
    await link('readAccount').waitFor();
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: /^Tools that it may call/ }).waitFor();
  });

  it('gives an agent the skill, and shows what the agent is served, and what is withheld and why', async () => {
    await link('Home').click();
    await link('Register an agent').click();
    await field(/^Name/).fill('helper');
    await field(/^Service/).fill('com.example.helper-1.0.0');
    await button('Register the agent').click();
    await page.getByRole('checkbox', { name: 'account-help' }).check();
    agent = idIn('/agents/');
    await button('Assign 1 skill').click();
    await tab('Catalog', true).waitFor();
    await link('account-help').and(page.locator('main *')).first().waitFor();
    const query = 'serviceId=com.example.helper-1.0.0&envTag=dev';
    const { text } = await others('GET', `/agents/${agent}/effective-catalog?${query}`);
    const served = JSON.parse(text) as { skills: { tools: { name: string }[] }[] };
    const given = served.skills.flatMap(({ tools }) => tools.map(({ name }) => name));
    expect(given.length).toBeGreaterThan(0);
    await page.getByText(`It is given 1 skill with ${String(given.length)} tools.`).waitFor();
    for (const name of given) await link(name).first().waitFor();
    await page.getByText('It is destructive and no workflow approves its calls').first().waitFor();
    await tab('Skills').click();
    await button('Remove account-help').waitFor();
  });

  it('filters all of a list by what its address says, and goes to anything by its name', async () => {
    await go('/tools?q=bill');
    await link('listBills').waitFor();
    expect(await link('readAccount').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Words in name or description' }).fill('no such tool');
    await page.getByRole('heading', { name: 'Nothing fits' }).waitFor();
    await button('Show all').click();
    await link('readAccount').waitFor();
    // A quick hand types on before anything else has run: the keys must find the field.
    const focused = await page.evaluate<string>(`(async () => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
      await undefined;
      return document.activeElement.getAttribute('aria-label');
    })()`);
    expect(focused).toBe('A screen, or the name of anything in the catalog');
    await page.keyboard.type('account-help');
    await page.getByRole('menuitem', { name: 'account-help' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'account-help' }).waitFor();
  });

  it('shows the headings of instructions below the heading of the page', async () => {
    await go(`/skills/${skill}`);
    await page.getByRole('heading', { level: 2, name: 'Tidewell Account Service' }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['account-help']);
  });

  it('loses nothing where somebody else has saved meanwhile', async () => {
    await go(`/skills/${skill}`);
    await field(/^Description/).fill('What I typed.');
    await others('PATCH', `/skills/${skill}`, { description: 'What others typed.' });
    await button('Save').click();
    await page.getByText('+ What others typed.').waitFor();
    await page.getByText('+ What I typed.').waitFor();
    await button('Save mine over theirs').click();
    await page.getByText('+ What I typed.').waitFor({ state: 'detached' });
    await until(
      async () => (await others('GET', `/skills/${skill}`)).text,
      (text) => text.includes('What I typed.'),
    );
  });

  it('loses nothing that is typed while it saves', async () => {
    await go(`/skills/${skill}`);
    let answer = (): void => undefined;
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/skills/${skill}`, async (route) => {
      if (route.request().method() === 'PATCH') await mayAnswer;
      await route.continue();
    });
    await field(/^Description/).fill('What was sent.');
    await button('Save').click();
    await field(/^Description/).fill('What was typed meanwhile.');
    answer();
    await button('Save').and(page.locator(':enabled')).waitFor();
    await page.unroute(`**/skills/${skill}`);
    expect(await field(/^Description/).inputValue()).toBe('What was typed meanwhile.');
    await button('Save').click();
    await button('Save').and(page.locator(':disabled')).waitFor();
    await until(
      async () => (await others('GET', `/skills/${skill}`)).text,
      (text) => text.includes('What was typed meanwhile.'),
    );
  });

  it('loses nothing where the session ends meanwhile', async () => {
    await go(`/skills/${skill}`);
    await field(/^Description/).fill('Typed before the session ended.');
    const cookies = await context.cookies();
    await context.clearCookies();
    // What the screen asks by itself may have found out first: then the dialog lies over the button.
    await button('Save').dispatchEvent('click');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(cookies.length).toBeGreaterThan(0);
    await button('Sign in as operator').click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
    expect(await field(/^Description/).inputValue()).toBe('Typed before the session ended.');
    await button('Save').click();
    await button('Save').and(page.locator(':disabled')).waitFor();
  });

  it('takes hostile texts for texts, and says why they are not kept', async () => {
    await go(`/skills/${skill}`);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(hostile)});
      const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(pasted);
    })()`);
    await page.locator('.portal-preview').getByText('<script>window.struck=1</script>').first().waitFor();
    expect(await strikes(page)).toEqual([undefined, 0]);
    await button('Save').click();
    await page.getByText('holds what runs or hides').first().waitFor();
  });

  it('takes hostile names, descriptions and schemas of an import for texts, on every screen', async () => {
    const [shown] = hostileTexts;
    const seen = async () => {
      await page.locator('main').getByText(shown).filter({ visible: true }).first().waitFor();
      await portal.settled();
      expect(await strikes(page)).toEqual([undefined, 0]);
    };
    await go('/import');
    const buffer = Buffer.from(JSON.stringify(hostileDocument));
    await page.setInputFiles('input[type=file]', { name: 'x.json', mimeType: 'application/json', buffer });
    await field(/^API/).fill('hostile');
    await field(/^Service/).fill('com.example.accounts-1.0.0');
    await seen();
    await button('Show what would change').click();
    await page.getByText('Nothing has been written yet.').waitFor();
    await button('Import').and(page.locator('main button')).click();
    await page.getByRole('heading', { name: 'Imported' }).waitFor();
    expect(await strikes(page)).toEqual([undefined, 0]);
    const { items } = JSON.parse((await others('GET', '/tools?name=strangeOne')).text) as {
      items: { toolId: string; endpointId: string }[];
    };
    const [{ toolId, endpointId } = { toolId: '', endpointId: '' }] = items;
    await others('PUT', `/skills/${skill}/tools/${toolId}`, { accessLevel: 'read' });
    // A skill, which people approve as they see it, may not even be called so.
    const refused = await others('POST', '/skills', { name: shown, contentMarkdown: 'Do.' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('unsafe_text')]);
    const screens = [
      ...['', '?tab=input', '?tab=output'].map((at) => `/tools/${toolId}${at}`),
      ...['', '?tab=input', '?tab=output'].map((at) => `/endpoints/${endpointId}${at}`),
      ...['/tools?q=strangeOne', '/apis/hostile', `/skills/${skill}?tab=preview`],
      `/agents/${agent}?tab=catalog`,
    ];
    for (const screen of screens) {
      await go(screen);
      await seen();
    }
    await button('As the agent gets it').click();
    await page.locator('main pre').filter({ hasText: 'window.struck', visible: true }).first().waitFor();
    expect(await strikes(page)).toEqual([undefined, 0]);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('strange');
    await page.getByRole('menuitem', { name: '/strange@get · hostile' }).waitFor();
    expect(await strikes(page)).toEqual([undefined, 0]);
  });

  it('can be worked with by keyboard alone', async () => {
    await go('/');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('portal-main');
    await go(`/skills/${skill}`);
    await portal.tabTo(field(/^Description/));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Typed by keyboard alone.');
    // On the way lies the editor of Markdown, which the Tab key leaves.
    await portal.tabTo(page.locator('.cm-content'));
    await portal.press(button('Save'));
    await button('Save').and(page.locator(':disabled')).waitFor();
    await portal.press(page.getByRole('tab', { name: 'Preview' }));
    await page.getByRole('heading', { name: /^Tools that it may call/ }).waitFor();
    await go(`/agents/${agent}?tab=assignment`);
    await portal.press(page.getByRole('tab', { name: 'Profile' }));
    await page.getByRole('combobox', { name: 'Highest sensitivity' }).waitFor();
  });

  it('assigns several skills and arranges them by keyboard, and by drag, in one save', async () => {
    const { items } = JSON.parse((await others('GET', '/tools?name=readAccount')).text) as {
      items: { toolId: string }[];
    };
    for (const name of ['second', 'third']) {
      const made = await others('POST', '/skills', {
        name,
        description: 'One more.',
        contentMarkdown: 'Do.',
      });
      const { id } = JSON.parse(made.text) as { id: string };
      await others('PUT', `/skills/${id}/tools/${items[0]?.toolId ?? ''}`, { accessLevel: 'read' });
      await others('POST', `/skills/${id}/activate`);
    }
    const assigned = async () => {
      const { items: links } = JSON.parse((await others('GET', `/agents/${agent}/skills`)).text) as {
        items: { skillName: string; sequenceId: number; priority: number }[];
      };
      links.sort((a, b) => a.sequenceId - b.sequenceId);
      return links.map(({ skillName, priority }) => `${skillName} ${String(priority)}`);
    };
    await go(`/agents/${agent}?tab=assignment`);
    await portal.press(page.getByRole('checkbox', { name: 'second' }), 'Space');
    await portal.press(page.getByRole('checkbox', { name: 'third' }), 'Space');
    await portal.press(button('Assign 2 skills').and(page.locator(':enabled')));
    await tab('Catalog', true).waitFor();
    await portal.press(tab('Skills'));
    await button('Remove third').waitFor();
    expect(await assigned()).toEqual(['account-help 0', 'second 0', 'third 0']);
    await portal.hears(false);
    await go(`/agents/${agent}?tab=assignment`);
    await portal.press(button('Higher priority of account-help'));
    await portal.press(button('Move third up'));
    await page.keyboard.press('Enter');
    await page.getByText('third is at place 1 of 3.').waitFor();
    expect(await assigned()).toEqual(['account-help 0', 'second 0', 'third 0']);
    await portal.press(button('Save order and priorities'));
    await page.locator('.pf-v6-c-alert').getByText('Saved').first().waitFor();
    expect(await assigned()).toEqual(['third 0', 'account-help 1', 'second 0']);
    await page.getByTitle('Drag second to another place').dragTo(link('third'));
    await others('PATCH', `/agents/${agent}/skills/${skill}`, { priority: 7 });
    await button('Save order and priorities').click();
    await page.getByText('Somebody else has saved this meanwhile').waitFor();
    await page.getByRole('spinbutton').and(page.locator('[value="7"]')).waitFor();
    await button('Save order and priorities').click();
    await until(assigned, (now) => now.join() === 'second 0,third 0,account-help 7');
    await portal.hears(true);
    await go(`/agents/${agent}?tab=assignment`);
    await page.getByRole('spinbutton', { name: 'Priority of account-help' }).fill('77');
    await others('PATCH', `/agents/${agent}/skills/${skill}`, { priority: 5 });
    await page.getByText('has saved this meanwhile').waitFor();
    await button('Save order and priorities').click();
    await button('Take theirs and drop mine').click();
    await page.getByRole('spinbutton').and(page.locator('[value="5"]')).waitFor();
    expect(await assigned()).toEqual(['second 0', 'third 0', 'account-help 5']);
  });

  it('shows what others change as they do, and leaves what is typed', async () => {
    await go('/skills?active=all');
    await page.evaluate('window.stays = true');
    await others('POST', '/skills', { name: 'fourth', contentMarkdown: 'Do.' });
    await link('fourth').waitFor();
    const { items } = JSON.parse((await others('GET', '/skills?active=all&q=fourth')).text) as {
      items: { skillId: string }[];
    };
    const path = `/skills/${items[0]?.skillId ?? ''}`;
    await others('PATCH', path, { name: 'renamed' });
    await link('renamed').click();
    await field(/^Description/).fill('What is typed.');
    await others('PATCH', path, { name: 'renamed again', description: 'Of others.' });
    await page.getByText('has saved this meanwhile').waitFor();
    await page.getByRole('heading', { level: 1, name: 'renamed again' }).waitFor();
    expect(await field(/^Description/).inputValue()).toBe('What is typed.');
    await button('Cancel').click();
    await until(
      () => field(/^Description/).inputValue(),
      (text) => text === 'Of others.',
    );
    expect(await page.evaluate('window.stays')).toBe(true);
  });

  it('leaves what is typed in a profile where others save it, and goes on where the stream was cut', async () => {
    await portal.hears(false);
    await go(`/agents/${agent}?tab=profile`);
    await page.getByLabel('Personas').fill('clerk');
    await portal.hears(true);
    await others('PUT', `/agents/${agent}`, { personas: ['teller'] });
    await page.getByText('has saved this meanwhile').waitFor();
    expect(await page.getByLabel('Personas').inputValue()).toBe('clerk');
    await button('Save').click();
    await button('Take theirs and drop mine').click();
    expect(await page.getByLabel('Personas').inputValue()).toBe('teller');
  });

  it('says what a gateway lists otherwise, by keyboard too, and takes over what is chosen', async () => {
    gateway.tools = ['first', 'second'].map((name) => ({ name, inputSchema: { type: 'object' } }));
    const body = { serviceId: 'com.example.gateway-1.0.0', envTag: 'dev', url: gateway.url };
    expect((await others('PUT', `/gateways/${gatewayId}`, body)).status).toBe(201);
    await go('/gateways');
    await portal.press(link('com.example.gateway-1.0.0'));
    await portal.press(page.getByRole('tab', { name: 'Drift' }));
    const first = page.getByRole('checkbox', { name: 'first: Not in the catalog' });
    await portal.press(first, 'Space');
    await portal.press(button('What differs in second, and what can be done'));
    await page.getByText('Accepting imports it from this gateway').waitFor();
    await portal.press(button('Accept 1 finding'));
    await first.waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'second: Not in the catalog' }).waitFor();
    await portal.press(page.getByRole('tab', { name: 'History' }));
    await page.getByText('first: Not in the catalog').waitFor();
    expect((await others('GET', '/tools?q=first')).text).toContain('"name":"first"');
  });

  it('counts endpoints by facets, keeps the choice in the address, and publishes those that are chosen', async () => {
    const doc = {
      openapi: '3.1.0',
      info: { title: 'Second', version: '1' },
      paths: {
        '/again': { get: { operationId: 'readAccount', tags: ['twice'], responses: {} } },
        '/once': { put: { operationId: 'writeOnce', tags: ['twice'], responses: {} } },
      },
    };
    await others('POST', '/imports', {
      ...{ api: { apiId: 'second' }, version: { serviceId: 'com.example.accounts-1.0.0', envTag: 'dev' } },
      document: doc,
    });
    await go('/endpoints');
    await button(/^Filters/).click();
    await page.getByLabel('Tag', { exact: true }).selectOption('twice');
    await page.getByText('2 endpoints', { exact: true }).waitFor();
    expect(page.url()).toContain('tag=twice');
    expect(await page.getByLabel('Method', { exact: true }).locator('option').allTextContents()).toEqual([
      'Method',
      'get (1)',
      'put (1)',
    ]);
    await link('/once@put').click();
    await page.getByRole('columnheader', { name: 'Document' }).first().waitFor();
    await page.goBack();
    await page.getByText('2 endpoints', { exact: true }).waitFor();
    await page.getByText('Tag: twice (2)').waitFor();
    await button(/^Filters/).click();
    expect(await page.getByLabel('Tag', { exact: true }).inputValue()).toBe('twice');
    for (const endpoint of ['/again@get', '/once@put']) {
      await page.getByRole('checkbox', { name: `Choose ${endpoint}` }).focus();
      await page.keyboard.press('Space');
    }
    await button('Publish 2 as tools').focus();
    await page.keyboard.press('Enter');
    const results = page.getByRole('region', { name: 'What publishing did' });
    await results.getByText('1 published as tools').waitFor();
    await results.getByText('1 were not published').waitFor();
    await results.getByText(/\/again@get: .*readAccount/).waitFor();
  });

  it('shows what each source says of an endpoint, and what was done in the log', async () => {
    await go('/endpoints?q=readAccount');
    await page.locator('main tbody a').first().click();
    await page.getByRole('columnheader', { name: 'Document' }).first().waitFor();
    const { items } = JSON.parse((await others('GET', '/events?limit=25&newestFirst=true')).text) as {
      items: { type: string; aggregateid: string; data?: object }[];
    };
    const isLong = (value: unknown) => typeof value === 'object' && value !== null;
    const at = items.findIndex(({ data }) => Object.values(data ?? {}).some(isLong));
    await go('/log');
    const row = page.locator('main tbody tr').nth(at);
    await row.getByText(items[at]?.type.split('.').at(-1) ?? 'no event').waitFor();
    await row.getByRole('button', { name: 'Show all it says' }).click();
    await row
      .getByText(items[at]?.aggregateid ?? 'no event')
      .first()
      .waitFor();
    await row.locator('pre').waitFor();
  });

  it('has nothing that axe finds, on any screen, in any look', async () => {
    screens = await everyScreen(portal, { skill, agent, gateway: gatewayId });
    expect(routesWithout(screens)).toEqual([]);
    expect(await portal.faults(screens)).toEqual([]);
  });

  it('moves nothing that is drawn while the rest of it comes', async () => {
    await page.addInitScript(`
      window.moved = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.moved += value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    // So that what stands there meanwhile is drawn.
    await page.route('**/v1/**', async (route) => {
      await page.evaluate(drawn);
      await route.continue();
    });
    const moving: string[] = [];
    for (const screen of screens) {
      await go(screen);
      const moved = await page.evaluate<number>('moved');
      if (moved > MAX_MOVED) moving.push(`${screen}: ${moved.toFixed(3)}`);
    }
    await page.unroute('**/v1/**');
    expect(moving).toEqual([]);
  });

  it('breaks no rule of its own, and asks nobody else for anything', () => {
    expect(portal.troubles).toEqual([]);
    expect(portal.elsewhere).toEqual([]);
    expect(page.url()).not.toContain(hostId);
  });
});
