import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT, decodeJwt } from 'jose';
import { load } from 'js-yaml';
import { v7 } from 'uuid';
import {
  startDevelopmentGateway,
  type RunningGateway,
} from '../../src/development-gateway/development-gateway.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { fresh, guardsWorld } from './guards-world.js';
import { IssuesApi, issuesSchema } from './issues-api.js';
import { eachServer, hostId } from './server.js';

/** How a gateway passes on to an API who calls: by its own credential, by token exchange, or by forwarding. */

const client = { id: 'gateway', secret: 's3cr3t' };

/** An issuer that exchanges tokens for those of the audience `issues` (RFC 8693), and signs them. */
class Issuer {
  /** Bodies of its requests. */
  readonly asked: URLSearchParams[] = [];
  /** For whom its tokens are, in place of who was asked for. */
  audience: string | undefined;
  /** Answers in place of the issuer. */
  lying: ((response: ServerResponse) => void) | undefined;

  private constructor(
    readonly url: string,
    /** Whom a token of it is of, for the audience `issues`. Throws where it is none. */
    readonly subjectOf: (token: string) => Promise<string | undefined>,
    readonly stop: () => void,
  ) {}

  static async start(): Promise<Issuer> {
    const made: { self?: Issuer } = {};
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const keys = createLocalJWKSet({ keys: [await exportJWK(publicKey)] });
    const sign = (sub: string, audience: string): Promise<string> =>
      new SignJWT({ sub }).setProtectedHeader({ alg: 'ES256' }).setAudience(audience).sign(privateKey);
    const answer = async (
      authorization: string | undefined,
      body: URLSearchParams,
    ): Promise<[number, object]> => {
      made.self?.asked.push(body);
      const known = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
      if (authorization !== known) return [401, { error: 'invalid_client' }];
      const audience = body.get('audience') ?? '';
      if (audience !== 'issues')
        return [400, { error: 'invalid_target', error_description: 's3cr3t details' }];
      const { sub = '' } = decodeJwt(body.get('subject_token') ?? '');
      const token = await sign(sub, made.self?.audience ?? audience);
      return [
        200,
        {
          access_token: token,
          issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          token_type: 'Bearer',
          expires_in: 60,
        },
      ];
    };
    const server = createServer((request, response) => {
      void text(request).then(async (body) => {
        if (made.self?.lying !== undefined) {
          made.self.lying(response);
          return;
        }
        const [status, said] = await answer(request.headers.authorization, new URLSearchParams(body));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const subjectOf = async (token: string) =>
      (await jwtVerify(token, keys, { audience: 'issues' })).payload.sub;
    return (made.self = new Issuer(`http://127.0.0.1:${String(port)}/token`, subjectOf, () => {
      server.closeAllConnections();
      server.close();
    }));
  }
}

eachServer((server) => {
  const { ask } = guardsWorld(server);
  const gateways: RunningGateway[] = [];
  const lines: string[] = [];
  let issuer: Issuer;
  let issues: IssuesApi;
  let secrets: string;
  let toolId = '';
  let token = '';

  const put = (id: string, callerIdentity: object) =>
    server().api<{ code?: string; errors?: { pointer: string; detail: string }[] }>(
      'PUT',
      `/gateways/${id}`,
      {
        body: {
          serviceId: fresh('gateway'),
          envTag: 'dev',
          url: 'http://127.0.0.1:4000/mcp',
          callerIdentity,
        },
      },
    );
  /** A call through a gateway of this rule; the result's text. */
  const called = async (callerIdentity: object, as = token): Promise<string> => {
    const gatewayId = v7();
    const at = `/gateways/${gatewayId}`;
    expect((await put(gatewayId, callerIdentity)).status).toBe(201);
    const tools = [{ toolId, targetHost: issues.url, runtime: { auth: { type: 'bearer', secret: 'own' } } }];
    await ask('PUT', `${at}/exposures`, { tools });
    const gateway = await startDevelopmentGateway(
      {
        gateway: { gatewayId, hostId, envTag: 'dev' },
        ...{ address: new URL('http://127.0.0.1:0/mcp'), anonymous: true },
        readConfig: async () => (await server().api('GET', `${at}/config`)).text,
        limits: { timeMs: 1500, bytes: 200_000 },
      },
      readConfig({ DATA_DIR: server().directory, OUTBOUND_ALLOW: '127.0.0.1', SECRETS_DIR: secrets }),
      createLog('info', { write: (line) => void lines.push(line) }),
    );
    gateways.push(gateway);
    const mcp = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const headers = as === '' ? {} : { authorization: `Bearer ${as}` };
    await mcp.connect(new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: { headers } }));
    try {
      const input = { projectPath: 'a/b', title: 'Any' };
      const { content } = await mcp.callTool({ name: 'createIssue', arguments: { input } });
      return content[0]?.type === 'text' ? content[0].text : '';
    } finally {
      await mcp.close();
    }
  };
  const exchange = () => ({
    ...{ type: 'exchange', tokenEndpoint: issuer.url, audience: 'issues' },
    ...{ clientId: client.id, clientSecret: 'issuer' },
  });
  const origin = () => new URL(issues.url).origin;
  const bearer = () => (issues.asked.authorization ?? '').replace('Bearer ', '');

  beforeAll(async () => {
    [issuer, issues] = await Promise.all([Issuer.start(), IssuesApi.start()]);
    secrets = await mkdtemp(join(tmpdir(), 'portal-catalog-secrets-'));
    await mkdir(join(secrets, hostId));
    const secret = (name: string, value: string, place: string) =>
      writeFile(join(secrets, hostId, `${name}.json`), JSON.stringify({ value, origins: [place] }));
    await secret('own', 'own-credential', issues.url);
    await secret('issuer', client.secret, issuer.url);
    await secret('elsewhere', client.secret, 'https://issuer.example.com');
    const api = fresh('issues');
    const version = { apiVersion: '1', apiType: 'graphql', serviceId: api, envTag: 'dev' };
    await ask('POST', '/imports', {
      ...{ api: { apiId: api }, version, document: issuesSchema, format: 'graphql', publish: true },
    });
    const { items } = await ask<{ items: { toolId: string }[] }>(
      'GET',
      `/tools?name=createIssue&apiId=${api}`,
    );
    toolId = items[0]?.toolId ?? '';
    token = await server().token({ sub: 'ada', scope: 'catalog:agent', sid: 'agent' });
  });
  beforeEach(() => {
    issues.asked = {};
    issuer.audience = undefined;
    issuer.lying = undefined;
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    issues.stop();
    issuer.stop();
    await rm(secrets, { recursive: true });
  });

  it('by default it is not passed on: the gateway’s own credential goes out, and no session', async () => {
    expect(await called({ type: 'credential' })).toMatch(/"title":"Any"|createIssue/);
    expect(bearer()).toBe('own-credential');
    expect(issues.asked).toMatchObject({ 'portal-catalog-session': 'none' });
    expect(issues.asked).not.toHaveProperty('cookie');
  });

  it('an exchanged token is for the API, and of the caller', async () => {
    expect(await called({ ...exchange(), scope: 'issues.write' })).toMatch(/createIssue/);
    expect(await issuer.subjectOf(bearer())).toBe('ada');
    expect(bearer()).not.toBe(token);
    expect(Object.fromEntries(issuer.asked.at(-1) ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      ...{ audience: 'issues', scope: 'issues.write' },
    });
    expect(lines.join('')).toContain('"callerIdentity":"exchange"');
    expect(lines.join('')).not.toContain(token);
    expect(lines.join('')).not.toContain(client.secret);
  });

  it('nothing is sent where it can’t be exchanged', async () => {
    expect(await called({ ...exchange(), audience: 'payments' })).toBe(
      'exchange_refused: The issuer gives no token for payments to this caller: invalid_target.',
    );
    expect(await called({ ...exchange(), clientId: 'nobody' })).toMatch(
      /^exchange_refused: .*invalid_client/,
    );
    issuer.audience = 'payments';
    expect(await called(exchange())).toMatch(/^exchange_unfit: .*not for issues/);
    const down = await Issuer.start();
    down.stop();
    await writeFile(
      join(secrets, hostId, 'down.json'),
      JSON.stringify({ value: client.secret, origins: [down.url] }),
    );
    expect(await called({ ...exchange(), tokenEndpoint: down.url, clientSecret: 'down' })).toMatch(
      /^exchange_unreachable: /,
    );
    expect(await called({ ...exchange(), clientSecret: 'elsewhere' })).toMatch(/^credential_unavailable: /);
    expect(await called(exchange(), '')).toMatch(/^no_caller: /);
    expect(issues.asked).toEqual({});
  });

  const answering = (more: object) => (response: ServerResponse) => {
    const whole = { access_token: 'abc', token_type: 'Bearer', expires_in: 60, ...more };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
  };
  const jwt = (claims: object) =>
    `${['{"alg":"none"}', JSON.stringify(claims)].map((part) => Buffer.from(part).toString('base64url')).join('.')}.x`;

  it.each<[what: string, lying: (response: ServerResponse) => void, said: RegExp]>([
    [
      'a token of another type',
      answering({ issued_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }),
      /^exchange_unfit: .*another type/,
    ],
    ['a token that is not borne', answering({ token_type: 'mac' }), /^exchange_unfit: .*bearer/],
    [
      'a token with a line in it',
      answering({ access_token: 'a\r\nx-admin: 1' }),
      /^exchange_unfit: .*no token/,
    ],
    ['a token without end', answering({ access_token: 'a'.repeat(20_000) }), /^exchange_unfit: .*no token/],
    ['an object for a token', answering({ access_token: { $ne: 1 } }), /^exchange_unfit: .*no token/],
    [
      'a token that has expired',
      answering({ access_token: jwt({ aud: 'issues', exp: 1 }) }),
      /^exchange_unfit: .*expired/,
    ],
    ['a list', (response) => response.writeHead(200).end('[]'), /^exchange_unfit: /],
    ['a page', (response) => response.writeHead(200).end('<html>'), /^exchange_unfit: /],
    [
      'more than may come',
      (response) => response.writeHead(200).end(`"${'x'.repeat(400_000)}"`),
      /^exchange_\w+: /,
    ],
    ['nothing, for ever', (response) => response.writeHead(200).write('{'), /^exchange_unreachable: /],
    [
      'with another address',
      (response) => response.writeHead(307, { location: issues.url }).end(),
      /^exchange_\w+: /,
    ],
  ])('nothing is sent where the issuer answers %s', async (_what, lying, said) => {
    issuer.lying = lying;
    expect(await called(exchange())).toMatch(said);
    expect(issues.asked).toEqual({});
    expect(lines.join('')).not.toContain(token);
  });

  it('callers at the same time each go with a token of their own', async () => {
    const names = ['ada', 'bob', 'cleo', 'dan'];
    const seen: unknown[] = [];
    const own = await Promise.all(
      names.map((sub) => server().token({ sub, scope: 'catalog:agent', sid: 'agent' })),
    );
    const create = issues.create.bind(issues);
    issues.create = (input) => {
      seen.push([input.title, bearer()]);
      return create(input);
    };
    for (let round = 0; round < 3; round += 1) await Promise.all(own.map((each) => called(exchange(), each)));
    const subjects = await Promise.all(seen.map((each) => issuer.subjectOf((each as [string, string])[1])));
    expect([...subjects].sort()).toEqual(names.flatMap((name) => [name, name, name]));
  });

  it('a token is forwarded only where all that it is for, and where it goes, is named', async () => {
    const rule = { type: 'forward', audiences: ['portal-catalog'], origins: [origin()] };
    expect(await called(rule)).toMatch(/createIssue/);
    expect(bearer()).toBe(token);
    issues.asked = {};
    expect(await called({ ...rule, audiences: ['issues'] })).toMatch(/^forward_refused: .*portal-catalog/);
    expect(await called({ ...rule, origins: ['https://issues.example.com'] })).toMatch(
      /^forward_refused: .*origins do not name it/,
    );
    expect(await called(rule, '')).toMatch(/^no_caller: /);
    expect(issues.asked).toEqual({});
  });

  it('the configuration says the rule, and names the secret alone', async () => {
    const gatewayId = v7();
    await put(gatewayId, exchange());
    const { text: config } = await server().api('GET', `/gateways/${gatewayId}/config`);
    expect(load(config)).toMatchObject({ 'mcp-router.callerIdentity': exchange() });
    const kept = await ask('GET', `/gateways/${gatewayId}`);
    expect(kept).toMatchObject({ callerIdentity: exchange() });
  });

  it.each([
    ['a member is missing', { type: 'exchange', audience: 'a' }, '/callerIdentity/tokenEndpoint'],
    ['a member is of another rule', { type: 'credential', audience: 'a' }, '/callerIdentity/audience'],
    [
      'a token would go in clear text',
      { type: 'forward', audiences: ['a'], origins: ['http://issues.example.com'] },
      '/callerIdentity/origins/0',
    ],
    [
      'an origin is a path',
      { type: 'forward', audiences: ['a'], origins: ['https://issues.example.com/v1'] },
      '/callerIdentity/origins/0',
    ],
    ['nothing is named', { type: 'forward', audiences: [], origins: [] }, '/callerIdentity/audiences'],
    ['it is none', { type: 'impersonate' }, '/callerIdentity/type'],
  ])('a rule is refused where %s', async (_, rule, pointer) => {
    const { status, body } = await put(v7(), rule);
    expect([status, body.code, body.errors?.map((each) => each.pointer)]).toEqual([
      400,
      'invalid_body',
      expect.arrayContaining([pointer]),
    ]);
  });
});
