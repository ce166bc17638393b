import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { describeUnless } from '../../test/unless.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';

const sample = readFileSync(new URL('../../sample/account-service.openapi.yaml', import.meta.url), 'utf8');

describeUnless(lacking, 'search, evaluation, graph, taxonomy and settings in a browser', () => {
  let portal: PortalBrowser;
  let skill = '';
  /** The address of a run that is compared with another. */
  let compared = '';

  beforeAll(async () => {
    portal = await PortalBrowser.open();
    await portal.others('POST', '/imports', {
      ...{ api: { apiId: 'accounts' }, version: { serviceId: 'com.example.accounts-1.0.0', envTag: 'dev' } },
      ...{ publish: true, document: sample },
    });
    const made = await portal.others('POST', '/skills', {
      ...{ name: 'accounts', description: 'Accounts.', contentMarkdown: '# Accounts' },
    });
    skill = (JSON.parse(made.text) as { id: string }).id;
    const { items } = JSON.parse((await portal.others('GET', '/tools?name=listBills')).text) as {
      items: { toolId: string }[];
    };
    await portal.others('PUT', `/skills/${skill}/tools/${items[0]?.toolId ?? ''}`, { accessLevel: 'read' });
    await portal.signIn();
  });
  afterAll(() => portal.close());

  it('tries a prompt, and says why each is found; the address shows the same again', async () => {
    await portal.go('/search');
    await portal.field('Prompt').fill('list the bills of an account');
    await portal.page.keyboard.press('Enter');
    await portal.link('listBills').first().waitFor();
    await portal.page
      .getByText(/^bill: /)
      .first()
      .waitFor();
    await portal.button('Parts of the score').first().click();
    await portal.page.getByText('By words').first().waitFor();
    await portal.link('listBills').first().click();
    await portal.heading('listBills').waitFor();
    await portal.page.goBack();
    await portal.link('listBills').first().waitFor();
    expect(await portal.field('Prompt').inputValue()).toBe('list the bills of an account');
  });

  it('runs data sets, and leads from what was taken for what to the prompt', async () => {
    await portal.go('/search?tab=sets');
    await portal.field('Name').fill('bills');
    await portal.field(/^Prompts, one a line/).fill('{"prompt": broken');
    await portal.button('Keep the data set').click();
    await portal.page.getByText(/^Line 1: /).waitFor();
    const rows = [
      { prompt: 'list the bills of an account', expect: ['listBills'] },
      { prompt: 'list the bills of an account', expect: ['readAccount'] },
    ];
    await portal.field(/^Prompts, one a line/).fill(rows.map((row) => JSON.stringify(row)).join('\n'));
    await portal.button('Keep the data set').click();
    await portal.page.getByRole('gridcell', { name: 'bills' }).waitFor();
    await portal.page.getByRole('tab', { name: 'Evaluations' }).click();
    await portal.page.getByLabel('Data set', { exact: true }).selectOption({ label: 'bills (2)' });
    await portal.button('Run it').click();
    await portal.heading('What was taken for what').waitFor();
    const confused = portal.page.getByRole('row').filter({ hasText: 'readAccount' }).first();
    expect(await confused.innerText()).toContain('listBills');
    await portal.page.getByText('Only those for which another came first').click();
    expect(await portal.page.getByRole('grid', { name: 'Prompt by prompt' }).getByRole('row').count()).toBe(
      3,
    );
    await confused.getByRole('link').click();
    await portal.link('listBills').first().waitFor();
  });

  it('says which prompts became better or worse than in another run', async () => {
    const { items } = JSON.parse((await portal.others('GET', '/tools?name=readAccount')).text) as {
      items: { toolId: string }[];
    };
    await portal.others('PATCH', `/tools/${items[0]?.toolId ?? ''}`, {
      routing: { semanticKeywords: ['list the bills of an account', 'bills', 'list bills account'] },
    });
    await portal.go('/search?tab=evaluation');
    await portal.page.getByLabel('Data set', { exact: true }).selectOption({ label: 'bills (2)' });
    await portal.button('Run it').click();
    await portal.heading('Prompt by prompt').waitFor();
    const others = portal.page.getByRole('combobox', { name: 'Compare with an earlier run' });
    await others.selectOption({ index: 1 });
    await portal.page.getByRole('grid', { name: 'Compare with an earlier run' }).waitFor();
    expect(await portal.page.getByText('Better', { exact: true }).count()).toBeGreaterThan(0);
    compared = portal.page.url().slice(portal.server.address.length);
    expect(compared).toMatch(/^\/evaluations\/[\da-f-]{36}\?against=[\da-f-]{36}$/);
  });

  it('draws what lies around a skill, and lists the same, by keyboard too', async () => {
    await portal.go('/graph');
    await portal.button('accounts').focus();
    await portal.page.keyboard.press('Enter');
    await portal.page.locator('.react-flow__node').getByText('listBills').waitFor();
    const list = portal.page.getByRole('grid', { name: 'Relations' });
    const drawn = await portal.page.locator('.react-flow__node').count();
    const named = new Set(await list.getByRole('button').allInnerTexts());
    expect(named.size).toBe(drawn);
    await portal.button('Show what lies around listBills').focus();
    await portal.page.keyboard.press('Enter');
    await list.getByText('is published as').waitFor();
    await portal.page.getByRole('combobox', { name: 'Every kind' }).selectOption({ label: 'Skill' });
    await list.getByText('is published as').waitFor({ state: 'detached' });
    await list.getByRole('link', { name: 'Skill' }).click();
    await portal.page.waitForURL(`**/skills/${skill}`);
  });

  it('makes categories, moves one below another and never below itself, and says what is taken', async () => {
    await portal.go('/taxonomy');
    for (const name of ['money', 'bills']) {
      await portal.field('Name').fill(name);
      await portal.button('Add').click();
      await portal.button(`Edit ${name}`).waitFor();
    }
    await portal.button('Edit bills').click();
    const below = portal.page.getByRole('combobox', { name: 'Below' }).first();
    expect(await below.locator('option').allInnerTexts()).not.toContain('bills');
    await below.selectOption({ label: 'money' });
    await portal.button('Save').click();
    await portal.page.getByRole('gridcell', { name: 'money / bills' }).waitFor();
    await portal.field('Name').fill('money');
    await portal.button('Add').click();
    await portal.heading(/It was not saved/).waitFor();
    await portal.page.getByRole('tab', { name: 'Tags' }).click();
    await portal.field('Name').last().fill('slow');
    await portal.button('Add').last().click();
    await portal.button('Edit slow').waitFor();
    expect((await portal.others('GET', '/tags?entityType=tool')).text).toContain('"tagName":"slow"');
    await portal.button('Edit slow').click();
    await portal.field('Description').last().fill('Takes minutes.');
    await portal.button('Save').click();
    await portal.page.getByRole('gridcell', { name: 'Takes minutes.' }).waitFor();
    await portal.button('Delete slow').click();
    await portal.button('Edit slow').waitFor({ state: 'detached' });
  });

  it('tries, evaluates and classifies by keyboard alone', async () => {
    const { keyboard } = portal.page;
    const type = async (target: Locator, text: string): Promise<void> => {
      await portal.tabTo(target);
      await keyboard.type(text);
    };
    await portal.go('/search');
    await type(portal.field('Prompt'), 'list the bills of an account');
    await keyboard.press('Enter');
    await portal.press(portal.button('Parts of the score').first());
    await portal.page.getByText('By words').first().waitFor();
    await portal.go('/search');
    await portal.press(portal.page.getByRole('tab', { name: 'Data sets' }));
    await type(portal.field('Name'), 'keys');
    await type(portal.field(/^Prompts, one a line/), '{"prompt": "bills", "expect": ["listBills"]}');
    await portal.press(portal.button('Keep the data set'));
    await portal.page.getByRole('gridcell', { name: 'keys' }).waitFor();
    await portal.go('/search');
    await portal.press(portal.page.getByRole('tab', { name: 'Evaluations' }));
    await type(portal.page.getByLabel('Data set', { exact: true }), 'keys');
    await portal.press(portal.button('Run it'));
    await portal.heading('Prompt by prompt').waitFor();
    await portal.go('/taxonomy');
    await type(portal.field('Name'), 'keys');
    await keyboard.press('Enter');
    await portal.press(portal.button('Edit keys'));
    await type(portal.page.getByRole('combobox', { name: 'Below' }).first(), 'money');
    await portal.press(portal.button('Save'));
    await portal.page.getByRole('gridcell', { name: 'money / keys' }).waitFor();
    await portal.press(portal.page.getByRole('tab', { name: 'Tags' }));
    await type(portal.field('Name').last(), 'handy');
    await portal.press(portal.button('Add').last());
    await portal.press(portal.button('Delete handy'));
    await portal.button('Delete handy').waitFor({ state: 'detached' });
  });

  it('switches settings, and writes over nothing that others have switched', async () => {
    await portal.hears(false);
    await portal.go('/settings');
    const quarantine = portal.page.getByRole('switch', {
      name: 'Withhold a tool while a change of it waits',
    });
    await quarantine.focus();
    await portal.page.keyboard.press('Space');
    await portal.page.getByText('The setting is saved.').waitFor();
    expect((await portal.others('GET', '/settings')).text).toContain('"quarantine":true');
    await portal.others('PUT', '/settings', { autoApprove: false });
    await portal.page.getByText('Agents discover commands over MCP').click();
    await portal.heading(/The setting was not saved/).waitFor();
    expect((await portal.others('GET', '/settings')).text).toContain('"commandTools":false');
    await portal.hears(true);
  });

  it('has nothing that axe finds, in any look', async () => {
    const screens = [
      '/search?prompt=bills',
      ...['evaluation', 'sets'].map((tab) => `/search?tab=${tab}`),
      compared,
      ...['/graph', `/graph?kind=Skill&id=${skill}&hops=2`],
      ...['/taxonomy', '/taxonomy?tab=tags', '/settings'],
    ];
    expect(await portal.faults(screens)).toEqual([]);
  });

  it('breaks no rule of its own, and asks nobody else for anything', () => {
    expect(portal.troubles).toEqual([]);
    expect(portal.elsewhere).toEqual([]);
  });
});
