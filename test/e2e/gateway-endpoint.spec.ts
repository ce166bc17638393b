import { v7 } from 'uuid';
import { startEchoApi, type EchoApi } from '../echo-api.js';
import { Browser } from './browser.js';
import { eachOwnServer } from './own-server.js';
import { hostId } from './server.js';

const document = {
  openapi: '3.1.0',
  info: { title: 'Accounts', version: '1' },
  components: {
    securitySchemes: {
      login: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://a.example', scopes: { 'accounts.read': 'Reads.' } },
        },
      },
    },
  },
  paths: {
    '/accounts/{no}': {
      parameters: [{ name: 'no', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'readAccount', responses: {} },
      delete: { operationId: 'closeAccount', responses: {} },
    },
    '/bills': { get: { operationId: 'listBills', security: [{ login: ['accounts.read'] }], responses: {} } },
    '/inside': { get: { operationId: 'askInside', responses: {} } },
  },
};

interface Reply {
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
  };
  readonly error?: { readonly code: number; readonly data: object };
}

const replyIn = (text: string): Reply => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Reply;

const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const calling = (name: string, args: object = {}) => message('tools/call', { name, arguments: args });

eachOwnServer(
  (server) => {
    const gatewayId = v7();
    let api: EchoApi;
    let browser: Browser;
    const path = (id = gatewayId): string => `/development/gateways/${id}/mcp`;
    const ask = (body: object, from = browser, id = gatewayId) =>
      from.send('POST', path(id), { body, headers: { accept: 'application/json, text/event-stream' } });
    const call = async (name: string, args: object = {}) => replyIn((await ask(calling(name, args))).text);
    const bearing =
      (claims: object, id = gatewayId) =>
      async (body: object) => {
        const token = await server().token({ ...claims });
        const headers = { accept: 'application/json, text/event-stream' };
        return server().api('POST', `/${path(id)}`, { token, body, headers });
      };
    const profile = { serviceId: 'gateway', envTag: 'dev', url: 'http://127.0.0.1:4000/mcp' };

    beforeAll(async () => {
      api = await startEchoApi();
      const version = { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' };
      const body = { api: { apiId: 'accounts' }, version, document, publish: true };
      await server().api('POST', '/imports', { body });
      const { items } = (await server().api('GET', '/tools')).body as {
        items: { name: string; toolId: string }[];
      };
      await server().api('PUT', `/gateways/${gatewayId}`, { body: profile });
      const tools = items.map(({ name, toolId }) => ({
        toolId,
        targetHost: name === 'askInside' ? 'http://10.0.0.1' : api.url,
      }));
      const exposed = await server().api('PUT', `/gateways/${gatewayId}/exposures`, { body: { tools } });
      expect(exposed.status).toBe(200);
    });
    beforeEach(async () => {
      browser = new Browser(server().address);
      expect((await browser.signIn({ hostId })).status).toBe(200);
    });
    afterAll(() => {
      api.stop();
    });

    it('says that it is there, and where', async () => {
      expect((await server().api('GET', '/development-gateway')).body).toEqual({
        ...{ served: true, path: '/development/gateways/{gatewayId}/mcp' },
      });
    });

    it('lists and calls for the session of a browser what its claims admit', async () => {
      const { result } = replyIn((await ask(message('tools/list', {}))).text);
      expect(result?.tools?.map(({ name }) => name)).toEqual(['askInside', 'readAccount']);
      const answered = await call('readAccount', { no: '7' });
      expect(JSON.parse(answered.result?.content?.[0]?.text ?? '')).toEqual({ asked: '/accounts/7' });
      expect(await call('closeAccount', { no: '7' })).toMatchObject({
        error: { code: -32004, data: { reason: 'destructive_tool_requires_approval_workflow' } },
      });
      expect(await call('listBills')).toMatchObject({
        error: { code: -32004, data: { reason: 'insufficient_scope', scopes: ['accounts.read'] } },
      });
      const scope = 'catalog:read catalog:all-services accounts.read';
      await browser.signIn({ hostId, scope });
      expect((await call('listBills')).result?.isError).toBeUndefined();
    });

    it('says of an API that may not be reached how it may be', async () => {
      expect((await call('askInside')).result).toMatchObject({
        ...{
          isError: true,
          content: [{ text: expect.stringMatching(/^downstream_refused: .*OUTBOUND_ALLOW/) }],
        },
      });
    });

    it('takes no session without its token of the page, and none of another page', async () => {
      const body = calling('readAccount', { no: '7' });
      const sent = async (headers: Record<string, string | null>) =>
        (await browser.send('POST', path(), { body, headers })).body['code'];
      expect(await sent({ 'x-csrf-token': null })).toBe('csrf_token');
      expect(await sent({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).toBe(
        'cross_site',
      );
      expect(await sent({ cookie: null })).toBe('token_missing');
    });

    it('serves the gateways of the host and environment of the claims, while they are active', async () => {
      const list = message('tools/list', {});
      expect((await ask(list, browser, v7())).status).toBe(404);
      expect((await bearing({ host: v7() })(list)).status).toBe(404);
      expect((await bearing({ env: 'prod' })(list)).body).toMatchObject({ code: 'claim_mismatch' });
      const other = v7();
      await server().api('PUT', `/gateways/${other}`, { body: { ...profile, serviceId: 'other' } });
      await server().api('POST', `/gateways/${other}/deactivate`);
      expect((await bearing({}, other)(list)).body).toMatchObject({ code: 'gateway_inactive' });
      expect(replyIn((await bearing({})(list)).text).result?.tools).toHaveLength(2);
    });

    it('opens no stream, and takes nothing by another name of the machine', async () => {
      expect((await ask(message('subscriptions/listen', {}))).body['code']).toBe('no_subscriptions');
      const token = await server().token();
      const foreign = new Browser(server().address);
      const headers = { host: 'catalog.example', authorization: `Bearer ${token}`, origin: null };
      const { body } = await foreign.send('POST', path(), { body: message('tools/list', {}), headers });
      expect(body['code']).toBe('host_not_allowed');
    });

    it('says before a selection is written which agents lose a tool by it', async () => {
      const { items } = (await server().api('GET', '/tools?name=readAccount')).body as {
        items: { toolId: string }[];
      };
      const { toolId = '' } = items[0] ?? {};
      const skill = (
        await server().api('POST', '/skills', { body: { name: 'reading', contentMarkdown: 'Read.' } })
      ).body['id'] as string;
      await server().api('PUT', `/skills/${skill}/tools/${toolId}`, { body: { accessLevel: 'read' } });
      await server().api('POST', `/skills/${skill}/activate`);
      await server().api('POST', '/apis', { body: { apiId: 'clerk', apiName: 'clerk' } });
      const version = { apiVersion: '1', apiType: 'agent', serviceId: 'clerk', envTag: 'dev' };
      const agent = (await server().api('POST', '/apis/clerk/versions', { body: version })).body[
        'id'
      ] as string;
      await server().api('PUT', `/agents/${agent}`, { body: {} });
      await server().api('POST', `/agents/${agent}/skills`, { body: { skills: [{ skillId: skill }] } });
      const impact = (toolIds: readonly string[]) =>
        server().api('POST', `/gateways/${gatewayId}/exposures/impact`, { body: { toolIds } });
      const { body } = await impact([]);
      expect(body).toMatchObject({
        ...{ added: [], skills: [{ skillId: skill, name: 'reading' }] },
        agents: [{ agentDefId: agent, envTag: 'dev', loses: ['readAccount'], gains: [] }],
      });
      expect(body['removed']).toHaveLength(4);
      const other = v7();
      await server().api('PUT', `/gateways/${other}`, { body: { ...profile, serviceId: 'second' } });
      await server().api('PUT', `/gateways/${other}/exposures`, { body: { tools: [{ toolId }] } });
      expect((await impact([])).body).toMatchObject({ skills: [], agents: [] });
      expect((await server().api('GET', `/gateways/${gatewayId}/exposures`)).body['items']).toHaveLength(4);
    });

    it('reads the log from its end back', async () => {
      const page = async (query: string) => {
        const { items } = (await server().api('GET', `/events?${query}`)).body as {
          items: { position: number }[];
        };
        return items.map(({ position }) => position);
      };
      const all = await page('limit=500');
      const [first, second] = [await page('newestFirst=true&limit=30'), all.toReversed()];
      expect(first).toEqual(second.slice(0, 30));
      expect(await page(`newestFirst=true&limit=500&before=${String(first.at(-1))}`)).toEqual(
        second.slice(30),
      );
      expect(await page('newestFirst=true&before=1')).toEqual([]);
    });
  },
  { OUTBOUND_ALLOW: '127.0.0.1' },
);

eachOwnServer(
  (server) => {
    it('is not there where the development issuer is off', async () => {
      const sent = await server().api('POST', `//development/gateways/${v7()}/mcp`, { body: {} });
      expect(sent.status).toBe(404);
    });
  },
  {
    ...{
      AUTH_DEV_ISSUER: 'off',
      AUTH_JWKS_URI: 'http://127.0.0.1:9/jwks',
      AUTH_ISSUER: 'https://issuer.example',
    },
    AUTH_AUDIENCE: 'catalog',
  },
);
