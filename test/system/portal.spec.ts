import { describeUnless } from '../unless.js';
import { lacking, PortalBrowser } from './portal-browser.js';

/** That it works at all; its screens are walked by `npm run soak screens`. */
describeUnless(lacking, 'the portal in a browser, at a glance', () => {
  let portal: PortalBrowser;
  beforeAll(async () => {
    portal = await PortalBrowser.open();
  });
  afterAll(() => portal.close());

  it('is served, and lets an operator in by one click', async () => {
    await portal.button('Sign in as operator').click();
    await portal.heading('Four steps to tools that an agent can call').waitFor();
  });

  it('lists the skills that there are, and shows one', async () => {
    await portal.others('POST', '/skills', { name: 'account-help', contentMarkdown: '# Look first' });
    await portal.link('Skills').click();
    await portal.link('account-help').click();
    await portal.heading('account-help').waitFor();
    await portal.heading('Look first').waitFor();
  });

  it('breaks no rule of its own, and asks nobody else', () => {
    expect([portal.troubles, portal.elsewhere]).toEqual([[], []]);
  });
});
