import { ModulesContainer } from '@nestjs/core';
import { Domain } from '../../src/kernel/domain.js';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import type { OpenDatabase } from '../../src/platform/database/open-database.js';
import { compileValidatorsAhead } from '../../src/platform/validation/validator.js';
import { warmUp } from '../../src/warm-up.js';
import { eachOwnServer, OwnServer } from './own-server.js';
import { hostId } from './server.js';

eachOwnServer((server, kind) => {
  const skill = { name: 'first', contentMarkdown: '# First' };

  describe('health', () => {
    it('needs no token', async () => {
      expect(await server().api('GET', '//health/live', { token: '' })).toMatchObject({
        status: 200,
        body: { status: 'ok' },
      });
      expect(await server().api('GET', '//health/ready', { token: '' })).toMatchObject({ status: 200 });
    });
  });

  it('compiles every schema ahead, so that no request has to wait for one', async () => {
    await warmUp(server().app);
    expect([...compileValidatorsAhead(), ...server().app.get(Domain).types.compileAhead()]).toEqual([]);
    expect((await server().api('POST', '/skills', { body: { name: 1 } })).body['code']).toBe('invalid_body');
  });

  describe('without its database', () => {
    it('the process lives, is not ready, and says so to every request', async () => {
      const stranded = await OwnServer.start(kind);
      await stranded.app.get<OpenDatabase>(DATABASE).close();
      expect((await stranded.api('GET', '//health/live', { token: '' })).status).toBe(200);
      expect(await stranded.api('GET', '//health/ready', { token: '' })).toMatchObject({
        status: 503,
        body: { code: 'not_ready' },
      });
      const answer = await stranded.api('GET', '/skills');
      expect([answer.status, answer.body['code']]).toEqual([503, 'database_unavailable']);
      await stranded.stop();
    });
  });

  describe('metrics', () => {
    it('count requests by route template, never by path', async () => {
      await server().api('GET', '/skills');
      const { text, headers } = await server().api('GET', '//metrics', { token: '' });
      expect(headers.get('content-type')).toContain('text/plain');
      expect(text).toMatch(
        /http_request_duration_seconds_count\{method="GET",route="\/v1\/hosts\/:hostId\/skills",status="200"\} \d+/,
      );
      expect(text).toContain('nodejs_eventloop_lag_seconds');
      expect(text).toMatch(/^catalog_log_growths_total \d+$/m);
    });
  });

  describe('a path that is none', () => {
    it('is a problem', async () => {
      const answer = await server().api('GET', '//nowhere?token=secret');
      expect(answer).toMatchObject({ status: 404, body: { code: 'no_such_route', instance: '/nowhere' } });
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    });

    it.each([
      ['DELETE', '/skills', 'GET, HEAD, POST'],
      ['OPTIONS', '/skills', 'GET, HEAD, POST'],
      ['POST', `/skills/${hostId}`, 'GET, HEAD, PATCH'],
      ['PATCH', '//health/live', 'GET, HEAD'],
    ])('by this method, but has others, is said to have them: %s %s', async (method, path, allow) => {
      const { status, headers, body } = await server().api(method, path);
      expect([status, headers.get('allow'), body['code']]).toEqual([405, allow, 'method_not_allowed']);
    });

    it('a write without its body is refused, and says so', async () => {
      const link = `/skills/${hostId}/tools/${hostId}`;
      expect(await server().api('PUT', link)).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
    });
  });

  describe('every answer', () => {
    it('has the request id that was sent, if it can be one', async () => {
      const { headers } = await server().api('GET', '/skills', { headers: { 'x-request-id': 'trace-7' } });
      expect(headers.get('x-request-id')).toBe('trace-7');
    });

    it('to a write or with a problem has a request id, a new one for each', async () => {
      const ids = new Set<string | null>();
      for (const id of ['a b', 'x'.repeat(129), 'a\tb']) {
        const odd = await server().api('POST', '/skills', { body: {}, headers: { 'x-request-id': id } });
        expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}-\d+$/);
        ids.add(odd.headers.get('x-request-id'));
      }
      const absent = await server().api('GET', '/nowhere');
      ids.add(absent.headers.get('x-request-id'));
      expect(ids.size).toBe(4);
    });

    it('can’t be framed, sniffed or mixed with what is foreign', async () => {
      const { headers } = await server().api('GET', '/skills');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    });
  });

  describe('a write', () => {
    it('is answered with its receipt', async () => {
      const { status, headers, body } = await server().api('POST', '/skills', { body: skill });
      expect(body).toMatchObject({
        id: expect.any(String),
        version: 1,
        changed: true,
        position: expect.any(Number),
      });
      expect([status, headers.get('etag')]).toEqual([201, '"1"']);
      expect(headers.get('location')).toBe(`/v1/hosts/${hostId}/skills/${String(body['id'])}`);
    });

    it('repeated under its Idempotency-Key is answered byte for byte, and done once', async () => {
      const call = { body: { ...skill, name: 'repeated' }, headers: { 'idempotency-key': 'again' } };
      const [one, two] = [
        await server().api('POST', '/skills', call),
        await server().api('POST', '/skills', call),
      ];
      expect(one.status).toBe(201);
      expect({ ...two, headers: 0 }).toEqual({ ...one, headers: 0 });
      for (const name of ['etag', 'location', 'content-type'])
        expect(two.headers.get(name)).toBe(one.headers.get(name));
      const list = await server().api<{ items: { name: string }[] }>('GET', '/skills');
      expect(list.body.items.filter(({ name }) => name === 'repeated')).toHaveLength(1);
    });

    it('under a key of another request is 422', async () => {
      const headers = { 'idempotency-key': 'other' };
      await server().api('POST', '/skills', { body: { ...skill, name: 'a' }, headers });
      const reused = await server().api('POST', '/skills', { body: { ...skill, name: 'b' }, headers });
      expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    });

    it('that failed is not kept', async () => {
      const headers = { 'idempotency-key': 'failed' };
      expect(
        (await server().api('POST', '/skills', { body: { ...skill, name: 'first' }, headers })).status,
      ).toBe(409);
      expect(
        (await server().api('POST', '/skills', { body: { ...skill, name: 'free' }, headers })).status,
      ).toBe(201);
    });

    it('is checked against the claims before it is replayed', async () => {
      const call = { body: { ...skill, name: 'claimed' }, headers: { 'idempotency-key': 'claims' } };
      expect((await server().api('POST', '/skills', call)).status).toBe(201);
      const reader = await server().token({ scope: 'catalog:read catalog:all-services' });
      expect((await server().api('POST', '/skills', { ...call, token: reader })).status).toBe(403);
    });

    it.each(['dependency', 'category'] as const)(
      'is answered as version 0.1.0 kept the answer, for a %s too',
      async (noun) => {
        const made = async (name: string) =>
          (await server().api<{ id: string }>('POST', '/skills', { body: { ...skill, name } })).body.id;
        const ids = [await made(`${noun} above`), await made(`${noun} below`)];
        const [method, path, body] = {
          dependency: ['PUT', `/skills/${ids.join('/dependencies/')}`, { required: true }] as const,
          category: ['POST', '/categories', { entityType: 'skill', categoryName: 'kept' }] as const,
        }[noun];
        const call = { body, headers: { 'idempotency-key': `kept-${noun}` } };
        const first = await server().api(method, path, call);
        const headers = {
          etag: first.headers.get('etag'),
          location: first.headers.get('location') ?? undefined,
        };
        const kept = await server()
          .app.get<Database>(DATABASE)
          .asOwner.query(
            `UPDATE idempotency_key_t SET status = 201, headers = $1, body = $2
             WHERE body LIKE '%' || $3 || '%' AND body LIKE '%"created":true%' RETURNING key`,
            [JSON.stringify(headers), first.text, (first.body as { id: string }).id],
          );
        expect([first.status, kept.length]).toEqual([201, 1]);
        const again = await server().api(method, path, call);
        expect([again.status, again.text]).toEqual([201, first.text]);
        for (const header of ['etag', 'location'])
          expect(again.headers.get(header)).toBe(first.headers.get(header));
      },
    );

    it.each([
      ['without catalog:approve', { scope: 'catalog:write catalog:admin catalog:all-services' }],
      ['without catalog:admin', { scope: 'catalog:write catalog:all-services' }],
      ['without catalog:all-services', { scope: 'catalog:write catalog:admin' }],
      ['with a lower tier', { maxSensitivityTier: 'confidential' }],
    ])('is not replayed to a token %s, which may not do it', async (name, claims) => {
      const call = { body: { ...skill, name }, headers: { 'idempotency-key': name.replaceAll(' ', '-') } };
      expect((await server().api('POST', '/skills', call)).status).toBe(201);
      const token = await server().token(claims);
      expect(await server().api('POST', '/skills', { ...call, token })).toMatchObject({
        status: 403,
        body: { code: 'reply_not_covered' },
      });
    });

    it('under way twice at once is 409 or a replay, and done once', async () => {
      const call = { body: { ...skill, name: 'twice' }, headers: { 'idempotency-key': 'twice' } };
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => server().api('POST', '/skills', call)),
      );
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const { status, body } of answers)
        if (status !== 201) expect([status, body['code']]).toEqual([409, 'request_in_progress']);
    });
  });

  describe('a record', () => {
    it('carries its version as ETag', async () => {
      const { body } = await server().api('POST', '/skills', { body: { ...skill, name: 'tagged' } });
      expect((await server().api('GET', `/skills/${String(body['id'])}`)).headers.get('etag')).toBe('"1"');
    });
  });

  describe('the documents', () => {
    it('are served without anything from outside', async () => {
      const { body } = await server().api('GET', '//openapi.json', { token: '' });
      expect(body).toMatchObject({ openapi: '3.1.1' });
      const page = await server().api('GET', '//docs', { token: '' });
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(/https?:\/\//);
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';(?!.*http)/);
      for (const [, asset] of page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
        expect([asset, (await server().api('GET', `/${asset ?? ''}`, { token: '' })).status]).toEqual([
          asset,
          200,
        ]);
      }
    });
  });
});

