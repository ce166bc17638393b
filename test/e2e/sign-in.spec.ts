import { Browser, type Answer } from './browser.js';
import { OpenIdProvider, publicUrl } from './openid-provider.js';
import { OwnServer } from './own-server.js';
import { eachKind, hostId } from './server.js';

/** Signing in at a real OpenID provider, and what others may try with it. */

const allowed = { host: hostId, sid: 'accounts', env: 'dev' };
let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await OpenIdProvider.start();
});
beforeEach(() => {
  Object.assign(provider, { claims: allowed, account: 'olga', lifetime: 600, isDown: false, agrees: true });
});
afterAll(() => provider.stop());

/** Follows the provider's redirects until one leads back to the service; gives what it leads to. */
async function throughProvider(start: string): Promise<string> {
  const away = new Browser(provider.issuer);
  let address = start;
  for (let steps = 0; steps < 8; steps += 1) {
    const { headers } = await away.send('GET', address, { headers: { 'sec-fetch-site': null } });
    address = new URL(String(headers['location']), address).href;
    if (address.startsWith(publicUrl)) return address;
  }
  throw new Error('The provider never led back.');
}

const back = (browser: Browser, address: string, accept?: string): Promise<Answer> =>
  browser.send('GET', address.slice(publicUrl.length), {
    headers: { 'sec-fetch-site': 'cross-site', ...(accept !== undefined && { accept }) },
  });

const withParameter = (address: string, name: string, value: string | null): string => {
  const url = new URL(address);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.href;
};

const sessionCookie = '__Host-portal-session';
const attemptCookie = '__Host-portal-sign-in';
const skills = `/v1/hosts/${hostId}/skills`;

