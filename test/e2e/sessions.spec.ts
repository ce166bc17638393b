import { v7 } from 'uuid';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { Browser, type Sent } from './browser.js';
import { eachOwnServer } from './own-server.js';
import { hostId } from './server.js';

const cookieName = 'portal-session';
const skill = () => ({ name: `skill ${v7()}`, contentMarkdown: '# A skill' });
const skills = `/v1/hosts/${hostId}/skills`;

eachOwnServer((server) => {
  let browser: Browser;
  const database = () => server().app.get<Database>(DATABASE);
  const signedIn = async (body: object = { hostId }): Promise<Browser> => {
    const one = new Browser(server().address);
    expect(await one.signIn(body)).toMatchObject({ status: 200, body: { signedIn: true } });
    return one;
  };
  const outcome = async (method: string, path: string, sent?: Sent, from = browser): Promise<string> => {
    const { status, body } = await from.send(method, path, sent);
    return typeof body['code'] === 'string' ? `${String(status)} ${body['code']}` : String(status);
  };

  beforeEach(async () => {
    browser = await signedIn();
  });

  describe('a person at a browser', () => {
    it('is told how to sign in, does so by one click, works, and signs out', async () => {
      const one = new Browser(server().address);
      expect((await one.send('GET', '/session')).body).toEqual({
        ...{ signedIn: false, providers: [], developmentSignIn: true },
      });
      const { body } = await one.signIn();
      expect(body).toMatchObject({
        signedIn: true,
        subject: 'developer',
        name: 'Developer',
        sid: null,
        env: null,
      });
      expect(body).toMatchObject({ host: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01', hosts: [body['host']] });
      expect((await one.send('GET', '/session')).body).toMatchObject({
        ...body,
        expiresAt: expect.any(String),
      });
      const path = `/v1/hosts/${String(body['host'])}/skills`;
      expect(await one.send('POST', path, { body: skill() })).toMatchObject({ status: 201 });
      expect(await one.send('GET', path)).toMatchObject({
        status: 200,
        body: { items: [expect.any(Object)] },
      });
      const copy = new Map(one.cookies);
      expect(await one.send('POST', '/session/logout')).toMatchObject({
        status: 200,
        body: { signedIn: false },
      });
      expect(one.cookies.size).toBe(0);
      for (const [name, value] of copy) one.cookies.set(name, value);
      expect(await outcome('GET', path, {}, one)).toBe('401 session_ended');
      expect((await one.send('GET', '/session')).body).toMatchObject({ signedIn: false });
    });

    it('has the scopes that were asked for, and no more', async () => {
      const reader = await signedIn({ hostId, scope: 'catalog:read catalog:all-services' });
      expect(await outcome('GET', skills, {}, reader)).toBe('200');
      expect(await outcome('POST', skills, { body: skill() }, reader)).toBe('403 insufficient_scope');
      expect(await outcome('POST', '/session/development', { body: { scope: 'catalog:root' } })).toBe(
        '400 invalid_body',
      );
    });

    it('is whom it asked to be: a reviewer writes nothing, an author approves nothing, an agent is confined', async () => {
      const approve = `/v1/hosts/${hostId}/tools/${hostId}/versions/1.0.0/approve`;
      const asked = async (as: string, more: object = {}) => {
        const one = await signedIn({ hostId, as, ...more });
        const { body } = await one.send('GET', '/session');
        return [
          ...[body['subject'], body['name']],
          await outcome('POST', skills, { body: skill() }, one),
          await outcome('POST', approve, { body: {} }, one),
        ];
      };
      expect(await asked('operator')).toEqual([
        'operator',
        'Operator',
        '201',
        expect.stringMatching(/^40[04]/),
      ]);
      expect(await asked('reviewer')).toEqual([
        ...['reviewer', 'Reviewer', '403 insufficient_scope'],
        expect.stringMatching(/^40[04]/),
      ]);
      expect(await asked('author')).toEqual(['author', 'Author', '201', '403 insufficient_scope']);
      const agent = { agentDefId: hostId, serviceId: 'helpers', envTag: 'dev', name: 'Helper' };
      expect(await asked('agent', { agent })).toEqual([
        ...['agent', 'Helper', '403 insufficient_scope', '403 insufficient_scope'],
      ]);
      const one = await signedIn({ hostId, as: 'agent', agent });
      expect((await one.send('GET', skills)).body).toEqual({ items: [] });
      const refused = (body: object) => outcome('POST', '/session/development', { body });
      expect(await refused({ as: 'agent' })).toBe('400 agent_needed');
      expect(await refused({ as: 'author', agent })).toBe('400 agent_needed');
      expect(await refused({ as: 'root' })).toBe('400 invalid_body');
    });

    it('is the writer of what is written', async () => {
      await browser.send('POST', skills, { body: skill() });
      const { body } = await browser.send('GET', `/v1/hosts/${hostId}/events?limit=500`);
      const events = body['items'] as readonly { user: string; clientid: string }[];
      expect(events.at(-1)).toMatchObject({ user: 'developer', clientid: 'portal-catalog-portal' });
    });

    it('gets a new session with each signing in, and the one before ends', async () => {
      const before = new Map(browser.cookies);
      await browser.signIn({ hostId });
      expect(browser.cookies.get(cookieName)).not.toBe(before.get(cookieName));
      const old = new Browser(server().address);
      for (const [name, value] of before) old.cookies.set(name, value);
      expect(await outcome('GET', skills, {}, old)).toBe('401 session_ended');
    });

    it('can’t bring an id of its own: nothing begins with it', async () => {
      const planted = 'A'.repeat(43);
      const one = new Browser(server().address);
      one.cookies.set(cookieName, planted);
      await one.signIn({ hostId });
      expect(one.cookies.get(cookieName)).not.toBe(planted);
      const other = new Browser(server().address);
      other.cookies.set(cookieName, planted);
      expect(await outcome('GET', skills, {}, other)).toBe('401 session_ended');
    });
  });

  describe('a choice', () => {
    const choose = (body: object) => browser.send('PUT', '/session/choice', { body });

    it('narrows what the session covers, and can be taken back', async () => {
      expect(await choose({ hostId, serviceId: 'a', envTag: 'prod' })).toMatchObject({
        status: 200,
        body: { host: hostId, sid: 'a', env: 'prod', claims: { env: ['dev', 'test', 'staging', 'prod'] } },
      });
      const agents = `/v1/hosts/${hostId}/agents`;
      expect(await outcome('GET', `${agents}?serviceId=a&envTag=prod`)).toBe('200');
      expect(await outcome('GET', `${agents}?serviceId=b`)).toBe('403 service_not_covered');
      expect(await outcome('GET', `${agents}?envTag=dev`)).toBe('403 environment_not_covered');
      expect(await choose({ hostId })).toMatchObject({ status: 200, body: { sid: null, env: null } });
      expect(await outcome('GET', `${agents}?serviceId=b&envTag=dev`)).toBe('200');
    });

    it('of what the claims do not hold is refused, and changes nothing', async () => {
      await choose({ hostId, envTag: 'prod' });
      expect(await choose({ hostId: v7() })).toMatchObject({
        status: 403,
        body: { code: 'host_not_covered' },
      });
      expect(await choose({ hostId, envTag: 'moon' })).toMatchObject({
        body: { code: 'environment_not_covered' },
      });
      expect(await choose({})).toMatchObject({ status: 400 });
      expect((await browser.send('GET', '/session')).body).toMatchObject({ host: hostId, env: 'prod' });
    });
  });

  describe('a request of another site', () => {
    const unsafe = { body: { hostId, envTag: 'prod' } };

    it.each([
      ['no token', { 'x-csrf-token': null }, '403 csrf_token'],
      ['an empty token', { 'x-csrf-token': '' }, '403 csrf_token'],
      ['another token', { 'x-csrf-token': 'o1aYk3nJq0b0mXzFhVtPZ0cP7r1sQn5u5wQk1b2c3d4' }, '403 csrf_token'],
      ['a foreign Origin', { origin: 'https://evil.test' }, '403 cross_site'],
      ['the Origin null', { origin: 'null' }, '403 cross_site'],
      ['no Origin', { origin: null }, '403 cross_site'],
      ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }, '403 cross_site'],
      ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }, '403 cross_site'],
      ['Sec-Fetch-Site none', { 'sec-fetch-site': 'none' }, '403 cross_site'],
    ])('with %s changes nothing', async (_, headers, expected) => {
      for (const [method, path, sent] of [
        ['PUT', '/session/choice', unsafe],
        ['POST', '/session/logout', {}],
        ['POST', skills, { body: skill() }],
      ] as const) {
        expect(await outcome(method, path, { ...sent, headers })).toBe(expected);
      }
      expect(await outcome('GET', skills)).toBe('200');
    });

    it('does not read either', async () => {
      expect(await outcome('GET', skills, { headers: { 'sec-fetch-site': 'cross-site' } })).toBe(
        '403 cross_site',
      );
      expect(await outcome('GET', skills, { headers: { origin: 'https://evil.test' } })).toBe(
        '403 cross_site',
      );
      expect(await outcome('GET', '/session', { headers: { 'sec-fetch-site': 'same-site' } })).toBe(
        '403 cross_site',
      );
    });

    it('is none where a browser says nothing of it, and reads', async () => {
      expect(await outcome('GET', skills, { headers: { 'sec-fetch-site': null } })).toBe('200');
      expect(await outcome('GET', skills, { headers: { 'sec-fetch-site': 'none' } })).toBe('200');
    });

    it('by a form is no JSON', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      for (const path of ['/session/choice', '/session/development', skills]) {
        const method = path === '/session/choice' ? 'PUT' : 'POST';
        expect(await outcome(method, path, { body: 'scope=catalog:read', headers })).toBe(
          '415 unsupported_media_type',
        );
      }
    });

    it.each([
      ['another Origin', { origin: 'http://evil.test' }],
      ['no Origin', { origin: null }],
      ['a foreign name bound to this address', { origin: 'http://evil.test:3000', host: 'evil.test:3000' }],
      ['a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ])('with %s does not sign in', async (_, headers) => {
      const one = new Browser(server().address);
      const answer = await one.send('POST', '/session/development', { body: {}, headers });
      expect(answer).toMatchObject({ status: 403, body: { code: 'page_only' } });
      expect(answer.headers['set-cookie']).toBeUndefined();
    });
  });

  describe('the cookie', () => {
    it('is kept from scripts and from other sites, and means nothing by itself', async () => {
      const one = new Browser(server().address);
      const { headers } = await one.signIn({ hostId });
      const [line = ''] = [headers['set-cookie'] ?? ''].flat();
      expect(line).toMatch(/^portal-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/);
      expect(headers['cache-control']).toBe('no-store');
    });

    it('is not taken at /mcp', async () => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      expect(await outcome('POST', '/mcp', { body })).toBe('401 token_missing');
    });

    it('loses to a bearer token, whatever that is', async () => {
      const authorization = `Bearer ${await server().token({ scope: 'catalog:read', sub: 'olga' })}`;
      expect(await outcome('POST', skills, { body: skill(), headers: { authorization } })).toBe(
        '403 insufficient_scope',
      );
      for (const wrong of ['Bearer x', 'Basic b2xnYTp4', '']) {
        expect(await outcome('GET', skills, { headers: { authorization: wrong } })).toMatch(/^401 token_/);
      }
    });

    it('sent twice is refused: one of them was planted', async () => {
      const own = `${cookieName}=${browser.cookies.get(cookieName) ?? ''}`;
      const planted = `${cookieName}=${'A'.repeat(43)}`;
      for (const cookie of [`${own}; ${planted}`, `${planted}; ${own}`, `${own}; ${own}`]) {
        expect(await outcome('GET', skills, { headers: { cookie } })).toBe('401 session_ambiguous');
      }
      expect(await outcome('GET', skills, { headers: { cookie: [own, planted] } })).toBe(
        '401 session_ambiguous',
      );
    });

    it('is known by its exact name and spelling', async () => {
      const id = browser.cookies.get(cookieName) ?? '';
      for (const cookie of [
        ...[`Portal-Session=${id}`, `__Host-portal-session=${id}`, `__Secure-portal-session=${id}`],
        ...[`\u00a0portal-session=${id}`, `x="; portal-session2=${id}"`, `$Version=1; $portal-session=${id}`],
        ...['portal-session', 'portal-sessio', `=portal-session=${id}`],
      ]) {
        expect(
          await outcome('GET', skills, {
            headers: { cookie: Buffer.from(cookie, 'utf8').toString('latin1') },
          }),
        ).toBe('401 token_missing');
      }
      for (const value of [
        '',
        `"${id}"`,
        `${id}=`,
        `${id}x`,
        id.slice(1),
        `${id.slice(0, -1)}%41`,
        'x'.repeat(9000),
      ]) {
        expect(await outcome('GET', skills, { headers: { cookie: `portal-session=${value}` } })).toBe(
          '401 session_ended',
        );
      }
    });
  });

  describe('the database', () => {
    it('holds neither the id nor a token', async () => {
      const id = browser.cookies.get(cookieName) ?? '';
      const rows = await database().acrossHosts.query('SELECT * FROM session_t');
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(id);
      // Sealed (a JWE begins alike), but no JWT of three parts.
      expect(JSON.stringify(rows)).not.toMatch(/"eyJ[\w-]+\.[\w-]+\.[\w-]+"/);
    });

    it('shows the sessions of a host to it alone', async () => {
      expect(await database().of(v7()).query('SELECT FROM session_t')).toEqual([]);
    });

    it.each([
      ['has been idle too long', "used = now() - interval '3601 seconds'"],
      ['is over', 'ends = now()'],
      [
        'was sealed with a key that is gone',
        "sealed = regexp_replace(sealed, '^[^.]+', 'eyJhbGciOiJkaXIifQ')",
      ],
    ])('ends a session that %s', async (_, change) => {
      const { body } = await browser.send('GET', '/session');
      expect(body).toMatchObject({ signedIn: true });
      await database().acrossHosts.query(`UPDATE session_t SET ${change}`);
      expect(await outcome('GET', skills)).toBe('401 session_ended');
      expect(await outcome('POST', skills, { body: skill() })).toBe('401 session_ended');
      expect((await browser.send('GET', '/session')).body).toMatchObject({ signedIn: false });
    });

    it('lets nobody use what was sealed for somebody else', async () => {
      const other = await signedIn({ hostId, scope: 'catalog:read catalog:all-services' });
      await database().acrossHosts.query(
        `UPDATE session_t SET sealed = (SELECT sealed FROM session_t ORDER BY created LIMIT 1)
          WHERE created = (SELECT max(created) FROM session_t)`,
      );
      expect(await outcome('GET', skills, {}, other)).toBe('401 session_ended');
    });
  });
});
