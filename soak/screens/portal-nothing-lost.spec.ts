import { describeUnless } from '../../test/unless.js';
import { until } from '../../test/until.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
/** A filter of filters, and a list of such lists. */
const endless = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Endless', version: '1.0.0' },
  paths: {
    '/found': {
      post: {
        operationId: 'findThings',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  filter: reference('Filter'),
                  lists: reference('Lists'),
                  limit: { type: 'integer' },
                },
              },
            },
          },
        },
        responses: { 200: { description: 'Those that fit.' } },
      },
    },
  },
  components: {
    schemas: {
      Filter: {
        type: 'object',
        properties: {
          field: { type: 'string' },
          ...Object.fromEntries(
            ['and', 'or', 'not', 'any', 'none'].map((name) => [name, reference('Filter')]),
          ),
        },
      },
      Lists: { type: 'array', items: reference('Lists') },
    },
  },
});

/** Each test goes on where the one before has stopped. */
describeUnless(lacking, 'what is typed in a browser', () => {
  let portal: PortalBrowser;
  let [skill, tool, endpoint] = ['', '', ''];

  const others = async <Answer = unknown>(method: string, path: string, body?: object) =>
    JSON.parse((await portal.others(method, path, body)).text) as Answer;
  const description = () => portal.field(/^Description/);
  const skillSays = (text: string) =>
    until(
      async () => (await portal.others('GET', `/skills/${skill}`)).text,
      (said) => said.includes(text),
    );

  beforeAll(async () => {
    portal = await PortalBrowser.open();
    await others('POST', '/imports', {
      ...{ api: { apiId: 'endless' }, version: { serviceId: 'com.example.endless-1.0.0', envTag: 'dev' } },
      ...{ publish: true, document: endless },
    });
    const tools = await others<{ items: { toolId: string; endpointId: string }[] }>('GET', '/tools');
    [tool, endpoint] = [tools.items[0]?.toolId ?? '', tools.items[0]?.endpointId ?? ''];
    const made = { name: 'finding', contentMarkdown: '# Finding' };
    skill = (await others<{ id: string }>('POST', '/skills', made)).id;
    await portal.others('PUT', `/skills/${skill}/tools/${tool}`, { accessLevel: 'read' });
    await portal.others('POST', `/skills/${skill}/activate`);
    await portal.signIn();
  });
  afterAll(() => portal.close());

  it.each(['tools', 'endpoints'])('reads schemas that have no end, a level at a time: %s', async (kind) => {
    await portal.go(`/${kind}/${kind === 'tools' ? tool : endpoint}?tab=input`);
    const { page } = portal;
    await page.getByText('limit', { exact: true }).first().waitFor();
    const count = () => page.getByText('none', { exact: true }).count();
    expect(await count()).toBe(1);
    await page.getByRole('treeitem').filter({ hasText: 'none' }).last().getByRole('button').first().click();
    await until(count, (found) => found > 1);
  });

  it('stays where the session ends, and so does what is worked on', async () => {
    await portal.go(`/skills/${skill}`);
    await description().fill('Typed before the scope was chosen.');
    await portal.button(/^What you work on/).click();
    await portal.field('Environment').fill('dev');
    await portal.button('Work on this').click();
    await portal.button('What you work on: All services · dev. Change it').waitFor();
    expect(await description().inputValue()).toBe('Typed before the scope was chosen.');
    await portal.context.clearCookies();
    await portal.button('Save').dispatchEvent('click');
    await portal.heading('Your session has ended').waitFor();
    await portal.button('Sign in as operator').click();
    await portal.heading('Your session has ended').waitFor({ state: 'detached' });
    await portal.button('What you work on: All services · dev. Change it').waitFor();
    expect(await description().inputValue()).toBe('Typed before the scope was chosen.');
    await portal.button('Save').click();
    await skillSays('Typed before the scope was chosen.');
  });

  it('is saved where the same person has signed in again in another window', async () => {
    await portal.go(`/skills/${skill}`);
    await description().fill('Typed before another window signed in.');
    await elsewhere('Sign in as operator');
    await portal.button('Save').click();
    await skillSays('Typed before another window signed in.');
  });

  it('is sent as nobody else who has signed in in another window', async () => {
    await portal.go(`/skills/${skill}`);
    await description().fill('Typed by the operator.');
    await elsewhere('Sign in as author');
    await portal.button('Save').dispatchEvent('click');
    await portal.heading('This page is of another session').waitFor();
    expect((await portal.others('GET', `/skills/${skill}`)).text).not.toContain('Typed by the operator.');
    await portal.button(/^Go on as /).click();
    await portal.heading('This page is of another session').waitFor({ state: 'detached' });
    expect(await description().inputValue()).toBe('Typed by the operator.');
    await elsewhere('Sign in as operator');
    await portal.go('/');
  });

  it('overwrites nothing that others have said of a tool within the skill', async () => {
    await portal.hears(false);
    await portal.go(`/skills/${skill}?tab=tools`);
    await portal.button('Settings of findThings within this skill').click();
    await portal.field('How to use it within this skill').fill('Mine.');
    await portal.others('PUT', `/skills/${skill}/tools/${tool}`, {
      ...{ accessLevel: 'read', config: { notes: 'Theirs.' } },
    });
    await portal.button('Save').click();
    await portal.heading('Somebody else has saved this').waitFor();
    expect((await portal.others('GET', `/skills/${skill}/tools/${tool}`)).text).toContain('Theirs.');
    await portal.button('Save mine over theirs').click();
    await until(
      async () => (await portal.others('GET', `/skills/${skill}/tools/${tool}`)).text,
      (text) => text.includes('Mine.'),
    );
    await portal.settled();
    await portal.hears(true);
  });

  it('asks before it is left, on forms of every kind', async () => {
    const asked: string[] = [];
    portal.page.on('dialog', (dialog) => {
      // Of its own accord the browser asks, too, before a page is loaded anew.
      if (dialog.type() === 'beforeunload') return void dialog.accept();
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await portal.go('/agents/new');
    await portal.field(/^Name/).fill('helper');
    await portal.field(/^Service/).fill('com.example.helper-1.0.0');
    await portal.button('Register the agent').click();
    await portal.heading('helper').first().waitFor();
    const agent = new URL(portal.page.url()).pathname.split('/').at(-1) ?? '';
    expect(asked).toEqual([]);
    for (const [screen, field] of [
      ['/skills/new', /^Name/],
      ['/agents/new', /^Name/],
      ['/gateways/new', /^Address/],
      [`/agents/${agent}?tab=profile`, /^Domains/],
    ] as const) {
      await portal.go(screen);
      await portal.field(field).first().fill('typed');
      await portal.link('Log').first().click();
      await until(
        () => Promise.resolve(asked.length),
        (count) => count === 1,
      );
      expect(asked.splice(0)).toEqual(['Your changes are not saved. Leave this page without them?']);
      expect(new URL(portal.page.url()).pathname).toBe(screen.split('?')[0]);
    }
  });

  /** Another window of the same browser signs out, and in again. */
  async function elsewhere(choice: string): Promise<void> {
    const page = await portal.context.newPage();
    await page.goto(`${portal.server.address}/`);
    await page
      .getByRole('button', { name: /^Signed in as / })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: choice }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.close();
  }
});
