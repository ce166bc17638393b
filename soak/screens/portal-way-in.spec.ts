import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { describeUnless } from '../../test/unless.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';

const path = fileURLToPath(new URL('../../sample/account-service.openapi.yaml', import.meta.url));
const sample = readFileSync(path, 'utf8');
/** Callers have to say more from now on. */
const breaking = sample.replace('cents: { type: integer', 'cents: { type: string');

/** From the first page to a catalog that is at work, as somebody goes who sees it for the first time. */
describeUnless(lacking, 'the way in, in a browser', () => {
  let portal: PortalBrowser;
  beforeAll(async () => {
    portal = await PortalBrowser.open();
  });
  afterAll(() => portal.close());

  const signOut = async () => {
    await portal.button(/^Signed in as/).click();
    await portal.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await portal.button('Sign in as operator').waitFor();
  };
  const enter = async (persona: 'operator' | 'reviewer' | 'author') => {
    await portal.button(`Sign in as ${persona}`).click();
    await portal.heading('Home').waitFor();
  };
  const drop = async (text: string) => {
    await portal.go('/import');
    const file = { name: 'accounts.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) };
    await portal.page.setInputFiles('input[type=file]', file);
  };
  const look = () => portal.button('Show what would change');
  const write = () => portal.button('Import').and(portal.page.locator('main button'));

  it('says what this is before anybody signs in, and has nothing that axe finds', async () => {
    expect(await portal.page.getByRole('heading', { level: 1 }).innerText()).toBe('Portal catalog');
    await portal.page.getByText('One catalog of all APIs that AI agents may use').waitFor();
    expect(await portal.faults(['/'])).toEqual([]);
  });

  it('has no agent to be where there is none, and says who makes one', async () => {
    await portal.button('Sign in as an agent').click();
    await portal.heading('There is no agent in the catalog yet').waitFor();
    expect(await portal.page.evaluate(`fetch('session').then((answer) => answer.json())`)).toMatchObject({
      signedIn: false,
    });
  });

  it('asks the service little for the first screen, and explains each step', async () => {
    await enter('operator');
    await portal.settled();
    const before = portal.asked.length;
    await portal.go('/');
    await portal.heading('Four steps to tools that an agent can call').waitFor();
    const asked = portal.asked.slice(before).filter((url) => /\/v1\//.test(url) && !/stream/.test(url));
    expect(asked.length).toBeLessThanOrEqual(3);
    await portal.page.getByText('A skill tells an agent how to do one kind of work').waitFor();
  });

  it('refuses what is no description at once, and says what is missing', async () => {
    await drop('Dear reader, this is a letter.');
    await portal.heading('This can’t be imported').waitFor();
    await portal.page.getByText('Still missing: a description that can be read.').waitFor();
    expect(await look().isDisabled()).toBe(true);
  });

  it('reads a description that was pasted, fills in what it says, and folds its text', async () => {
    await portal.go('/import');
    await portal.field('Description').fill(sample);
    await portal.field('Description').blur();
    await portal.page.getByText('OpenAPI 3.1.0, 9 operations').waitFor();
    expect(await portal.field(/^API/).inputValue()).toBe('tidewell-account-service');
    expect(await portal.field(/^Version/).inputValue()).toBe('1.0.0');
    expect(await portal.page.getByText('openapi: 3.1.0').count()).toBe(0);
    await portal.field(/^Service/).fill('');
    await portal.page.getByText('Still missing: Service.').waitFor();
  });

  it('shows what would change below the one button, and writes by the same', async () => {
    await drop(sample);
    await look().click();
    await portal.heading('What would change').waitFor();
    await portal.page.getByText('Endpoints: 9 added, 9 become new tools.').waitFor();
    expect(await look().count()).toBe(0);
    expect((await portal.others('GET', '/tools')).text).toContain('"items":[]');
    await write().click();
    await portal.heading('Imported').waitFor();
    await portal.link('Make a skill of these tools').click();
    await portal.field(/^Name/).fill('bills');
    await portal.button('Make the skill').click();
    await portal.heading('bills').first().waitFor();
  });

  it('leads on from a skill that is off, and from an agent without one', async () => {
    await portal.go('/');
    await portal.link('Go and activate it').click();
    await portal.button('Activate').click();
    await portal.button('More actions').waitFor();
    await portal.go('/');
    await portal.link('Register an agent').click();
    await portal.field(/^Name/).fill('helper');
    await portal.field(/^Service/).fill('com.example.helper-1.0.0');
    await portal.button('Register the agent').click();
    await portal.page.getByRole('checkbox', { name: 'bills' }).waitFor();
    await portal.go('/');
    await portal.link('Give it a skill').click();
    await portal.page.getByRole('checkbox', { name: 'bills' }).check();
    await portal.button('Assign 1 skill').click();
    await portal.page.getByText(/^It is given 1 skill with/).waitFor();
    await portal.page.getByRole('tab', { name: 'Skills' }).click();
    await portal.button('Remove bills').waitFor();
    await portal.go('/');
    await portal.link('Go to gateways').waitFor();
    await portal.link('1 agent').waitFor();
  });

  it('opens each row of the report to what differs, and names whom it reaches', async () => {
    await signOut();
    await enter('author');
    await drop(breaking);
    await portal.page.getByText('Version 1.0.0 is updated.').waitFor();
    await look().click();
    await portal.page.getByText(/of these breaks? callers/).waitFor();
    await portal.page.locator('main').getByRole('link', { name: 'helper', exact: true }).waitFor();
    await portal.button('Details').first().click();
    await portal.page.locator('.portal-diff').first().waitFor();
    expect(await portal.page.locator('.portal-diff ins').first().innerText()).toContain('string');
    await write().click();
    await portal.heading('Imported').waitFor();
    await portal.link('See what waits for a review').waitFor();
  });

  it('lets another person review what one has written, and an agent see its catalog alone', async () => {
    await signOut();
    await enter('reviewer');
    const waiting = portal.page.getByRole('region', { name: 'Versions in review' });
    await waiting.getByText('Written by author.').first().waitFor();
    await waiting
      .getByRole('link', { name: /^Review: / })
      .first()
      .click();
    await portal.heading(/^Review of /).waitFor();
    await portal.go('/');
    await signOut();
    await portal.button('Sign in as an agent').click();
    await portal.button('Go on as this agent').click();
    await portal.heading('Home').waitFor();
    await portal.button(/^Signed in as helper/).waitFor();
    await portal.link('1 active skill').waitFor();
    await portal.link('0 gateways').waitFor();
    await signOut();
  });

  it('reads the document of a version again, and shows first what would change', async () => {
    await enter('operator');
    await portal.go('/apis/tidewell-account-service');
    await portal.button('Read again').click();
    await portal.page.getByText('Nothing changes: all is there already, as it is.').waitFor();
  });

  it('has nothing that axe finds, in any look', async () => {
    expect(await portal.faults(['/', '/import', '/apis/tidewell-account-service'])).toEqual([]);
  });

  it('breaks no rule of its own, and asks nobody else for anything', () => {
    expect([portal.troubles, portal.elsewhere]).toEqual([[], []]);
  });
});
