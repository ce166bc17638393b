import { declaredRoutes } from '../../src/openapi.js';
import { scopes } from '../../src/platform/auth/caller.js';
import { makeAccountAgent } from './account-agent.js';
import { eachServer, hostId, type TestServer } from './server.js';

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

/** The query that a route requires, and a body where it takes one. */
function askOf({ operation }: (typeof routes)[number]): { query: string; body?: unknown } {
  const query = new URLSearchParams((operation.example.query ?? {}) as Record<string, string>).toString();
  const body =
    operation.body === undefined && operation.upload === undefined ? undefined : operation.example.body;
  return { query: query === '' ? '' : `?${query}`, ...(body !== undefined && { body }) };
}

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

  describe('a token that is narrowed to one agent', () => {
    let own: Names;
    let foreign: Names;
    let token: string;

    beforeAll(async () => {
      ({ own, foreign } = await twoWorlds(server()));
      token = await server().token({
        sid: 'accounts',
        scope: `catalog:agent ${everything}`,
        agent_def_id: own['agentDefId'],
      });
    });

    it.each(titles(answering.filter(({ method, operation }) => method === 'GET' || operation.reads)))(
      'finds nothing of another agent’s world by %s',
      async (title) => {
        const route = routeOf(title);
        const { query, body } = askOf(route);
        for (const names of [own, foreign, { ...own, skillId: foreign['skillId'] ?? '' }]) {
          for (const rest of [query, '', '?active=all&limit=500', '?q=zzhidden']) {
            const call = { token, ...(body !== undefined && { body }) };
            const answer = await server().api(route.method, pathOf(route.url, names) + rest, call);
            expect(answer.text).not.toMatch(/zzhidden/i);
            expect(answer.status).toBeLessThan(500);
          }
        }
      },
    );
  });
});

/** An agent with a catalog; and beside it one of everything that it has nothing to do with, all named zzhidden. */
async function twoWorlds(server: TestServer): Promise<{ own: Names; foreign: Names }> {
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
  } as unknown as Names;
  return { own, foreign: await hiddenWorld(server) };
}

async function hiddenWorld(server: TestServer): Promise<Names> {
  const make = async (path: string, body: unknown, method = 'POST'): Promise<Names> => {
    const answer = await server.api<Names>(method, path, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'zzhidden', version: '1' },
    paths: { '/zzhidden/{no}': { get: { operationId: 'zzhiddenGet', summary: 'zzhidden' } } },
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
  const category = await make('/categories', { entityType: 'skill', categoryName: 'zzhidden' });
  const tag = await make('/tags', { entityType: 'skill', tagName: 'zzhidden' });
  const definition = 'document: {dsl: 1.0.0, namespace: zzhidden, name: zzhidden, version: 1.0.0}\ndo: []\n';
  const workflow = await make('/workflows', {
    namespace: 'zzhidden',
    name: 'zzhidden',
    version: '1.0.0',
    definition,
  });
  const gatewayId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5ee1';
  const gateway = { serviceId: 'accounts', envTag: 'dev', url: 'https://zzhidden.example/mcp' };
  await make(`/gateways/${gatewayId}`, gateway, 'PUT');
  const agent = { apiVersion: '2', apiType: 'agent', serviceId: 'accounts', envTag: 'dev' };
  await make('/apis', { apiId: 'apart-agent', apiName: 'zzhidden' });
  const { id: agentDefId = '' } = await make('/apis/apart-agent/versions', agent);
  await make(`/agents/${agentDefId}`, { personas: ['zzhidden'] }, 'PUT');
  await make(`/agents/${agentDefId}/skills`, { skills: [{ skillId: skill['id'] }] });
  return {
    toolId,
    endpointId,
    apiVersionId,
    agentDefId,
    gatewayId,
    apiId: 'apart',
    skillId: skill['id'] ?? '',
    dependsOnSkillId: skill['id'] ?? '',
    categoryId: category['id'] ?? '',
    tagId: tag['id'] ?? '',
    wfDefId: workflow['id'] ?? '',
    workflowRole: 'primary',
    aggregateType: 'Skill',
    aggregateId: skill['id'] ?? '',
  };
}

it('there is a route to each of them', () => {
  expect(routes.length).toBeGreaterThan(80);
  expect(routes.every(({ url }) => url.startsWith(`/v1/hosts/:hostId`))).toBe(true);
  expect(hostId).not.toBe(nobody);
});
