import { readFileSync } from 'node:fs';
import { describeUnless } from '../../test/unless.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';

const sample = readFileSync(new URL('../../sample/account-service.openapi.yaml', import.meta.url), 'utf8');
const calling = (tool: string) => `document:
  dsl: 1.0.3
  version: 1.0.0
do:
  - look:
      switch:
        - rich: {when: .rich, then: end}
  - bills:
      call: mcp
      with: {tool: ${tool}}
`;

/** Each test goes on where the one before has stopped. */
describeUnless(lacking, 'workflows in a browser', () => {
  let portal: PortalBrowser;
  let skill = '';
  let workflow = '';

  beforeAll(async () => {
    portal = await PortalBrowser.open();
    await portal.others('POST', '/imports', {
      ...{ api: { apiId: 'accounts' }, version: { serviceId: 'com.example.accounts-1.0.0', envTag: 'dev' } },
      ...{ publish: true, document: sample },
    });
    const made = await portal.others('POST', '/skills', { name: 'accounts', contentMarkdown: '# Accounts' });
    skill = (JSON.parse(made.text) as { id: string }).id;
    const { items } = JSON.parse((await portal.others('GET', '/tools?name=listBills')).text) as {
      items: { toolId: string }[];
    };
    await portal.others('PUT', `/skills/${skill}/tools/${items[0]?.toolId ?? ''}`, {});
    await portal.signIn();
  });
  afterAll(() => portal.close());

  const editor = () => portal.field('Definition (YAML)');
  /** Over all that stands there. */
  const write = async (definition: string): Promise<void> => {
    await editor().click();
    for (const key of ['Control+a', 'Delete']) await portal.page.keyboard.press(key);
    await portal.page.keyboard.insertText(definition);
  };
  const isEditing = "document.activeElement.classList.contains('cm-content')";

  it('makes one for a skill: what is wrong stands at its line, and what is refused stays typed', async () => {
    await portal.go(`/skills/${skill}?tab=workflow`);
    await portal.link('New workflow for this skill').click();
    await portal.field(/^Namespace$/).fill('ops');
    await portal.field(/^Name$/).fill('look at bills');
    await write(calling('readAccount'));
    await portal.page.getByText(/The step calls the tool readAccount/).waitFor();
    await portal.page.locator('.cm-lint-marker-error').waitFor();
    await portal.button('Line 8').click();
    expect(await portal.page.evaluate(isEditing)).toBe(true);
    await write(calling('listBills'));
    await portal.heading('Nothing is wrong with the definition').waitFor();
    await portal.button('Make the draft').click();
    await portal.heading('The workflow was not made').waitFor();
    await portal.field(/^Name$/).fill('bills');
    await portal.button('Make the draft').click();
    const steps = portal.page.getByRole('grid', { name: 'Steps of bills' });
    await steps.getByText('bills').first().waitFor();
    expect((await portal.others('GET', `/skills/${skill}/workflows`)).text).toContain('"primary"');
    await portal.button('Edit the definition here').click();
    await editor().waitFor();
    await portal.link('bills').click();
    await portal.page.waitForURL('**/workflows/*');
    workflow = new URL(portal.page.url()).pathname.replace('/workflows/', '');
  });

  it('draws the steps as they follow one another, and leads from each to its line', async () => {
    await portal.go(`/workflows/${workflow}`);
    const rows = portal.page.getByRole('grid', { name: 'Steps of bills' }).getByRole('row');
    await rows.first().waitFor();
    const listed = await rows.count();
    await portal.button('Picture').click();
    const nodes = portal.page.locator('.react-flow__node');
    await nodes.first().waitFor();
    expect(await nodes.count()).toBe(listed - 1);
    await nodes.getByRole('button', { name: /listBills/ }).focus();
    await portal.page.keyboard.press('Enter');
    expect(await portal.page.evaluate(isEditing)).toBe(true);
  });

  it('loses nothing where somebody else has saved meanwhile', async () => {
    await portal.go(`/workflows/${workflow}`);
    await write(`# mine\n${calling('listBills')}`);
    const theirs = `# theirs\n${calling('listBills')}`;
    await portal.others('PATCH', `/workflows/${workflow}`, { definition: theirs });
    await portal.button('Save').click();
    await portal.page.getByText('+ # theirs').waitFor();
    await portal.page.getByText('+ # mine').waitFor();
    expect(await portal.button('Publish').isDisabled()).toBe(true);
    await portal.button('Save mine over theirs').click();
    await portal.page.getByText('+ # mine').waitFor({ state: 'detached' });
    expect((await portal.others('GET', `/workflows/${workflow}`)).text).toContain('# mine');
  });

  it('has nothing that axe finds', async () => {
    const screens = [
      '/workflows/new',
      `/workflows/${workflow}?shown=picture`,
      `/skills/${skill}?tab=workflow`,
    ];
    expect(await portal.faults(screens)).toEqual([]);
  });

  it('publishes it for good, and begins the next version from it', async () => {
    await portal.go(`/workflows/${workflow}`);
    await portal.button('Publish').click();
    await portal.page.getByText('Published', { exact: true }).waitFor();
    await portal.page.locator('[aria-readonly=true]').waitFor();
    await portal.link('Next version').click();
    await editor().getByText('1.1.0').waitFor();
    expect(await portal.field(/^Version$/).inputValue()).toBe('1.1.0');
    await portal.button('Make the draft').click();
    await portal.page.getByText('Draft', { exact: true }).waitFor();
    const { items } = JSON.parse((await portal.others('GET', '/workflows?name=bills')).text) as {
      items: { version: string; lifecycleStatus: string }[];
    };
    const versions = items.map(({ version, lifecycleStatus }) => `${version} ${lifecycleStatus}`);
    expect(versions.sort()).toEqual(['1.0.0 PUBLISHED', '1.1.0 DRAFT']);
  });

  it('breaks no rule of its own, and asks nobody else for anything', () => {
    expect(portal.troubles).toEqual([]);
    expect(portal.elsewhere).toEqual([]);
  });
});
