import type { GraphAnswer } from '../../src/graph/answering/response-format.js';
import { filledQuery, namedQueries, type NamedQuery } from '../../src/cli/named-queries.js';
import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { eachServer } from './server.js';

eachServer((server) => {
  let agent: AccountAgent;
  let kept: ReadonlyMap<string, NamedQuery>;

  beforeAll(async () => {
    const operator = await server().token();
    const send = async (method: string, path: string, token: string, more: { body?: unknown } = {}) =>
      server().api(method, path, { token, body: more.body });
    agent = await makeAccountAgent({ send }, operator);
    kept = new Map((await namedQueries()).map((query) => [query.name, query]));
  });

  async function ask(name: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<GraphAnswer> {
    const named = kept.get(name);
    if (named === undefined) throw new Error(`No query ${name} is kept.`);
    const { status, body } = await server().api<GraphAnswer>('POST', '/graph/query', {
      body: { query: filledQuery(named, parameters) },
    });
    expect([name, status]).toEqual([name, 200]);
    return body;
  }
  const ids = ({ nodes }: GraphAnswer, type: string): string[] =>
    nodes.flatMap((node) => (node.type === type ? [node.id] : [])).sort();

  it('answers every query that is kept, with its examples', async () => {
    expect(kept.size).toBeGreaterThan(3);
    for (const { name, parameters } of kept.values()) {
      const examples = Object.entries(parameters).map(([parameter, { example }]) => [parameter, example]);
      await ask(name, Object.fromEntries(examples) as Record<string, unknown>);
    }
  });

  it('tells what leans on an endpoint, also where no skill uses its tool', async () => {
    const { body } = await server().api<{ items: { toolId: string; endpointId: string; name: string }[] }>(
      'GET',
      '/tools?limit=500',
    );
    const [tool] = body.items.filter(({ toolId }) => Object.values(agent.toolIds).includes(toolId));
    const found = await ask('what-breaks-without-endpoint', { endpointId: tool?.endpointId });
    expect(ids(found, 'Tool')).toEqual([tool?.toolId]);
    expect(ids(found, 'Skill')).toEqual([agent.skillId]);
    expect(ids(found, 'Agent')).toEqual([agent.agentDefId]);
    await server().api('DELETE', `/skills/${agent.skillId}/tools/${tool?.toolId ?? ''}`);
    const lonely = await ask('what-breaks-without-endpoint', { endpointId: tool?.endpointId });
    expect(ids(lonely, 'Tool')).toEqual([tool?.toolId]);
    expect(ids(lonely, 'Agent')).toEqual([]);
    expect(ids(await ask('tools-without-a-skill'), 'Tool')).toContain(tool?.toolId);
    await server().api('PUT', `/skills/${agent.skillId}/tools/${tool?.toolId ?? ''}`, { body: {} });
    expect(ids(await ask('tools-without-a-skill'), 'Tool')).not.toContain(tool?.toolId);
  });

  it('tells which agents reach a destructive tool, and how tools spread over domains', async () => {
    const reached = await ask('agents-reaching-a-destructive-tool');
    expect(ids(reached, 'Agent')).toEqual([agent.agentDefId]);
    expect(ids(reached, 'Tool').length).toBeGreaterThan(0);
    const tiers = await Promise.all(
      ['public', 'internal', 'confidential', 'restricted'].map((tier) => ask('tools-per-domain', { tier })),
    );
    const counts = tiers.flatMap(({ rows = [] }) => rows.map(({ tools }) => Number(tools)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Object.keys(agent.toolIds).length);
  });
});
