import { fileURLToPath } from 'node:url';
import { startEchoApi, type EchoApi } from '../echo-api.js';
import { describeUnless } from '../unless.js';
import { lacking, PortalBrowser } from './portal-browser.js';

const sample = fileURLToPath(new URL('../../sample/account-service.openapi.yaml', import.meta.url));

/** The way from an empty host to an agent's catalog and a call, by clicks alone; each screen is walked by `npm run soak screens`. */
describeUnless(lacking, 'the portal in a browser, at a glance', () => {
  let portal: PortalBrowser;
  /** In place of the account service. */
  let accounts: EchoApi;
  beforeAll(async () => {
    accounts = await startEchoApi();
    portal = await PortalBrowser.open();
  });
  afterAll(async () => {
    await portal.close();
    accounts.stop();
  });

  it('lets an operator in by one click, and leads to the import', async () => {
    await portal.button('Sign in as operator').click();
    await portal.heading('Four steps to tools that an agent can call').waitFor();
    await portal.link('Import one').click();
    await portal.page.waitForURL('**/import');
  });

  it('imports an API: what would change first, and then that', async () => {
    await portal.page.setInputFiles('input[type=file]', sample);
    await portal.field(/^Service/).fill('com.example.accounts-1.0.0');
    await portal.button('Show what would change').click();
    await portal.page.getByText('9 become new tools').waitFor();
    await portal.button('Import').and(portal.page.locator('main button')).click();
    await portal.heading('Imported').waitFor();
    await portal.link('Make a skill of these tools').click();
  });

  it('makes a skill of its tools', async () => {
    await portal.field(/^Name/).fill('account-help');
    await portal.button('Make the skill').click();
    await portal.page.getByRole('heading', { level: 1, name: 'account-help' }).waitFor();
    await portal.button('Activate').click();
    await portal.button('More actions').waitFor();
  });

  it('registers an agent, gives it the skill, and shows what it is given', async () => {
    await portal.link('Agents').click();
    await portal.link('New agent').first().click();
    await portal.field(/^Name/).fill('helper');
    await portal.field(/^Service/).fill('com.example.helper-1.0.0');
    await portal.button('Register the agent').click();
    await portal.page.getByRole('checkbox', { name: 'account-help' }).check();
    await portal.button('Assign 1 skill').click();
    await portal.page.getByText(/^It is given 1 skill with 8 tools\./).waitFor();
    await portal.link('readAccount').waitFor();
    await portal.page.getByText('It is destructive and no workflow approves its calls').first().waitFor();
  });

  it('connects a gateway, exposes the tools there, and calls one', async () => {
    await portal.link('Home').click();
    await portal.link('Go to gateways').click();
    await portal.link('Register a gateway').first().click();
    await portal.button('Take the development gateway of this service').click();
    await portal.button('Register the gateway').click();
    await portal.page.getByRole('checkbox', { name: 'Expose readAccount' }).check();
    await portal.field('Calls go to').fill(`${accounts.url}/v1`);
    await portal.page.getByText('1 tool is added.').waitFor();
    await portal.button('Save the selection').click();
    await portal.page.getByText(/^1 tool is exposed here/).waitFor();
    await portal.page.getByRole('tab', { name: 'Try a call' }).click();
    await portal.page.getByRole('combobox', { name: 'Tool', exact: true }).selectOption('readAccount');
    await portal.button('Call').click();
    await portal.button('Sign in again with accounts.read').click();
    await portal.page.getByText('You have accounts.read now.').waitFor();
    await portal.field(/^accountId/).fill('TW-204-881');
    await portal.button('Call').click();
    await portal.page.getByText(/readAccount answered, after/).waitFor();
    await portal.page.getByText('"asked": "/v1/accounts/TW-204-881"').waitFor();
  });

  it('breaks no rule of its own, and asks nobody else', () => {
    expect([portal.troubles, portal.elsewhere]).toEqual([[], []]);
  });
});
