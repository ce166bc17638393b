import { declaredRoutes } from '../../src/openapi.js';
import { scopes } from '../../src/platform/auth/caller.js';
import { makeAccountAgent } from './account-agent.js';
import { ScriptedGateway } from './gateway-servers.js';
import { eachServer, hostId, type ApiAnswer, type Server } from './server.js';

const routes = declaredRoutes().filter(({ operation }) => operation.scope !== 'none');
/** Streams answer for as long as somebody listens: their own tests read them. */
const answering = routes.filter(({ operation }) => operation.answerType !== 'text/event-stream');
const nobody = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5eff';
const everything = 'catalog:read catalog:write catalog:admin';

type Names = Readonly<Record<string, string>>;

/** A route's path below the host, its parameters filled in; ids that are not given are of nobody. */
function pathOf(url: string, names: Names = {}): string {
  return url
    .replace('/v1/hosts/:hostId', '')
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? nobody));
}

const titles = (some: typeof routes): string[] => some.map(({ method, url }) => `${method} ${url}`);
const routeOf = (title: string) => {
  const route = routes.find(({ method, url }) => `${method} ${url}` === title);
  if (route === undefined) throw new Error(`No route ${title}.`);
  return route;
};

/** The query that a route requires, and a body where it takes one; as its example says, but for names that are given. */
function askOf({ operation }: (typeof routes)[number], names: Names = {}): { query: string; body?: unknown } {
  const example = (operation.example.query ?? {}) as Names;
  const given = Object.entries(names).filter(([name]) => name in example);
  const query = new URLSearchParams({ ...example, ...Object.fromEntries(given) }).toString();
  const body =
    operation.body === undefined && operation.upload === undefined ? undefined : operation.example.body;
  return { query: query === '' ? '' : `?${query}`, ...(body !== undefined && { body }) };
}

const reading = titles(
  answering.filter(({ method, operation }) => method === 'GET' || (operation.reads && method !== 'DELETE')),
);
/** All that a narrowed agent’s token has nothing to do with; and of it what is of the tier internal: a tool, its endpoint. */
const hidden = /zzhidden/i;
const internal = /zzhidden.?internal/i;

const evaluationSet = { rows: [{ prompt: 'zzhidden-internal', expect: ['zzhiddenInternal'] }] };

const toolSpec = { version: '1.0.0', name: 'zz', inputSchema: { type: 'object' } };

/** Bodies that find what is hidden, where it may be found. */
const searching: Readonly<Record<string, (names: Names) => unknown>> = {
  searchCatalog: () => ({ prompt: 'zzhidden-internal' }),
  lintTool: () => ({
    spec: { ...toolSpec, description: 'zzhidden-internal' },
  }),
  previewSkill: () => ({ prompt: 'zzhidden-internal' }),
  putEvaluationSet: () => evaluationSet,
  validateAgentSkills: ({ skillId }) => ({ skills: [{ skillId }] }),
  queryGraph: () => ({
    query: { query_type: 'traversal', nodes: [{ id: 't', entity: 'Tool', columns: ['name'] }] },
  }),
  invokeAgentCommand: ({ agentDefId }) => ({ agentDefId, prompt: 'zzhidden-internal' }),
};

