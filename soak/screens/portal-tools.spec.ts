import { readFileSync } from 'node:fs';
import { v7 } from 'uuid';
import { describeUnless } from '../../test/unless.js';
import { until } from '../../test/until.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';

const sample = readFileSync(new URL('../../sample/account-service.openapi.yaml', import.meta.url), 'utf8');
/** Callers have to say more of two operations from now on. */
const breaking = sample
  .replace('required: [cents, reason]', 'required: [cents, reason, channel]')
  .replace(/( +)reason: \{ type: string, minLength: 10.*\n/, '$&$1channel: { type: string }\n')
  .replace('minLength: 3, maxLength: 80', 'minLength: 5, maxLength: 80');

interface Listed {
  readonly items: readonly { readonly toolId: string; readonly endpointId: string }[];
}

/** Each test goes on where the one before has stopped. */
describeUnless(lacking, 'tools, endpoints and reviews in a browser', () => {
  let portal: PortalBrowser;
  let tool = '';
  let endpoint = '';
  let review = '';

  const bring = (document: string) =>
    portal.others('POST', '/imports', {
      ...{ api: { apiId: 'accounts' }, version: { serviceId: 'com.example.accounts-1.0.0', envTag: 'dev' } },
      ...{ publish: true, document },
    });
  const read = async (path: string): Promise<string> => (await portal.others('GET', path)).text;

  beforeAll(async () => {
    portal = await PortalBrowser.open();
    await bring(sample);
    const { items } = JSON.parse(await read('/tools?name=refundPayment')) as Listed;
    [tool, endpoint] = [items[0]?.toolId ?? '', items[0]?.endpointId ?? ''];
    const made = await portal.others('POST', '/skills', { name: 'accounts', contentMarkdown: '# Accounts' });
    const { id } = JSON.parse(made.text) as { id: string };
    await portal.others('PUT', `/skills/${id}/tools/${tool}`, { accessLevel: 'read' });
    await portal.others('POST', `/skills/${id}/activate`);
    const gateway = `/gateways/${v7()}`;
    const at = { serviceId: 'com.example.gateway-1.0.0', envTag: 'dev', url: 'http://127.0.0.1:9/mcp' };
    await portal.others('PUT', gateway, at);
    await portal.others('PUT', `${gateway}/exposures`, { tools: [{ toolId: tool }] });
    await portal.signIn();
  });
  afterAll(() => portal.close());

  it('shows a tool as a model is given it, with who uses it and what offers it', async () => {
    await portal.go(`/tools/${tool}`);
    const given = portal.page.getByRole('region', { name: 'What a model is given' });
    await given.getByText(/^Costs about \d+ tokens/).waitFor();
    await given.getByText('Nothing says what to give for cents.').waitFor();
    await portal.link('accounts').waitFor();
    await portal.link('com.example.gateway-1.0.0').waitFor();
  });

  it('keeps example prompts as a list that is added to and removed from', async () => {
    const typed = portal.field('Another prompt');
    for (const prompt of ['Give the money back', 'Pay it again']) {
      await typed.fill(prompt);
      await typed.press('Enter');
    }
    await portal.button('Remove “Pay it again”').click();
    await portal.button('Save').click();
    await until(
      () => read(`/tools/${tool}`),
      (text) => text.includes('"examplePrompts":["Give the money back"]'),
    );
  });

  it('writes a word over what the source says, and loses none that others write meanwhile', async () => {
    await portal.hears(false);
    await portal.go(`/tools/${tool}`);
    await portal.button('Write over: Description').click();
    await portal.page.getByText(/^It reaches the skills accounts\. Agents are given it at once\./).waitFor();
    await portal.field('Description, as the operator says it').fill('Mine.');
    await portal.others('PATCH', `/tools/${tool}`, { description: 'Theirs.' });
    await portal.button('Save').click();
    await portal.heading('Somebody else has saved this').waitFor();
    await portal.button('Save mine over theirs').click();
    await portal.button('Take back: Description').click();
    await portal.page.getByText(/what its source says is in force again/).waitFor();
    expect(await read(`/tools/${tool}`)).not.toContain('Mine.');
    await portal.hears(true);
  });

  it('says who says what of an endpoint, and settles what is contested', async () => {
    await portal.go(`/endpoints/${endpoint}`);
    await portal.button('Write over: Domain').click();
    await portal.field('Domain, as the operator says it').fill('money');
    await portal.button('Save').click();
    await portal.page.getByRole('strong').getByText('money').waitFor();
    await portal.others('PATCH', `/endpoints/${endpoint}`, { description: 'Pays back.' });
    await bring(sample.replace('Pays a credit back to', 'Returns a credit to'));
    await portal.heading('Description: another word is offered').waitFor();
    await portal.button('Take what is offered').click();
    await portal.heading('Description: another word is offered').waitFor({ state: 'detached' });
    await portal.button('Take back: Domain').click();
    await portal.button('Take back: Domain').waitFor({ state: 'detached' });
  });

  it('chooses at the desk without moving it, and leads to what a version changes, in sentences', async () => {
    expect((await bring(breaking)).text).toMatch(/"inReview":\[\{/);
    await portal.go('/desk');
    const chosen = portal.page.getByRole('checkbox', { name: 'Choose refundPayment' });
    const before = await chosen.boundingBox();
    await chosen.check();
    await portal.button('Approve 1').waitFor();
    expect(await chosen.boundingBox()).toEqual(before);
    await portal.link(/^refundPayment .* → 2\.0\.0$/).click();
    await portal.page.waitForURL('**/versions/2.0.0');
    review = new URL(portal.page.url()).pathname;
    await portal.heading(/^refundPayment .* → 2\.0\.0$/).waitFor();
    await portal.page.getByText('must be given from now on').waitFor();
    const reject = await portal.button('Reject …').boundingBox();
    expect((reject?.y ?? 900) + (reject?.height ?? 0)).toBeLessThan(900);
  });

  it('goes through what waits by two keys', async () => {
    await portal.page.keyboard.press('j');
    await portal.heading(/^searchAccounts .* → 2\.0\.0$/).waitFor();
    await portal.page.keyboard.press('k');
    await portal.heading(/^refundPayment .* → 2\.0\.0$/).waitFor();
  });

  it('has nothing that axe finds, in any look', async () => {
    const screens = [`/tools/${tool}`, `/endpoints/${endpoint}`, '/desk', review];
    expect(await portal.faults(screens)).toEqual([]);
  });

  it('evaluates, approves with a reason what lacks something, and rejects with one', async () => {
    await portal.go(review);
    await portal.button('Evaluate').click();
    await portal.page.getByText('Not evaluated yet.').waitFor({ state: 'detached' });
    await portal.button('Approve all the same …').click();
    await portal.field('Why it is approved all the same').fill('Tried on the screen.');
    await portal.button('Approve').click();
    await portal.page.getByText(/approved it all the same: Tried on the screen\./).waitFor();
    await portal.page.keyboard.press('j');
    await portal.heading(/^searchAccounts .* → 2\.0\.0$/).waitFor();
    await portal.button('Reject …').click();
    await portal.field('Why it is rejected').fill('Too narrow.');
    await portal.button('Reject').click();
    await portal.heading('Rejected').waitFor();
  });

  it('breaks no rule of its own, and asks nobody else for anything', () => {
    expect(portal.troubles).toEqual([]);
    expect(portal.elsewhere).toEqual([]);
  });
});
