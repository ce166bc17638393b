import { load } from 'js-yaml';
import { v7 } from 'uuid';
import { fresh, guardsWorld, override, type Tool } from './guards-world.js';
import { eachServer } from './server.js';

/** Tools whose operation people write are guarded, and switched off, as what the operation calls. */

const schema = `
  type Issue { id: ID! title: String }
  type Query { issue(id: ID!): Issue project(id: ID!): String }
  type Mutation { closeIssue(id: ID!): Issue deleteProject(id: ID!): String }
`;
const spec = (
  api: string,
  name: string,
  operation: string,
  more: { version?: string; safe?: boolean } = {},
) =>
  `version: ${more.version ?? '0.1.0'}
name: ${name}
description: Does what people ask of the issue that they name. Use it when somebody asks for it.
inputSchema:
  parameters:
    - { name: id, type: string, required: true, description: Id of what it is done to. }
annotations: { readOnlyHint: ${String(more.safe ?? false)}, destructiveHint: false }
graphql:
  api: ${api}
  operation: '${operation}'
  variables: { id: $id }
`;
const read = 'query ($id: ID!) { issue(id: $id) { title } }';

interface Offered {
  readonly toolMetadata: { routing: { sensitivityTier?: string }; safety: Record<string, unknown> };
  readonly version: string;
}

