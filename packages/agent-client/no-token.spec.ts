import { aCatalog, anAgent, identity, ScriptedCatalog, SdkGateway, tokenOf } from '../../test/agent-world.js';
import type { CatalogOptions, TokenSource } from './agent-options.js';

/** As wide as it can be configured, before a gateway that lets everybody do everything. */
const fallback = {
  noMatch: 'gateway-tools',
  noCatalog: 'gateway-tools',
  noAgent: 'gateway-tools',
} as const;
const tool = { name: 'deleteEverything', inputSchema: { type: 'object' as const } };
const { hostId: host, agentDefId: agent_def_id, serviceId: sid, envTag: env } = identity;
const claims = { host, agent_def_id, sid, env };
const url = 'http://catalog.test';

function world(token: TokenSource, options: Partial<CatalogOptions> = identity) {
  const catalog = new ScriptedCatalog(aCatalog([]));
  const time = { now: 1_700_000_000_000 };
  const { agent } = anAgent(catalog, new SdkGateway([tool]), {
    ...{ fallback, clock: () => time.now },
    catalog: { url, token, timeoutMs: 50, ...options },
  });
  const prompted = async () => {
    const { tools, notice, state } = await agent.prepare('delete');
    return { tools: tools.map(({ name }) => name), said: notice !== undefined, ...state };
  };
  return { catalog, time, agent, prompted };
}

const nothing = (state: string) => ({ tools: [], said: true, catalog: state });

/** What a variable that is not set is for who writes JavaScript. */
const unset = undefined as unknown as string;
const tokens: readonly (readonly [string, TokenSource])[] = [
  ['is not set', unset],
  ['is empty', ''],
  ['is blank', () => '  '],
  ['can’t be had', () => Promise.reject(new Error('The issuer is down.'))],
  ['never comes', () => new Promise<string>(() => undefined)],
  ['is garbage', 'garbage'],
  ['is garbage with dots', 'a.b.c'],
  ['holds no object', `e30.${Buffer.from('7').toString('base64url')}.c2ln`],
  ['has expired', tokenOf({ ...claims, exp: 1_600_000_000 })],
  ['has expired, and names no agent', tokenOf({ host, sid, env, exp: 1_600_000_000 })],
  ['ends at no time that can be read', tokenOf({ ...claims, exp: 'never' })],
];

describe('an agent whose token', () => {
  it.each(tokens)('%s is offered nothing, whatever is configured', async (_, token) => {
    for (const options of [identity, {}]) {
      for (const answering of ['refuse', 'down'] as const) {
        const { catalog, agent, prompted } = world(token, options);
        if (answering === 'refuse') catalog.refuse(401);
        else catalog.down();
        const first = await prompted();
        expect(first).toMatchObject({ tools: [], said: true });
        expect(['refused', 'no_token']).toContain(first.catalog);
        expect(first).not.toHaveProperty('fallback');
        expect(await prompted()).toMatchObject({ tools: [], catalog: first.catalog });
        await agent.close();
      }
    }
  });

  const page = (status: number) => () =>
    new Response('<h1>No</h1>', { status, headers: { 'content-type': 'text/html' } });
  const between = (status: number) => (catalog: ScriptedCatalog) => {
    catalog.answer = page(status);
  };
  const service = (status: number) => (catalog: ScriptedCatalog) => {
    catalog.refuse(status);
  };
  it.each([
    ['401', service(401)],
    ['403', service(403)],
    ['401 by something in between', between(401)],
    ['403 by something in between', between(403)],
  ])('is refused with %s is offered nothing, nor when the catalog stops after it', async (_, refuse) => {
    const { catalog, time, agent, prompted } = world(tokenOf(claims));
    refuse(catalog);
    expect(await prompted()).toMatchObject(nothing('refused'));
    catalog.down();
    time.now += 3_600_000;
    expect(await prompted()).toMatchObject(nothing('refused'));
    await agent.close();
  });

  it('is refused, and another one not answered, is offered nothing', async () => {
    const { catalog, agent, prompted } = world(() => tokenOf(claims));
    let asked = 0;
    catalog.answer = () => {
      asked += 1;
      if (asked === 1) return new Response('', { status: 401 });
      throw new TypeError('fetch failed');
    };
    expect(await prompted()).toMatchObject(nothing('refused'));
    await agent.close();
  });

  it('named no agent, and is refused now, is offered nothing any more', async () => {
    let token = tokenOf({ host, sid, env });
    const { catalog, time, agent, prompted } = world(() => token, {});
    expect(await prompted()).toMatchObject({ tools: [tool.name], fallback: 'no_agent' });
    catalog.refuse(403);
    for (const next of [tokenOf(claims), 'garbage']) {
      token = next;
      time.now += 600_000;
      expect(await prompted()).toMatchObject(nothing('refused'));
    }
    await agent.close();
  });

  it('runs out while the catalog does not answer has what is known, for as long as that may be used', async () => {
    let token = tokenOf(claims);
    const { catalog, time, agent, prompted } = world(() => token);
    expect(await prompted()).toMatchObject({ catalog: 'fresh' });
    catalog.down();
    token = '';
    time.now += 61_000;
    expect(await prompted()).toMatchObject({ catalog: 'stale' });
    time.now += 600_000;
    expect(await prompted()).toMatchObject(nothing('no_token'));
    await agent.close();
  });
});

it('a token that seems good falls back as configured where the catalog does not answer, and says so', async () => {
  const { catalog, agent, prompted } = world(tokenOf({ ...claims, exp: 1_900_000_000 }));
  catalog.down();
  expect(await prompted()).toMatchObject({ tools: [tool.name], said: true, fallback: 'no_catalog' });
  await agent.close();
});
