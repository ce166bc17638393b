import { readFileSync } from 'node:fs';
import { v7 } from 'uuid';
import { startEchoApi, type EchoApi } from '../../test/echo-api.js';
import { ScriptedGateway } from '../../test/e2e/gateway-servers.js';
import { describeUnless } from '../../test/unless.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';

const sample = readFileSync(new URL('../../sample/account-service.openapi.yaml', import.meta.url), 'utf8');

/** Each test goes on where the one before has stopped. */
describeUnless(lacking, 'gateways, webhooks, data sets and the log in a browser', () => {
  let portal: PortalBrowser;
  let api: EchoApi;
  /** A gateway of others, which lists what it likes. */
  let other: ScriptedGateway;
  let gateway = '';
  const otherGateway = `/gateways/${v7()}`;
  const tab = (name: string) => portal.page.getByRole('tab', { name });
  const box = (name: string) => portal.page.getByRole('checkbox', { name });
  const tool = () => portal.page.getByRole('combobox', { name: 'Tool', exact: true });

  beforeAll(async () => {
    api = await startEchoApi();
    other = await ScriptedGateway.start();
    portal = await PortalBrowser.open();
    await portal.others('POST', '/imports', {
      ...{ api: { apiId: 'accounts' }, version: { serviceId: 'com.example.accounts-1.0.0', envTag: 'dev' } },
      ...{ publish: true, document: sample },
    });
    await portal.signIn();
  });
  afterAll(async () => {
    await portal.close();
    await other.stop();
    api.stop();
  });

  it('registers the development gateway of the service by clicks, and says faults at their fields', async () => {
    await portal.go('/gateways');
    await portal.heading('There is no gateway yet').waitFor();
    await portal.link('Register a gateway').first().click();
    await portal.field('Address').fill('nonsense');
    await portal.field('Service').fill('com.example.gateway-1.0.0');
    await portal.button('Register the gateway').click();
    await portal.page.getByText(/^must be an absolute address/).waitFor();
    await portal.button('Take the development gateway of this service').click();
    await portal.button('Register the gateway').click();
    await portal.heading('com.example.gateway-1.0.0').waitFor();
    await portal.page.getByText('Nothing is exposed here yet').waitFor();
    gateway = new URL(portal.page.url()).pathname;
  });

  it('exposes what is chosen, once it is said whom that reaches', async () => {
    for (const name of ['readAccount', 'closeAccount']) await box(`Expose ${name}`).check();
    await portal.field('Calls go to').fill(`${api.url}/v1`);
    await portal.page.getByText('2 tools are added.').waitFor();
    await portal.page.getByText('No agent gets more or less by that.').waitFor();
    await portal.button('Save the selection').click();
    await portal.page.getByText(/^2 tools are exposed here/).waitFor();
  });

  it('calls a tool by clicks alone, and says why another is refused', async () => {
    await tab('Try a call').click();
    await tool().selectOption('closeAccount');
    await portal.field(/^accountId/).waitFor();
    await portal.button('Call').click();
    await portal.page.getByText('The tool destroys something, and names no published workflow').waitFor();
    await tool().selectOption('readAccount');
    await portal.field(/^accountId/).fill('TW-204-881');
    await portal.button('Call').click();
    await portal.button('Sign in again with accounts.read').click();
    await portal.page.getByText('You have accounts.read now.').waitFor();
    await portal.field(/^accountId/).fill('TW-204-881');
    await portal.button('Call').click();
    await portal.page.getByText(/readAccount answered, after/).waitFor();
    await portal.page.getByText('"asked": "/v1/accounts/TW-204-881"').waitFor();
  });

  it('shows side by side how another gateway differs, and takes over what is chosen', async () => {
    const read = async (path: string): Promise<unknown> =>
      JSON.parse((await portal.others('GET', path)).text);
    const idOf = async (name: string): Promise<string> => {
      const { items } = (await read(`/tools?name=${name}`)) as { items: { toolId: string }[] };
      return items[0]?.toolId ?? '';
    };
    const tools = await Promise.all(['readAccount', 'listBills'].map(idOf));
    const { inputSchema } = (await read(`/tools/${tools[0] ?? ''}`)) as { inputSchema: object };
    other.tools = [
      { name: 'readAccount', description: 'Reads an account, it says.', inputSchema },
      { name: 'weighParcel', description: 'Weighs a parcel.', inputSchema: { type: 'object' } },
    ];
    const at = { serviceId: 'com.example.other-1.0.0', envTag: 'dev', url: other.url };
    await portal.others('PUT', otherGateway, at);
    await portal.others('PUT', `${otherGateway}/exposures`, { tools: tools.map((toolId) => ({ toolId })) });
    await portal.go(`${otherGateway}?tab=drift`);
    await box('listBills: Not on the gateway').waitFor();
    await box('readAccount: Description differs').waitFor();
    await portal.page.getByText('Reads an account, it says.').first().waitFor();
    await box('weighParcel: Not in the catalog').check();
    await portal.button('Accept 1 finding').click();
    await portal.page.getByText('1 finding accepted.').waitFor();
    await box('weighParcel: Not in the catalog').waitFor({ state: 'detached' });
    expect(await idOf('weighParcel')).not.toBe('');
    await box('listBills: Not on the gateway').check();
    await portal.button('Dismiss 1 finding').click();
    await portal.field('Reason').fill('It moves there next month.');
    await portal.page.getByRole('dialog').getByRole('button', { name: 'Dismiss 1 finding' }).click();
    await portal.heading('May stay').waitFor();
    await portal.page.getByText(/^It moves there next month\./).waitFor();
    expect(await portal.faults([`${otherGateway}?tab=drift`])).toEqual([]);
    await portal.button('Reopen the finding about listBills').click();
    await box('listBills: Not on the gateway').waitFor();
    await tab('History').click();
    await portal.page.getByText('Accepted', { exact: true }).waitFor();
  });

  it('warns of what agents lose, and changes what is written of a gateway', async () => {
    await portal.go(`${gateway}?tab=tools`);
    await box('Expose closeAccount').uncheck();
    await portal.page.getByText('1 tool is taken off.').waitFor();
    await portal.button('Cancel').click();
    await tab('Drift').click();
    await portal.heading('Nothing can differ here').waitFor();
    await tab('Settings').click();
    await portal.page.getByRole('combobox', { name: 'Sensitivity up to' }).selectOption('confidential');
    await portal.button('Save').click();
    await portal.page.getByText('Confidential').first().waitFor();
  });

  it('adds a webhook, and deletes it once it is said what is lost', async () => {
    await portal.go('/webhooks');
    await portal.link('Add a webhook').first().click();
    await portal.field('Address').fill('https://agents.example.com/hooks');
    await portal.field('Name of the secret').fill('agents-hook');
    await portal.button('Add the webhook').click();
    await portal.heading('Nothing waits, and nothing was given up').waitFor();
    await portal.button('Delete').click();
    await portal.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await portal.heading('Nobody is told yet').waitFor();
  });

  it('opens a data set and deletes it, and tells in words what was done last', async () => {
    await portal.others('PUT', '/evaluation-sets/bills', {
      rows: [{ prompt: 'Who owes us?', expect: ['listBills'] }],
    });
    await portal.go('/search?tab=sets');
    await portal.link('bills').click();
    await portal.page.getByRole('gridcell', { name: 'Who owes us?' }).waitFor();
    await portal.button('Delete').click();
    await portal.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await portal.heading('There is no data set yet').waitFor();
    await portal.go('/log');
    await portal.page.getByText('Webhook removed').waitFor();
    await portal.page
      .getByRole('link', { name: /gateway/ })
      .first()
      .click();
    await portal.heading('com.example.gateway-1.0.0').waitFor();
  });

  it('has nothing that axe finds, in any look', async () => {
    const tabs = ['tools', 'try', 'settings'].map((name) => `${gateway}?tab=${name}`);
    const drift = ['drift', 'history'].map((name) => `${otherGateway}?tab=${name}`);
    const screens = ['/gateways', '/gateways/new', ...tabs, ...drift, '/webhooks/new', '/log'];
    expect(await portal.faults(screens)).toEqual([]);
    expect(portal.troubles).toEqual([]);
    expect(portal.elsewhere).toEqual([]);
  });
});