/** Operations that say no word of any record. */
const wordless = [
  ...[
    'consolidateTools',
    'fetchDocument',
    'getDevelopmentGateway',
    'getEmbeddingProgress',
    'getGraphSchema',
    'getGraphStatus',
    'getHostSettings',
    'getQueryDsl',
  ],
  ...[
    'getResponseFormat',
    'getWebhookDelivery',
    'listAgentCommands',
    'listEvaluationSets',
    'listEvaluations',
    'listGatewaysOfTool',
  ],
  ...[
    'listWebhookDeliveries',
    'lookAtSource',
    'planCode',
    'putEvaluationSet',
    'readDocument',
    'validateAgentSkills',
    'validateWorkflow',
  ],
];
/** Operations that tell of a tool or its endpoint. */
const tellingOfTools = [
  ...['diagnoseAgent', 'diagnoseGateways', 'diagnoseSkills', 'diffToolVersions'],
  'explainEffectiveAgentCatalog',
  ...[
    'exportApiVersion',
    'exportCode',
    'exportSkill',
    'generateToolClients',
    'getApiVersionImpact',
    'getEffectiveAgentCatalog',
    'getEndpoint',
    'getEndpointImpact',
  ],
  ...['getEvaluation', 'getEvaluationSet', 'getExposureImpact'],
  ...['getGatewayConfig', 'getGatewayDrift', 'getGatewayToolsList'],
  'getOverview',
  ...['getSkillTool', 'getTool', 'getToolExposure', 'getToolImpact', 'getToolParam', 'getToolVersion'],
  'getToolVersionReport',
  ...['invokeAgentCommand', 'lintTool', 'listEmbeddings'],
  ...['listEndpoints', 'listEvents', 'listGatewayDriftHistory', 'listSkillTools', 'listToolExposures'],
  ...['listToolParams', 'listToolVersions', 'listTools', 'listWaitingVersions', 'previewSkill', 'queryGraph'],
  'searchCatalog',
];
const idOf = (title: string): string => routeOf(title).operation.id;

eachServer((server) => {
  describe.each(titles(answering))('%s', (title) => {
    const route = routeOf(title);
    const { query, body } = askOf(route);
    const ask = (token: string, path = pathOf(route.url) + query, sent = body) =>
      server().api(route.method, path, { token, ...(sent !== undefined && { body: sent }) });

    it('is closed to who has no token, is of another host, or has not the scope', async () => {
      expect((await ask('')).status).toBe(401);
      expect((await ask(await server().token({ host: nobody }))).status).toBe(403);
      const wanted = [route.operation.scope].flat();
      const order: readonly string[] = scopes;
      const lesser = order.slice(0, Math.min(...wanted.map((scope) => order.indexOf(scope))));
      for (const scope of lesser) {
        const answer = await ask(await server().token({ scope }));
        expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
      }
    });

    it('refuses what is hostile with a problem of its own, and never fails', async () => {
      const hostile = ['%00', 'x'.repeat(2000), '../..', "';--", '{"a":1}', '\u{1F600}', '0'];
      const token = await server().token();
      for (const text of hostile) {
        const names = new Proxy<Names>({}, { get: () => text });
        const answer = await ask(token, pathOf(route.url, names) + query);
        expect([text, answer.status, answer.text]).toEqual([text, expect.any(Number), expect.any(String)]);
        expect(answer.status).toBeLessThan(500);
        const asked = await ask(
          token,
          `${pathOf(route.url)}?limit=${encodeURIComponent(text)}&q=%00&${text}=1`,
        );
        expect(asked.status).toBeLessThan(500);
      }
      if (route.method === 'GET') return;
      for (const sent of [null, [], 0, 'text', {}, { '': {} }, { items: [null] }, [[[[[]]]]]]) {
        const answer = await ask(token, undefined, sent);
        expect([JSON.stringify(sent), answer.text]).toEqual([JSON.stringify(sent), expect.any(String)]);
        expect(answer.status).toBeLessThan(500);
      }
    });
  });

  describe('a narrowed token', () => {
    let gateway: ScriptedGateway;
    let own: Names;
    let foreign: Names;

    beforeAll(async () => {
      gateway = await ScriptedGateway.start();
      ({ own, foreign } = await twoWorlds(server(), gateway.url));
      await server().settled();
    });
    afterAll(() => gateway.stop());

    /** What a route answers about a world: to its example, and to questions that would find what is hidden. */
    async function answersOf(title: string, names: Names, token?: string): Promise<ApiAnswer[]> {
      const route = routeOf(title);
      const { query } = askOf(route, names);
      const body = searching[route.operation.id]?.(names) ?? askOf(route).body;
      const queries = [query, '?limit=500', '?active=all&limit=500', '?q=zzhidden'];
      const call = { ...(token !== undefined && { token }), ...(body !== undefined && { body }) };
      const answers = queries.map((rest) =>
        server().api(route.method, pathOf(route.url, names) + rest, call),
      );
      return Promise.all(answers);
    }

    it.each(reading)('of one agent finds nothing of another’s world by %s', async (title) => {
      const token = await server().token({
        sid: 'accounts',
        scope: `catalog:agent ${everything}`,
        agent_def_id: own['agentDefId'],
      });
      for (const names of [own, foreign, { ...own, skillId: foreign['skillId'] ?? '' }]) {
        for (const { status, text } of await answersOf(title, names, token)) {
          expect(text).not.toMatch(hidden);
          expect(status).toBeLessThan(500);
        }
      }
    });

    it.each(reading)('of a tier finds nothing that lies above by %s', async (title) => {
      const scope = `catalog:agent ${everything}`;
      const token = await server().token({ sid: 'accounts', scope, maxSensitivityTier: 'public' });
      for (const { status, text } of await answersOf(title, foreign, token)) {
        expect(text).not.toMatch(internal);
        expect(status).toBeLessThan(500);
      }
    });

    it('is asked of what is there: an operator finds it', async () => {
      const answers = await Promise.all(reading.map((title) => answersOf(title, foreign)));
      const telling = (pattern: RegExp) =>
        reading
          .filter((_, index) => answers[index]?.some(({ text }) => pattern.test(text)))
          .map(idOf)
          .sort();
      expect([...telling(hidden), ...wordless].sort()).toEqual(reading.map(idOf).sort());
      expect(telling(internal)).toEqual(tellingOfTools);
    });
  });
});