/** Under this @nestjs/cqrs keeps with a handler what it handles. */
const commandKey = '__commandHandler__';

describe('the wiring of the service on the embedded database', () => {
  let server: OwnServer;

  beforeAll(async () => {
    server = await OwnServer.start('embedded');
  });
  afterAll(async () => {
    await server.stop();
  });

  const classes = () =>
    [...server.app.get(ModulesContainer).values()].flatMap(({ providers, controllers }) => [
      ...[...providers.values(), ...controllers.values()].filter(
        ({ metatype }) => typeof metatype === 'function',
      ),
    ]);

  it('makes every provider and controller', () => {
    const missing = classes().filter(({ instance }) => instance === undefined || instance === null);
    expect(classes().length).toBeGreaterThan(20);
    // Nest's own two, which exist within a request only.
    expect(missing.map(({ name }) => String(name)).sort()).toEqual(['INQUIRER', 'REQUEST']);
  });

  it('has one handler for each use case: a second would silently take its place', () => {
    const handled = classes()
      .map(
        ({ metatype }) => Reflect.getMetadata(commandKey, metatype as object) as { name: string } | undefined,
      )
      .filter((handles) => handles !== undefined);
    const names = handled.map((handles) => handles.name);
    expect(handled.length).toBeGreaterThan(20);
    expect(new Set(handled).size).toBe(names.length);
  });
});

describe('the log', () => {
  it('holds requests by path and id, and neither tokens nor queries nor bodies', async () => {
    const server = await OwnServer.start('embedded', { LOG_LEVEL: 'trace' });
    const token = await server.token();
    const body = { name: 'secretive', contentMarkdown: 'a-word-of-the-body' };
    await server.api('POST', '/skills?q=a-word-of-the-query', {
      token,
      body,
      headers: { 'x-request-id': 'trace-me' },
    });
    await server.api('POST', '/skills', { token, body, headers: { 'x-request-id': 'trace-me-too' } });
    await server.api('GET', '/skills', { token: 'not.a.token-at-all' });
    await server.stop();
    const logged = server.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          requestId: 'trace-me',
          method: 'POST',
          path: `/v1/hosts/${hostId}/skills`,
          status: 400,
        }),
        expect.objectContaining({ requestId: 'trace-me-too', status: 201 }),
      ]),
    );
    for (const word of [token, token.split('.')[1] ?? '', 'token-at-all', 'a-word-of-the'])
      expect(server.logged.join('')).not.toContain(word);
  });
});
