import { until } from '../until.js';
import { fresh, guardsWorld } from './guards-world.js';
import { eachServer } from './server.js';

/** Once the day of a deprecation has passed agents are told, by their catalogs, and administrators by the diagnostics. */

interface Catalog {
  readonly catalogVersion: number;
  readonly catalogHash: string;
  readonly skills: readonly { readonly tools: readonly { readonly deprecation?: object }[] }[];
}
interface Ailing {
  readonly tools: readonly {
    readonly toolId: string;
    readonly problems: readonly { readonly code: string }[];
  }[];
  readonly agents: readonly { readonly agentDefId: string }[];
}

eachServer((server) => {
  const { ask, agentWith } = guardsWorld(server);
  const message = 'Take 2.0.0.';
  const made = async () => {
    const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
    const script = { implementationType: 'python', description: 'Reads a file.', inputSchema };
    const { id } = await ask<{ id: string }>('POST', '/tools', { name: fresh('readFile'), ...script });
    return { toolId: id, agent: await agentWith([id]) };
  };
  const deprecate = (toolId: string, on: string) =>
    ask('POST', `/tools/${toolId}/versions/1.0.0/deprecate`, { on, message });
  const catalogOf = (agent: string) =>
    ask<Catalog>('GET', `/agents/${agent}/effective-catalog?serviceId=desk&envTag=dev`);
  const deprecationIn = ({ skills }: Catalog) => skills[0]?.tools[0]?.deprecation;
  const overdue = (agent: string) =>
    until(
      () => catalogOf(agent),
      (catalog) => 'overdue' in (deprecationIn(catalog) ?? {}),
    );
  const problemsOf = async (toolId: string) => {
    const { items } = await ask<{ items: Ailing[] }>('GET', '/diagnostics/skills?limit=200');
    return items.flatMap(({ tools, agents }) =>
      tools
        .filter((tool) => tool.toolId === toolId)
        .map(({ problems }) => ({ problems, agents: agents.map(({ agentDefId }) => agentDefId) })),
    );
  };

  it('changes the catalog of who is given the version, and no more once it has another day', async () => {
    const [late, early] = [await made(), await made()];
    await deprecate(early.toolId, '2999-12-31');
    await deprecate(late.toolId, '2020-01-31');
    const now = await overdue(late.agent);
    expect(deprecationIn(now)).toEqual({ on: '2020-01-31', message, overdue: true });
    expect(deprecationIn(await catalogOf(early.agent))).toEqual({ on: '2999-12-31', message });
    const { items } = await ask<{ items: object[] }>('GET', `/tools/${late.toolId}/versions`);
    expect(items).toMatchObject([{ state: 'deprecated', deprecation: { overdue: true } }]);
    const shown = await ask<object>('POST', '/agent/commands/get_tool', {
      ...{ toolId: late.toolId, agentDefId: late.agent },
    });
    expect(shown).toMatchObject({ deprecation: { overdue: true } });
    await deprecate(late.toolId, '2999-12-31');
    const then = await catalogOf(late.agent);
    expect(deprecationIn(then)).toEqual({ on: '2999-12-31', message });
    expect(then.catalogVersion).toBeGreaterThan(now.catalogVersion);
    expect(then.catalogHash).not.toBe(now.catalogHash);
  });

  it('lists the skills and agents that use what has passed its day, or is within 30 days of it', async () => {
    const [late, soon, early] = [await made(), await made(), await made()];
    await deprecate(late.toolId, '2020-01-31');
    await deprecate(early.toolId, '2999-12-31');
    const { updateTs } = await ask<{ updateTs: string }>('GET', `/tools/${soon.toolId}`);
    const today = updateTs.slice(0, 10);
    await deprecate(soon.toolId, today);
    await overdue(late.agent);
    const passed = { code: 'version_overdue', version: '1.0.0', on: '2020-01-31' };
    expect(await problemsOf(late.toolId)).toEqual([{ problems: [passed], agents: [late.agent] }]);
    const coming = { code: 'version_ends_soon', version: '1.0.0', on: today };
    expect(await problemsOf(soon.toolId)).toEqual([{ problems: [coming], agents: [soon.agent] }]);
    expect(await problemsOf(early.toolId)).toEqual([]);
  });
});
