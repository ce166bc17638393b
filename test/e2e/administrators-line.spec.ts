import { v7 } from 'uuid';
import { fresh, guardsWorld, openapi } from './guards-world.js';
import { eachServer } from './server.js';

eachServer((server) => {
  const { ask, refusal, bring, toolOf, agentWith, writer } = guardsWorld(server);

  /** Paths of one of each noun, made by an administrator. */
  const world = async () => {
    const apiId = fresh('line');
    const { apiVersionId, items } = await bring(apiId, openapi({ [fresh('op')]: {} }), { publish: true });
    await ask('PATCH', `/api-versions/${apiVersionId}`, { quarantine: true });
    const { toolId } = await toolOf(apiId);
    const agent = await agentWith([toolId]);
    const { items: skills } = await ask<{ items: { skillId: string }[] }>('GET', `/agents/${agent}/skills`);
    const skill = `/skills/${skills[0]?.skillId ?? ''}`;
    const definition = 'do:\n  - wait: { wait: { seconds: 1 } }\n';
    const draft = { namespace: 'line', name: apiId, version: '1.0.0', definition };
    const workflow = await ask<{ id: string }>('POST', '/workflows', draft);
    return {
      api: `/apis/${apiId}`,
      version: `/api-versions/${apiVersionId}`,
      endpoint: `/endpoints/${items[0]?.endpointId ?? ''}`,
      tool: `/tools/${toolId}`,
      ...{ skill, agent: `/agents/${agent}`, link: `${skill}/tools/${toolId}` },
      assignment: `/agents/${agent}${skill}`,
      workflow: `/workflows/${workflow.id}`,
      gateway: `/gateways/${v7()}`,
    };
  };
  type Noun = keyof Awaited<ReturnType<typeof world>>;
  type Write = readonly [noun: Noun, method: string, path: string, body?: object];
  const titled = (writes: readonly Write[]) =>
    writes.map((write): [string, Write] => [
      `${write[0]} ${write[2]} ${JSON.stringify(write[3] ?? {})}`,
      write,
    ]);

  const switched: Noun[] = ['tool', 'endpoint', 'skill', 'agent', 'version', 'api'];
  const author: Write[] = [
    ['tool', 'PATCH', '', { lifecycleStatus: 'retired' }],
    ['tool', 'PATCH', '', { lifecycleStatus: 'active' }],
    ['tool', 'PATCH', '', { routing: { targetPersonas: [], domain: 'any' } }],
    ['tool', 'PATCH', '', { routing: { contextRequirements: { requiredContext: [] } } }],
    ['endpoint', 'PATCH', '', { lifecycleStatus: 'active', routing: { domain: 'any' } }],
    ['link', 'PUT', '', { accessLevel: 'read' }],
    ['link', 'PUT', '', { accessLevel: 'execute' }],
    ['assignment', 'PUT', '', { priority: 5 }],
    ['agent', 'PUT', '', { maxSensitivityTier: 'internal', personas: ['clerk'], domains: [] }],
    ['workflow', 'POST', '/publish'],
    ...switched.flatMap((noun): Write[] => [
      [noun, 'POST', '/deactivate'],
      [noun, 'POST', '/activate'],
    ]),
  ];
  const administrator: Write[] = [
    ['tool', 'PATCH', '', { routing: { sensitivityTier: 'public' } }],
    ['tool', 'PATCH', '', { safety: { readOnly: true } }],
    ['tool', 'PATCH', '', { safety: { approvalWorkflow: 'line/any' } }],
    ['endpoint', 'PATCH', '', { routing: { sensitivityTier: 'public' } }],
    ['endpoint', 'PATCH', '', { safety: { readOnly: true } }],
    ['link', 'PUT', '', { accessLevel: 'execute', config: { approvalWorkflow: 'line/any' } }],
    ['version', 'PATCH', '', { quarantine: false }],
    ['gateway', 'PUT', '', { serviceId: 'line', envTag: 'dev', url: 'https://gateway.example/mcp' }],
  ];

  it.each(titled(author))('%s is the author’s', async (_, [noun, method, path, body]) => {
    const paths = await world();
    expect(await refusal(method, `${paths[noun]}${path}`, body, writer())).toEqual([200, undefined]);
  });

  const script = { description: 'Reads.', implementationType: 'python', inputSchema: { type: 'object' } };
  const spec = (hint: string) =>
    `version: 1.0.0\nname: ${fresh('born')}\ndescription: Reads.\ninputSchema: { type: object }\nannotations: { ${hint} }\n`;
  it.each<[what: string, path: string, body: () => object]>([
    ['that is read-only', '/tools', () => ({ ...script, name: fresh('born'), safety: { readOnly: true } })],
    ['by a spec that says it is read-only', '/tools/specs', () => ({ specText: spec('readOnlyHint: true') })],
    [
      'by a command of agents',
      '/agent/commands/push_tool_spec',
      () => ({ specText: spec('readOnlyHint: true') }),
    ],
  ])('a new tool %s is the administrator’s', async (_, path, body) => {
    expect(await refusal('POST', path, body(), writer())).toEqual([403, 'insufficient_scope']);
    const done = await server().api('POST', path, { body: body() });
    expect(done.status).toBeLessThan(300);
  });

  it('a new tool is the author’s where nothing says that it is read-only', async () => {
    const tools = await refusal('POST', '/tools', { ...script, name: fresh('born') }, writer());
    const specs = await refusal('POST', '/tools/specs', { specText: spec('idempotentHint: true') }, writer());
    expect([tools, specs]).toEqual([
      [201, undefined],
      [200, undefined],
    ]);
  });

  it.each(titled(administrator))('%s is the administrator’s', async (_, [noun, method, path, body]) => {
    const at = `${(await world())[noun]}${path}`;
    expect(await refusal(method, at, body, writer())).toEqual([403, 'insufficient_scope']);
    const done = await server().api(method, at, { ...(body && { body }) });
    expect(done.status).toBeLessThan(300);
  });
});