eachKind(
  async (kind) => {
    const server = await OwnServer.start(kind, provider.environment);
    return { server, stop: () => server.stop() };
  },
  (server) => {
    const begin = async (browser: Browser, returnTo = '/catalog/skills'): Promise<string> => {
      const { headers } = await browser.send(
        'GET',
        `/session/login?returnTo=${encodeURIComponent(returnTo)}`,
      );
      return throughProvider(String(headers['location']));
    };
    const newBrowser = () => new Browser(server().address, new URL(publicUrl).origin);
    const signIn = async (): Promise<Browser> => {
      const browser = newBrowser();
      expect((await back(browser, await begin(browser))).status).toBe(302);
      browser.csrf = String((await browser.send('GET', '/session')).body['csrf']);
      return browser;
    };
    const codeOf = ({ status, body }: Answer): string => `${String(status)} ${String(body['code'])}`;
    const outcome = async (browser: Browser): Promise<string> => codeOf(await browser.send('GET', skills));

    describe('a person', () => {
      it('signs in at the provider, and comes back to where they were', async () => {
        const browser = newBrowser();
        expect((await browser.send('GET', '/session')).body).toEqual({
          ...{ signedIn: false, developmentSignIn: false },
          providers: [{ id: 'provider', name: 'Single sign-on', start: '/catalog/session/login' }],
        });
        const started = await browser.send('GET', '/session/login?returnTo=/catalog/skills');
        expect([started.status, started.text]).toEqual([302, '']);
        const address = await throughProvider(String(started.headers['location']));
        const finished = await back(browser, address);
        expect([finished.status, finished.text]).toEqual([302, '']);
        expect(finished.headers['location']).toBe('https://portal.test/catalog/skills');
        expect([...browser.cookies.keys()]).toEqual([sessionCookie]);
        expect((await browser.send('GET', '/session')).body).toMatchObject({
          ...{ subject: 'olga', name: 'Olga Marsh', host: hostId },
        });
        expect((await browser.send('GET', skills)).status).toBe(200);
      });

      it('whose token covers nothing is told so, and has no session', async () => {
        provider.claims = { ...allowed, host: 'nobody' };
        const browser = newBrowser();
        expect((await back(browser, await begin(browser))).status).toBe(403);
        expect(browser.cookies.has(sessionCookie)).toBe(false);
      });

      it('who does not agree at the provider is told so on a page, where nothing of it is markup', async () => {
        provider.agrees = false;
        const browser = newBrowser();
        const answer = await back(browser, await begin(browser), 'text/html');
        expect([answer.status, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
        expect(answer.text).toContain('access_denied');
        expect(answer.text).not.toContain('<b>');
        expect(browser.cookies.size).toBe(0);
      });

      it('signs out, here and, where they go on, at the provider', async () => {
        const browser = await signIn();
        const { body } = await browser.send('POST', '/session/logout');
        expect(body).toMatchObject({ signedIn: false });
        const end = new URL(String(body['endSession']));
        expect(end.origin).toBe(provider.issuer);
        expect(Object.fromEntries(end.searchParams)).toEqual({
          ...{ client_id: 'portal', post_logout_redirect_uri: `${publicUrl}/` },
        });
        expect(browser.cookies.size).toBe(0);
      });

      it.each([
        ...['//evil', '/\\evil', '\\\\evil', '/%2f/evil', '/%5cevil'],
        ...['https://evil.test', '/\t/evil', 'evil'],
      ])('is not led to %p', async (returnTo) => {
        const path = `/session/login?returnTo=${encodeURIComponent(returnTo)}`;
        expect(codeOf(await newBrowser().send('GET', path))).toBe('400 invalid_query');
      });
    });

    describe('an answer of the provider', () => {
      it('counts once, also where somebody has kept the cookie of the attempt', async () => {
        const browser = newBrowser();
        const address = await begin(browser);
        const kept = new Map(browser.cookies);
        expect((await back(browser, address)).status).toBe(302);
        expect(codeOf(await back(browser, address))).toBe('400 sign_in_unknown');
        const other = newBrowser();
        for (const [name, value] of kept) other.cookies.set(name, value);
        expect(codeOf(await back(other, address))).toBe('400 sign_in_unknown');
      });

      it('is of no use in a browser that did not begin', async () => {
        const address = await begin(newBrowser());
        expect(codeOf(await back(newBrowser(), address))).toBe('400 sign_in_unknown');
        const other = newBrowser();
        await begin(other);
        expect(codeOf(await back(other, address))).toBe('400 sign_in_invalid');
        expect(other.cookies.has(sessionCookie)).toBe(false);
      });

      it('with the code of another attempt is refused, whose code is not', async () => {
        const [browser, other] = [newBrowser(), newBrowser()];
        const [own, foreign] = [await begin(browser), await begin(other)];
        const injected = withParameter(own, 'code', new URL(foreign).searchParams.get('code'));
        expect(codeOf(await back(browser, injected))).toBe('400 sign_in_invalid');
        expect(browser.cookies.has(sessionCookie)).toBe(false);
      });

      it.each([
        ['another issuer', 'https://evil.test'],
        ['no issuer', null],
      ])('of %s is refused, though state and code are right', async (_, issuer) => {
        const browser = newBrowser();
        const address = withParameter(await begin(browser), 'iss', issuer);
        expect(codeOf(await back(browser, address))).toBe('400 sign_in_invalid');
      });

      it('is refused where a second cookie of the attempt was planted, or it is no cookie of ours', async () => {
        const browser = newBrowser();
        const address = await begin(browser);
        const cookie = `${attemptCookie}=${String(browser.cookies.get(attemptCookie))}`;
        const tossed = await browser.send('GET', address.slice(publicUrl.length), {
          headers: { 'sec-fetch-site': 'cross-site', cookie: `${attemptCookie}=planted; ${cookie}` },
        });
        expect(codeOf(tossed)).toBe('401 session_ambiguous');
        browser.cookies.set(attemptCookie, 'planted');
        expect(codeOf(await back(browser, address))).toBe('400 sign_in_unknown');
      });

      it('begins a session under a new id, whatever id the browser came with', async () => {
        const browser = newBrowser();
        const planted = 'A'.repeat(43);
        browser.cookies.set(sessionCookie, planted);
        await back(browser, await begin(browser));
        expect(browser.cookies.get(sessionCookie)).not.toBe(planted);
        const attacker = newBrowser();
        attacker.cookies.set(sessionCookie, planted);
        expect(await outcome(attacker)).toBe('401 session_ended');
      });
    });

    describe('a provider that is down', () => {
      it('lets nobody begin or come back, and says so', async () => {
        const browser = newBrowser();
        const address = await begin(browser);
        provider.isDown = true;
        const answer = await back(browser, address, 'text/html');
        expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
        expect(answer.text).toContain('can’t be reached');
        expect(browser.cookies.has(sessionCookie)).toBe(false);
      });

      it('keeps nobody from working as long as their token holds, and from signing out', async () => {
        provider.lifetime = 25;
        const browser = await signIn();
        provider.isDown = true;
        expect((await browser.send('GET', skills)).status).toBe(200);
        expect((await browser.send('POST', '/session/logout')).status).toBe(200);
      });
    });

    describe('tokens that are about to end', () => {
      it('are renewed once, however many requests come at a time', async () => {
        provider.lifetime = 25;
        const browser = await signIn();
        const before = provider.asked.refresh_token;
        provider.lifetime = 600;
        const answers = await Promise.all(Array.from({ length: 12 }, () => browser.send('GET', skills)));
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        expect((await browser.send('GET', skills)).status).toBe(200);
        expect(provider.asked.refresh_token - before).toBe(1);
      });

      it('are renewed to what the person may do now', async () => {
        provider.lifetime = 25;
        const browser = await signIn();
        provider.claims = { ...allowed, host: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5eff' };
        expect(await outcome(browser)).toBe('403 host_not_covered');
      });
    });

    describe('the word of the provider that somebody has signed out', () => {
      const say = (token: string) =>
        newBrowser().send('POST', '/session/back-channel-logout', {
          body: new URLSearchParams({ logout_token: token }).toString(),
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            'sec-fetch-site': null,
            origin: null,
          },
        });

      it('ends all sessions of the person, and of nobody else', async () => {
        const [first, second] = [await signIn(), await signIn()];
        provider.account = 'omar';
        const other = await signIn();
        expect((await say(await provider.logoutToken({ sub: 'olga' }))).status).toBe(200);
        expect([await outcome(first), await outcome(second)]).toEqual([
          '401 session_ended',
          '401 session_ended',
        ]);
        expect((await other.send('GET', skills)).status).toBe(200);
      });

      it.each([
        ['for another client', { aud: 'other' }],
        ['of another issuer', { iss: 'https://evil.test' }],
        ['of nobody', { sub: null }],
        ['with a nonce, as ID tokens have', { nonce: 'n' }],
        ['without the event', { events: {} }],
        ['that is over', { exp: 1 }],
        ['of an hour ago', { iat: 1 }],
        ['without an id', { jti: null }],
      ])('%s is refused', async (_, claims) => {
        const browser = await signIn();
        expect(codeOf(await say(await provider.logoutToken({ sub: 'olga', ...claims })))).toBe(
          '400 logout_token_invalid',
        );
        expect((await browser.send('GET', skills)).status).toBe(200);
      });

      it('counts once, and no other token of the provider is one', async () => {
        const token = await provider.logoutToken({ sub: 'somebody' });
        expect((await say(token)).status).toBe(200);
        expect(codeOf(await say(token))).toBe('400 logout_token_invalid');
        expect(codeOf(await say(await provider.logoutToken({ sub: 'olga' }, 'at+jwt')))).toBe(
          '400 logout_token_invalid',
        );
        expect(codeOf(await say('no token'))).toBe('400 logout_token_invalid');
      });
    });
  },
);
