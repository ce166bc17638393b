import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  aCatalog,
  anAgent,
  aSkill,
  aTool,
  listedAs,
  ScriptedCatalog,
  SdkGateway,
} from '../../test/agent-world.js';
import { cloudEvent, signed } from '../../src/webhooks/webhook-notice.js';
import { agentHandler, type Handler } from './handler.js';
import { inSeconds } from '../../test/dates.js';

const secret = 'whsec_c2VjcmV0IG9mIHRoZSBob29r';
const token = 'token-of-an-operator';
const read = aTool('readAccount');
const pay = aTool('refund', { safety: { readOnly: false, destructive: true } });

function world() {
  const catalog = new ScriptedCatalog(aCatalog([aSkill('Accounts', [read, pay])]));
  const gateway = new SdkGateway([listedAs(read), listedAs(aTool('extra'))]);
  const { agent } = anAgent(catalog, gateway);
  return { catalog, agent, handler: agentHandler(agent, { authorize: token, webhookSecret: secret }) };
}

const ask = (handler: Handler, path: string, init: RequestInit = {}): Promise<Response> =>
  handler(new Request(`http://agent.test/operations${path}`, init));
const authorization = `Bearer ${token}`;

describe('GET /diagnostics/tools', () => {
  it('shows how catalog and gateway stand to each other', async () => {
    const { agent, handler } = world();
    const response = await ask(handler, '/diagnostics/tools?prompt=read+an+account', {
      headers: { authorization },
    });
    expect(await response.json()).toMatchObject({
      ...{ catalogAvailable: true, catalogStale: false, catalogVersion: 1, gatewayAvailable: true },
      catalogCache: { ttlSeconds: 60, staleOnErrorSeconds: 300, fresh: true, usableOnError: true },
      ...{ catalogTools: ['readAccount', 'refund'], gatewayTools: ['readAccount', 'extra'] },
      ...{ selectedTools: ['readAccount'], missingFromGateway: ['refund'], extraGatewayTools: ['extra'] },
      hiddenTools: [{ toolName: 'refund', reason: 'missing_from_gateway' }],
      policyBlocked: [{ toolName: 'refund', reason: 'destructive_tool_requires_approval_workflow' }],
      ...{ catalogError: null, gatewayError: null },
    });
    await agent.close();
  });

  it('is for bearers of the token alone', async () => {
    const { handler } = world();
    for (const given of [undefined, 'Bearer other', token, 'Bearer ']) {
      const headers = given === undefined ? {} : { authorization: given };
      expect((await ask(handler, '/diagnostics/tools', { headers })).status).toBe(401);
      expect((await ask(handler, '/mcp', { method: 'POST', headers })).status).toBe(401);
    }
    expect((await ask(handler, '/elsewhere', { headers: { authorization } })).status).toBe(404);
    const post = { method: 'POST', headers: { authorization } };
    expect((await ask(handler, '/diagnostics/tools', post)).status).toBe(405);
  });
});

it('clear_cache makes the agent ask again, by MCP', async () => {
  const { catalog, agent, handler } = world();
  await agent.start();
  const client = new Client(
    { name: 'controller', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL('http://agent.test/operations/mcp'), {
    fetch: (input, init) => handler(new Request(input, init)),
    requestInit: { headers: { authorization } },
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['clear_cache']);
  const before = catalog.requests.length;
  const cleared = await client.callTool({ name: 'clear_cache', arguments: {} });
  expect(cleared.structuredContent).toEqual({
    status: 'cleared',
    cache: 'effective-agent-catalog',
    catalog: 'fresh',
  });
  expect(catalog.requests.length).toBe(before + 1);
  const other = await client.callTool({ name: 'clear_cache', arguments: { name: 'another' } });
  expect(other.isError).toBe(true);
  await client.close();
  await agent.close();
});

describe('POST /webhooks/catalog', () => {
  const kind = 'catalog-changed';
  const body = cloudEvent({ deliveryId: 'd', hostId: 'h', kind, position: 7, time: '2026-11-22T00:00:00Z' });
  const now = inSeconds(0);
  const deliver = (handler: Handler, headers: Record<string, string>, sent = body): Promise<Response> =>
    ask(handler, '/webhooks/catalog', { method: 'POST', headers, body: sent });

  it('takes what the service signs for a reason to ask again', async () => {
    const { catalog, agent, handler } = world();
    await agent.start();
    catalog.change(aCatalog([], { catalogVersion: 2 }));
    expect((await deliver(handler, signed(body, { id: 'd', seconds: now, secret }))).status).toBe(204);
    expect((await agent.prepare('anything')).state.catalogVersion).toBe(2);
    await agent.close();
  });

  it('refuses what is unsigned, altered, by another secret, or old', async () => {
    const { agent, handler } = world();
    const good = signed(body, { id: 'd', seconds: now, secret });
    const bad = [
      {},
      signed(body, { id: 'd', seconds: now, secret: 'another' }),
      signed(body, { id: 'd', seconds: now - 400, secret }),
      { ...good, 'webhook-timestamp': 'soon' },
      { ...good, 'webhook-signature': 'v1,' },
    ];
    for (const headers of bad) expect((await deliver(handler, headers)).status).toBe(401);
    expect((await deliver(handler, good, body.replace('7', '8'))).status).toBe(401);
    expect(
      (await deliver(handler, { ...good, 'webhook-signature': `v1,AAAA ${good['webhook-signature'] ?? ''}` }))
        .status,
    ).toBe(204);
    await agent.close();
  });
});