eachServer((server) => {
  const { ask, agentWith, catalogOf, approve } = guardsWorld(server);
  const tokens = { admin: '', author: '', reviewer: '' };
  let api = '';
  let apiVersionId = '';
  let endpoints: ReadonlyMap<string, string>;

  const guard = (endpoint: string, guards: object) =>
    ask('PATCH', `/endpoints/${endpoints.get(endpoint) ?? ''}`, guards);
  const drafted = async (text: string) => {
    const { id, toolVersion } = await ask<{ id: string; toolVersion: string }>(
      'POST',
      '/tools/specs',
      { specText: text },
      tokens.admin,
    );
    return { id, path: `/tools/${id}/versions/${toolVersion}` };
  };
  const published = async (text: string) => {
    const { id, path } = await drafted(text);
    await ask('POST', `${path}/submit`, {}, tokens.author);
    await approve(`${path}/approve`, override, tokens.reviewer);
    return id;
  };
  const guardsOf = async (toolId: string) => {
    const { toolMetadata, version } = await ask<Tool & Offered>('GET', `/tools/${toolId}`);
    const { readOnly, destructive, humanApprovalRequired } = toolMetadata.safety;
    const tier = toolMetadata.routing.sensitivityTier ?? null;
    return { tier, readOnly, destructive, humanApprovalRequired, version };
  };
  const gatewayWith = async (toolId: string) => {
    const at = `/gateways/${v7()}`;
    await ask('PUT', at, { serviceId: fresh('gateway'), envTag: 'dev', url: 'http://127.0.0.1:4000/mcp' });
    await ask('PUT', `${at}/exposures`, {
      tools: [{ toolId, targetHost: 'https://issues.example.com/graphql' }],
    });
    return async () => {
      const { text } = await server().api('GET', `${at}/config`);
      const config = load(text) as { 'mcp-router.tools': { toolMetadata: object; versions?: object[] }[] };
      return config['mcp-router.tools'];
    };
  };

  beforeEach(async () => {
    const scope = 'catalog:read catalog:write catalog:approve catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope });
    tokens.admin = await server().token({ sub: 'ada', scope: `${scope} catalog:admin` });
    tokens.reviewer = await server().token({ sub: 'grace', scope });
    api = fresh('issues');
    const report = await ask<{ apiVersionId: string; items: { endpoint: string; endpointId: string }[] }>(
      'POST',
      '/imports',
      {
        api: { apiId: api },
        version: { apiVersion: '1', apiType: 'graphql', serviceId: api, envTag: 'dev' },
        document: schema,
        format: 'graphql',
      },
    );
    apiVersionId = report.apiVersionId;
    endpoints = new Map(report.items.map(({ endpoint, endpointId }) => [endpoint, endpointId]));
  });

  it('they are guarded as what they call from the first draft on, whatever the spec says', async () => {
    await guard('mutation/deleteProject@call', {
      routing: { sensitivityTier: 'restricted' },
      safety: { destructive: true, humanApprovalRequired: true },
    });
    const name = fresh('delete_project');
    const { id, path } = await drafted(
      spec(api, name, 'mutation ($id: ID!) { gone: deleteProject(id: $id) }'),
    );
    const strict = { readOnly: false, destructive: true, humanApprovalRequired: true };
    expect(await guardsOf(id)).toMatchObject({ ...strict, tier: 'restricted' });
    expect(await ask('GET', path)).toMatchObject({ content: { safety: strict } });
    await ask('POST', `${path}/submit`, {}, tokens.author);
    await approve(`${path}/approve`, override, tokens.reviewer);
    expect((await catalogOf(await agentWith([id]))).withheld).toEqual([
      'destructive_tool_requires_approval_workflow',
    ]);
  });

  it('an endpoint that is guarded between the draft and its approval guards the version', async () => {
    const { id, path } = await drafted(
      spec(api, fresh('close'), 'mutation ($id: ID!) { closeIssue(id: $id) { id } }'),
    );
    await ask('POST', `${path}/submit`, {}, tokens.author);
    await guard('mutation/closeIssue@call', { safety: { destructive: true } });
    await approve(`${path}/approve`, override, tokens.reviewer);
    expect(await guardsOf(id)).toMatchObject({ destructive: true, version: '0.1.0' });
  });

  it('a guard of the endpoint is one of every tool that calls it, at once and at every door', async () => {
    const name = fresh('get_issue');
    const id = await published(spec(api, name, read, { safe: true }));
    const other = await published(
      spec(api, fresh('get'), 'query ($id: ID!) { project(id: $id) }', { safe: true }),
    );
    const [agent, config] = [await agentWith([id]), await gatewayWith(id)];
    expect(await guardsOf(id)).toMatchObject({ tier: null, readOnly: true, version: '0.1.0' });
    expect((await catalogOf(agent)).given).toHaveLength(1);
    await guard('query/issue@call', {
      routing: { sensitivityTier: 'restricted' },
      safety: { readOnly: false, destructive: true },
    });
    const strict = { tier: 'restricted', readOnly: false, destructive: true };
    expect(await guardsOf(id)).toMatchObject({ ...strict, version: '0.1.1' });
    expect(await guardsOf(other)).toMatchObject({ tier: null, readOnly: true, version: '0.1.0' });
    expect((await catalogOf(agent)).withheld).toEqual(['destructive_tool_requires_approval_workflow']);
    expect(await config()).toMatchObject([
      {
        graphql: { field: 'issue' },
        toolMetadata: {
          routing: { sensitivityTier: 'restricted' },
          safety: { read_only: false, destructive: true },
        },
      },
    ]);
    const tool = await ask<Tool>('GET', `/tools/${id}`);
    expect(tool.change).toMatchObject({
      grade: 'suspicious',
      fields: ['routing.sensitivityTier', 'safety.destructive', 'safety.readOnly'],
    });
    // What follows is guarded as well, and never by less.
    await published(spec(api, name, read, { safe: true, version: '0.2.0' }));
    expect(await guardsOf(id)).toMatchObject({ ...strict, version: '0.2.0' });
  });

  it('so is one that is set on the tool of the endpoint', async () => {
    await ask('POST', '/tools/publish', { filter: { apiVersionId } });
    const { items } = await ask<{ items: { toolId: string }[] }>(
      'GET',
      `/tools?apiId=${api}&name=closeIssue`,
    );
    const id = await published(
      spec(api, fresh('close'), 'mutation ($id: ID!) { closeIssue(id: $id) { id } }'),
    );
    await ask('PATCH', `/tools/${items[0]?.toolId ?? ''}`, { safety: { humanApprovalRequired: true } });
    expect(await guardsOf(id)).toMatchObject({ humanApprovalRequired: true, version: '0.1.1' });
  });

  it('their guards are no author’s to loosen', async () => {
    const id = await published(spec(api, fresh('get'), read, { safe: true }));
    await guard('query/issue@call', { safety: { destructive: true } });
    const patch = { safety: { destructive: false } };
    const { status } = await server().api('PATCH', `/tools/${id}`, { body: patch, token: tokens.author });
    expect(status).toBe(403);
  });

  it('their schemas change with their specs alone', async () => {
    const id = await published(spec(api, fresh('get'), read, { safe: true }));
    const body = { inputSchema: { type: 'object', properties: {} } };
    const { status, body: said } = await server().api<{ code: string }>('PATCH', `/tools/${id}`, {
      body,
      token: tokens.author,
    });
    expect([status, said.code]).toEqual([409, 'tool_has_spec']);
  });

  it.each([
    ['api', () => `/apis/${api}`, 'api_inactive'],
    ['API version', () => `/api-versions/${apiVersionId}`, 'api_version_inactive'],
    ['endpoint', () => `/endpoints/${endpoints.get('query/issue@call') ?? ''}`, 'endpoint_inactive'],
  ])('they are off with the %s that they call', async (_, at, reason) => {
    const name = fresh('get_issue');
    const id = await published(spec(api, name, read, { safe: true }));
    const [agent, config] = [await agentWith([id]), await gatewayWith(id)];
    const found = async () => {
      await server().settled();
      const body = { prompt: name, kinds: ['tool'], limit: 100 };
      const { items } = await ask<{ items: { id: string }[] }>('POST', '/search', body);
      return items.some((item) => item.id === id);
    };
    expect(await found()).toBe(true);
    expect(await config()).toHaveLength(1);
    const { impact } = await ask<{ impact: { tools: { toolId: string }[] } }>(
      'POST',
      `${at()}/deactivate`,
      {},
    );
    expect(impact.tools.map(({ toolId }) => toolId)).toEqual([id]);
    expect(await catalogOf(agent)).toEqual({ given: [], withheld: [reason] });
    expect(await config()).toEqual([]);
    expect(await found()).toBe(false);
    await ask('POST', `${at()}/activate`, {});
    expect((await catalogOf(agent)).given).toMatchObject([{ name }]);
    expect(await config()).toHaveLength(1);
  });

  it('an older version is off by itself, and the newest is served on', async () => {
    const name = fresh('issue_things');
    const id = await published(spec(api, name, read, { safe: true }));
    const [agent, config] = [await agentWith([id]), await gatewayWith(id)];
    await published(
      spec(api, name, 'query ($id: ID!) { project(id: $id) }', { safe: true, version: '1.0.0' }),
    );
    expect((await config())[0]?.versions).toHaveLength(1);
    await ask('POST', `/endpoints/${endpoints.get('query/issue@call') ?? ''}/deactivate`, {});
    expect(await catalogOf(agent)).toEqual({ given: [], withheld: ['endpoint_inactive'] });
    expect(await config()).toHaveLength(1);
    expect((await config())[0]?.versions).toBeUndefined();
  });
});