/** An agent with a catalog; and beside it one of everything that it has nothing to do with, all named zzhidden. */
async function twoWorlds(server: Server, gateway: string): Promise<{ own: Names; foreign: Names }> {
  const operator = await server.token();
  const made = await makeAccountAgent(
    { send: async (method, path, token, more) => server.api(method, path, { token, ...more }) },
    operator,
  );
  const toolId = Object.values(made.toolIds)[0] ?? '';
  const { body: tool } = await server.api<Names>('GET', `/tools/${toolId}`);
  const own = {
    ...made,
    toolId,
    apiId: 'account',
    endpointId: tool['endpointId'] ?? '',
    apiVersionId: tool['apiVersionId'] ?? '',
    workflowRole: 'primary',
    aggregateType: 'Tool',
    aggregateId: toolId,
    tool: toolId,
    ...common,
  } as unknown as Names;
  return { own, foreign: await hiddenWorld(server, gateway, Object.values(made.toolIds)) };
}

/** What queries and paths name beside ids. */
const common = {
  serviceId: 'accounts',
  envTag: 'dev',
  name: 'search_tools',
  paramName: 'no',
  version: '1.0.0',
  language: 'python',
};

/** @param exposed tools that the hidden gateway exposes beside its own: what none exposes no agent is given */
async function hiddenWorld(server: Server, gateway: string, exposed: readonly string[]): Promise<Names> {
  const make = async (path: string, body: unknown, method = 'POST'): Promise<Names> => {
    const answer = await server.api<Names>(method, path, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'zzhidden', version: '1' },
    paths: {
      '/zzhidden-internal/{no}': {
        get: {
          ...{ operationId: 'zzhiddenInternal', summary: 'zzhidden-internal' },
          parameters: [{ name: 'no', in: 'path', required: true, description: 'zzhidden-internal' }],
        },
      },
    },
  };
  const version = { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' };
  const { apiVersionId = '' } = await make('/imports', {
    api: { apiId: 'zzhidden' },
    version,
    document,
    publish: true,
  });
  const { body: list } = await server.api<{ items: Names[] }>('GET', `/tools?apiVersionId=${apiVersionId}`);
  const { toolId = '', endpointId = '' } = list.items[0] ?? {};
  const skill = await make('/skills', { name: 'zzhidden', contentMarkdown: 'zzhidden' });
  await make(`/skills/${skill['id'] ?? ''}/tools/${toolId}`, {}, 'PUT');
  const needed = await make('/skills', { name: 'zzhidden needed', contentMarkdown: 'zzhidden' });
  await make(`/skills/${skill['id'] ?? ''}/dependencies/${needed['id'] ?? ''}`, { required: false }, 'PUT');
  const definition = 'document: {dsl: 1.0.0, namespace: zzhidden, name: zzhidden, version: 1.0.0}\ndo: []\n';
  const workflow = await make('/workflows', {
    namespace: 'zzhidden',
    name: 'zzhidden',
    version: '1.0.0',
    definition,
  });
  const wfDefId = workflow['id'] ?? '';
  await make(`/skills/${skill['id'] ?? ''}/workflows/${wfDefId}/primary`, {}, 'PUT');
  let [categoryId = '', tagId = ''] = [];
  for (const [entityType, id] of Object.entries({
    endpoint: endpointId,
    tool: toolId,
    workflow: wfDefId,
    skill: skill['id'],
  })) {
    ({ id: categoryId = '' } = await make('/categories', { entityType, categoryName: 'zzhidden' }));
    ({ id: tagId = '' } = await make('/tags', { entityType, tagName: 'zzhidden' }));
    const selection = { categoryIds: [categoryId], tagIds: [tagId] };
    await make(`/${entityType}s/${id ?? ''}/taxonomy`, selection, 'PUT');
  }
  await make('/evaluation-sets/apart', evaluationSet, 'PUT');
  const evaluation = await make('/evaluations', { dataSet: 'apart' });
  const gatewayId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5ee1';
  const profile = { serviceId: 'accounts', envTag: 'dev', url: `${gateway}?zzhidden` };
  await make(`/gateways/${gatewayId}`, profile, 'PUT');
  const tools = [toolId, ...exposed].map((each) => ({ toolId: each }));
  await make(`/gateways/${gatewayId}/exposures`, { tools }, 'PUT');
  await make(`/gateways/${gatewayId}/drift/check`, undefined);
  const listed = { kind: 'gateway', url: 'https://mcp.example.com/', description: 'zzhidden' };
  await make(`/public-entries/${gatewayId}`, listed, 'PUT');
  const webhookId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5ee2';
  await make(`/webhooks/${webhookId}`, { url: `${gateway}?zzhidden`, secret: 'zzhidden' }, 'PUT');
  const agent = { apiVersion: 'zzhidden', apiType: 'agent', serviceId: 'accounts', envTag: 'dev' };
  await make('/apis', { apiId: 'apart-agent', apiName: 'zzhidden' });
  const { id: agentDefId = '' } = await make('/apis/apart-agent/versions', agent);
  await make(`/agents/${agentDefId}`, { personas: ['zzhidden'] }, 'PUT');
  await make(`/agents/${agentDefId}/skills`, { skills: [{ skillId: skill['id'] }] });
  await make(`/tools/${toolId}/versions`, {
    version: '2.0.0',
    description: 'zzhidden-internal',
    inputSchema: { type: 'object' },
  });
  await make(`/tools/${toolId}/versions/2.0.0/submit`, {});
  return {
    toolId,
    endpointId,
    apiVersionId,
    agentDefId,
    gatewayId,
    entityId: gatewayId,
    apiId: 'apart-agent',
    skillId: skill['id'] ?? '',
    dependsOnSkillId: needed['id'] ?? '',
    categoryId,
    tagId,
    wfDefId,
    webhookId,
    setName: 'apart',
    evaluationId: evaluation['id'] ?? '',
    workflowRole: 'primary',
    aggregateType: 'Skill',
    aggregateId: skill['id'] ?? '',
    tool: toolId,
    ...common,
  };
}

it('there is a route to each of them', () => {
  expect(routes.length).toBeGreaterThan(80);
  expect(routes.every(({ url }) => url.startsWith(`/v1/hosts/:hostId`))).toBe(true);
  expect(hostId).not.toBe(nobody);
});
