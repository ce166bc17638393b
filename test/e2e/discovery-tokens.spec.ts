import { AgentCard } from '@a2a-js/sdk';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { v7 } from 'uuid';
import {
  ask,
  makeDiscoveryWorld,
  origin,
  settings,
  type Answer,
  type DiscoveryWorld,
} from './discovery-world.js';
import { eachServer } from './server.js';

interface Index {
  readonly skills: readonly { readonly name: string }[];
}
interface Manifest {
  readonly entries: readonly { readonly identifier: string; readonly capabilities?: readonly string[] }[];
}
interface Servers {
  readonly servers: readonly { readonly server: { readonly name: string; readonly version: string } }[];
  readonly metadata: { readonly count: number; readonly nextCursor?: string };
}

eachServer((server) => {
  let world: DiscoveryWorld;
  const as = async (claims: object, path: string): Promise<Answer> =>
    ask(server(), path, { authorization: `Bearer ${await server().token({ ...claims })}` });
  const skillsOf = async (claims: object): Promise<string[]> => {
    const { json } = await as(claims, '/.well-known/agent-skills/index.json');
    return (json as Index).skills.map(({ name }) => name);
  };
  const serversOf = async (claims: object, query = ''): Promise<Servers> =>
    (await as(claims, `/v0.1/servers${query}`)).json as Servers;

  beforeAll(async () => {
    world = await makeDiscoveryWorld(server());
    await server().api('PUT', '/settings', { body: { discovery: true } });
  });

  it('shows a reader all skills and tools that the token covers, and nothing inactive or unapproved', async () => {
    const reader = { scope: 'catalog:read', sid: 'bank' };
    expect(await skillsOf(reader)).toEqual(['money-abroad', 'refund-money', 'zzprivate-skill']);
    const { json, text, headers } = await as(reader, '/.well-known/ard.json');
    const skill = (json as Manifest).entries.find(({ identifier }) => identifier.endsWith(':refund-money'));
    expect(skill?.capabilities).toEqual(['getAccount', 'listPayments', 'zzprivateTool']);
    expect(text).not.toMatch(/zz(inactive|unapproved)/);
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'Authorization' });
    const { text: skillMd } = await as(reader, '/.well-known/agent-skills/money-abroad/SKILL.md');
    expect(skillMd).toContain('allowed-tools: getAccount zzprivateTool Bash(git:*) listPayments\n');
  });

  it('shows a reader of other services what is public of these, and no more', async () => {
    const { json } = await as({ scope: 'catalog:read', sid: 'other' }, '/.well-known/ard.json');
    const skill = (json as Manifest).entries.find(({ identifier }) => identifier.endsWith(':refund-money'));
    expect(skill?.capabilities).toEqual(['getAccount', 'listPayments']);
  });

  it('shows gateways that are not public to administrators alone', async () => {
    const names = ({ servers }: Servers) => servers.map(({ server: { name } }) => name);
    expect(names(await serversOf({ scope: 'catalog:read catalog:write' }))).toEqual([
      'com.example.catalog/bank',
    ]);
    const administrator = { scope: 'catalog:read catalog:admin catalog:all-services' };
    const all = ['com.example.catalog/bank', 'com.example.catalog/zzprivate-private'];
    expect(names(await serversOf(administrator))).toEqual(all);
    const first = await serversOf(administrator, '?limit=1');
    expect([names(first), first.metadata.count]).toEqual([all.slice(0, 1), 1]);
    const rest = await serversOf(administrator, `?limit=1&cursor=${first.metadata.nextCursor ?? ''}`);
    expect([names(rest), rest.metadata]).toEqual([all.slice(1), { count: 1 }]);
    expect(names(await serversOf(administrator, '?search=PRIVATE'))).toEqual(all.slice(1));
    expect(names(await serversOf(administrator, '?updated_since=2999-01-01T00:00:00Z'))).toEqual([]);
    expect(names(await serversOf(administrator, '?updated_since=2020-01-01T02:00:00%2B02:00'))).toEqual(all);
    expect(names(await serversOf(administrator, '?version=9.9.9'))).toEqual([]);
  });

  it('shows an agent its own catalog beside what is public', async () => {
    const agent = { scope: 'catalog:agent', sid: 'helper', agent_def_id: world.agents['helper'] };
    expect(await skillsOf(agent)).toEqual(['money-abroad', 'refund-money', 'zzprivate-skill']);
    const lonely = { ...agent, sid: 'lonely', agent_def_id: world.agents['lonely'] };
    expect(await skillsOf(lonely)).toEqual(['money-abroad', 'refund-money', 'zzprivate-skill']);
    const stranger = { ...agent, agent_def_id: v7() };
    expect(await skillsOf(stranger)).toEqual(['money-abroad', 'refund-money']);
    const unnamed = { scope: 'catalog:agent', sid: 'helper' };
    expect(await skillsOf(unnamed)).toEqual(['money-abroad', 'refund-money']);
  });

  it('lists the public entries that the administrator’s token covers', async () => {
    const listed = async (claims: object): Promise<string[]> => {
      const token = await server().token({ ...claims });
      const { body } = await server().api<{ items: { kind: string; recordName: string }[] }>(
        'GET',
        '/public-entries',
        { token },
      );
      return body.items.map(({ kind, recordName }) => `${kind} ${recordName}`).sort();
    };
    const administrator = { scope: 'catalog:admin', sid: 'bank' };
    const skills = ['skill Refund money', 'skill abroad', 'skill zzinactive skill'];
    const tools = ['tool getAccount', 'tool listPayments', 'tool zzinactiveTool', 'tool zzunapprovedTool'];
    expect(await listed(administrator)).toEqual([...skills, ...tools]);
    expect(await listed({ ...administrator, sid: 'helper' })).toEqual(['agent helper', ...skills]);
    expect(await listed({ ...administrator, env: 'prod' })).toEqual(skills);
    const token = await server().token({ ...administrator, sid: 'helper' });
    const path = `/public-entries/${world.tools['getAccount'] ?? ''}`;
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', { kind: 'tool' }]] as const)
      expect((await server().api(method, path, { token, body })).status).toBe(404);
  });

  it('refuses a token that is not valid, or of another host', async () => {
    const path = '/.well-known/ard.json';
    expect((await ask(server(), path, { authorization: 'Bearer nothing' })).status).toBe(401);
    const foreign = await as({ host: v7() }, path);
    expect([foreign.status, foreign.json]).toMatchObject([403, { code: 'host_not_covered' }]);
  });

  it('makes another version of a server with each change of it, and lists just that', async () => {
    const entry = { kind: 'gateway', name: 'bank', url: 'https://mcp.example.com/bank' };
    const version = async () => (await serversOf({})).servers[0]?.server.version ?? '';
    const before = await version();
    await server().api('PUT', `/public-entries/${world.gateways['open'] ?? ''}`, {
      body: { ...entry, description: 'Other.' },
    });
    const after = await version();
    expect(after).not.toBe(before);
    const statusOf = async (each: string) =>
      (await ask(server(), `/v0.1/servers/com.example.catalog%2Fbank/versions/${each}`)).status;
    expect([await statusOf(before), await statusOf(after)]).toEqual([404, 200]);
  });

  it('is read by the A2A SDK, which loses nothing of it', async () => {
    const fetchImpl: typeof fetch = async (address, init) => {
      const url = new URL(address instanceof Request ? address.url : address);
      const { status, text } = await ask(
        server(),
        url.pathname,
        Object.fromEntries(new Headers(init?.headers)),
      );
      return new Response(text, { status, headers: { 'content-type': 'application/json' } });
    };
    const resolver = new DefaultAgentCardResolver({ fetchImpl });
    const card = await resolver.resolve(origin);
    expect(card).toMatchObject({
      name: 'helper',
      version: '2.1.0',
      supportedInterfaces: [{ protocolVersion: '1.0' }],
    });
    expect(await resolver.resolve(origin, '/discovery/agents/helper/agent-card.json')).toEqual(card);
    const { json } = await ask(server(), '/.well-known/agent-card.json');
    expect(AgentCard.toJSON(AgentCard.fromJSON(json))).toEqual(json);
    await expect(
      resolver.resolve(origin, '/discovery/agents/zzprivate-agent/agent-card.json'),
    ).rejects.toThrow('404');
  });
}, settings);
