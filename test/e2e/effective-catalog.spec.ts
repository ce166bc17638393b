import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { catalogAnswer } from '../../src/effective-catalog/effective-catalog.schemas.js';
import { everyServer, hostId, type ApiAnswer, type Server } from './server.js';

interface CatalogBody {
  readonly agentDefId: string;
  readonly catalogVersion: number;
  readonly catalogHash: string;
  readonly skills: readonly {
    readonly skillId: string;
    readonly description: string;
    readonly tools: readonly {
      readonly toolId: string;
      readonly name: string;
      readonly examplePrompts?: string[];
    }[];
  }[];
  readonly withheld?: readonly { readonly toolName?: string; readonly reason: string }[];
  readonly code?: string;
}

const operation = (operationId: string, routing: object = {}): object => ({
  operationId,
  description: `About ${operationId}.`,
  parameters: [{ name: 'accountNo', in: 'path', required: true, schema: { type: 'string' } }],
  responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } },
  ...routing,
});

const document = {
  openapi: '3.1.0',
  info: { title: 'Accounts', version: '1' },
  paths: {
    '/accounts/{accountNo}': {
      get: operation('getAccount'),
      patch: operation('renameAccount'),
      delete: operation('closeAccount'),
    },
  },
};

const conforms = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).compile(catalogAnswer);

const registered = { serviceId: 'account-agent', envTag: 'dev' };

/** An agent with one skill of three tools, of which one is destructive and so withheld. */
class Agent {
  skillId = '';
  agentDefId = '';
  readonly tools: Record<string, string> = {};

  constructor(private readonly server: Server) {}

  async make(): Promise<this> {
    const api = { apiId: 'accounts', apiName: 'Accounts' };
    const version = { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' };
    await this.ask('POST', '/imports', { api, version, document, publish: true });
    const { items } = await this.ask<{ items: { name: string; toolId: string }[] }>('GET', '/tools');
    for (const { name, toolId } of items) this.tools[name] = toolId;
    const skill = await this.ask<{ id: string }>('POST', '/skills', {
      name: 'Accounts',
      description: 'First.',
      contentMarkdown: '# Accounts',
    });
    this.skillId = skill.id;
    for (const { toolId } of items)
      await this.ask('PUT', `/skills/${skill.id}/tools/${toolId}`, { accessLevel: 'execute' });
    await this.ask('POST', '/apis', { apiId: 'agent', apiName: 'Account Agent' });
    const agent = await this.ask<{ id: string }>('POST', '/apis/agent/versions', {
      apiVersion: '1',
      apiType: 'agent',
      ...registered,
    });
    this.agentDefId = agent.id;
    await this.ask('PUT', `/agents/${this.agentDefId}`, {
      personas: ['teller'],
      maxSensitivityTier: 'confidential',
    });
    await this.ask('POST', `/agents/${this.agentDefId}/skills`, { skills: [{ skillId: skill.id }] });
    return this;
  }

  async ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.server.api<T>(method, path, { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${String(answer.status)} ${answer.text}`);
    return answer.body;
  }
}

everyServer((server) => {
  let agent: Agent;
  let own: string;
  beforeAll(async () => {
    agent = await new Agent(server()).make();
    own = await server().token({
      sub: 'agent',
      sid: 'account-agent',
      scope: 'catalog:agent',
      agent_def_id: agent.agentDefId,
    });
  });

  const read = (
    query: object = registered,
    call: { token?: string; headers?: Record<string, string>; agent?: string } = {},
  ): Promise<ApiAnswer<CatalogBody>> => {
    const search = new URLSearchParams(query as Record<string, string>).toString();
    return server().api<CatalogBody>(
      'GET',
      `/agents/${call.agent ?? agent.agentDefId}/effective-catalog?${search}`,
      { token: own, ...call },
    );
  };
  const toolsOf = ({ body }: ApiAnswer<CatalogBody>): string[] =>
    body.skills.flatMap(({ tools }) => tools.map(({ name }) => name));

  it('gives an agent its catalog', async () => {
    const answer = await read();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(answer.headers.get('vary')).toBe('Authorization, Accept');
    expect(answer.headers.get('etag')).toBe(`"${answer.body.catalogHash}"`);
    expect(answer.body).toMatchObject({
      hostId,
      agentDefId: agent.agentDefId,
      ...registered,
      agent: { name: 'Account Agent', personas: ['teller'] },
    });
    expect(toolsOf(answer)).toEqual(['getAccount', 'renameAccount']);
    conforms(answer.body);
    expect(conforms.errors).toBeNull();
  });

  it('answers 304 while nothing has changed, and the new catalog after a change', async () => {
    const before = await read();
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' };
    const same = await read(registered, { headers });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', headers['if-none-match']]);
    await agent.ask('PATCH', `/skills/${agent.skillId}`, { description: 'Second.' });
    const after = await read(registered, { headers });
    expect(after.status).toBe(200);
    expect(after.body.skills[0]?.description).toBe('Second.');
    expect(after.body.catalogVersion).toBeGreaterThan(before.body.catalogVersion);
  });

  it('keeps version and bytes where something else of the host changes', async () => {
    const before = await read();
    await agent.ask('POST', '/skills', { name: 'Of nobody', contentMarkdown: 'x' });
    expect((await read()).text).toBe(before.text);
  });

  it('leaves no trace of a withheld tool, and names it to an administrator with the reason', async () => {
    const plain = await read();
    for (const trace of ['closeAccount', agent.tools['closeAccount'] ?? ''])
      expect(plain.text).not.toContain(trace);
    const admin = await server().token();
    const full = await read({ ...registered, withheld: 'true' }, { token: admin });
    expect(full.body.withheld).toEqual([
      expect.objectContaining({
        toolName: 'closeAccount',
        reason: 'destructive_tool_requires_approval_workflow',
      }),
    ]);
    expect(full.body.catalogHash).toBe(plain.body.catalogHash);
    expect(full.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    const named = await agent.ask(
      'PUT',
      `/skills/${agent.skillId}/tools/${agent.tools['closeAccount'] ?? ''}`,
      {
        accessLevel: 'execute',
        config: { approvalWorkflow: 'ops/close-account' },
      },
    );
    expect(named).toBeDefined();
    expect((await read()).text).not.toContain('closeAccount');
  });

  it('gives two tokens of different tiers each its own', async () => {
    const narrow = await server().token({
      sid: 'account-agent',
      scope: 'catalog:agent',
      maxSensitivityTier: 'public',
    });
    for (let turn = 0; turn < 2; turn++) {
      expect(toolsOf(await read(registered, { token: narrow }))).toEqual([]);
      expect(toolsOf(await read())).toEqual(['getAccount', 'renameAccount']);
    }
  });

  it('tells an administrator of a lower tier only what is withheld up to that', async () => {
    const full = { ...registered, withheld: 'true' };
    const [all, none] = await Promise.all(
      [{}, { maxSensitivityTier: 'public' }].map(async (claims) =>
        read(full, { token: await server().token(claims) }),
      ),
    );
    const withheldNames = (answer = all) => answer?.body.withheld?.flatMap(({ toolName }) => toolName ?? []);
    expect([none?.status, withheldNames(none), withheldNames(all)]).toEqual([200, [], ['closeAccount']]);
  });

  it('adds example prompts where asked to', async () => {
    await agent.ask('PATCH', `/tools/${agent.tools['getAccount'] ?? ''}`, {
      examplePrompts: ['what is the balance?'],
    });
    const plain = await read();
    const full = await read({ ...registered, examples: 'true' });
    expect(plain.text).not.toContain('examplePrompts');
    expect(full.body.skills[0]?.tools[0]?.examplePrompts).toEqual(['what is the balance?']);
  });

  it('gives description and examples of the link in place of the tool’s', async () => {
    const link = `/skills/${agent.skillId}/tools/${agent.tools['getAccount'] ?? ''}`;
    const own = (await read({ ...registered, examples: 'true' })).body.skills[0]?.tools[0];
    await agent.ask('PUT', link, {
      config: { description: 'Only current ones.', examples: ['who is 4711?'] },
    });
    const { body } = await read({ ...registered, examples: 'true' });
    expect(body.skills[0]?.tools[0]).toMatchObject({
      description: 'Only current ones.',
      examplePrompts: ['who is 4711?'],
    });
    await agent.ask('PUT', link, { accessLevel: 'execute' });
    expect((await read({ ...registered, examples: 'true' })).body.skills[0]?.tools[0]).toEqual(own);
  });

  it('keeps the assignment of a skill that lost its last tool, and says why the skill is not given', async () => {
    const links = Object.values(agent.tools).map((toolId) => `/skills/${agent.skillId}/tools/${toolId}`);
    const before = (await read()).text;
    for (const link of links) await agent.ask('DELETE', link);
    const admin = await server().token();
    const { body } = await read({ ...registered, withheld: 'true' }, { token: admin });
    expect([body.skills, body.withheld]).toEqual([
      [],
      [{ skillId: agent.skillId, reason: 'skill_without_active_tool', detail: expect.any(String) }],
    ]);
    const assignment = `/agents/${agent.agentDefId}/skills/${agent.skillId}`;
    expect(await agent.ask('GET', assignment)).toMatchObject({ active: true, skillHasActiveTool: false });
    for (const link of links) await agent.ask('PUT', link, { accessLevel: 'execute' });
    expect((await read()).text.replace(/"catalogVersion":\d+/, '')).toEqual(
      before.replace(/"catalogVersion":\d+/, ''),
    );
  });

  it('withholds what needs more context than is at hand, once context is spoken of', async () => {
    await agent.ask('PATCH', `/tools/${agent.tools['getAccount'] ?? ''}`, {
      routing: { contextRequirements: { requiredContext: ['host_id'] } },
    });
    expect(toolsOf(await read())).toEqual(['getAccount', 'renameAccount']);
    expect(toolsOf(await read({ ...registered, context: '' }))).toEqual(['renameAccount']);
    expect(toolsOf(await read({ ...registered, context: 'accountNo, host_id' }))).toEqual([
      'getAccount',
      'renameAccount',
    ]);
    await agent.ask('PATCH', `/tools/${agent.tools['getAccount'] ?? ''}`, { routing: null });
  });

  describe('refuses', () => {
    const unknown = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5eff';
    const codeOf = async (answer: Promise<ApiAnswer<CatalogBody>>): Promise<unknown[]> => {
      const { status, body } = await answer;
      return [status, body.code];
    };
    const tokenFor = (claims: object): Promise<string> =>
      server().token({ sid: 'account-agent', scope: 'catalog:agent', ...claims });

    it('401 without a token, whatever else is wrong', async () => {
      expect(await codeOf(read({}, { token: '', agent: unknown }))).toEqual([401, 'token_missing']);
    });

    it.each([
      ['another host', { host: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e99' }, 'host_not_covered'],
      ['another service', { sid: 'other' }, 'service_not_covered'],
      ['another environment', { env: 'prod' }, 'environment_not_covered'],
      ['no fitting scope', { scope: 'openid' }, 'insufficient_scope'],
      ['another agent', { agent_def_id: unknown }, 'agent_not_covered'],
    ])('403 for a token of %s, before it tells whether the agent exists', async (_, claims, code) => {
      const token = await tokenFor(claims);
      expect(await codeOf(read(registered, { token }))).toEqual([403, code]);
      if (code !== 'agent_not_covered')
        expect(await codeOf(read(registered, { token, agent: unknown }))).toEqual([403, code]);
    });

    it('403 for the host before 400 for the query', async () => {
      const token = await tokenFor({ host: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e99' });
      expect(await codeOf(read({}, { token }))).toEqual([403, 'host_not_covered']);
    });

    it.each([
      ['no service', { envTag: 'dev' }],
      ['no environment', { serviceId: 'account-agent' }],
      ['what is not known', { ...registered, nobody: '1' }],
      ['a flag that is none', { ...registered, examples: 'perhaps' }],
    ])('400 for a query with %s', async (_, query) => {
      expect(await codeOf(read(query))).toEqual([400, 'invalid_query']);
    });

    it('400 for a service that is named twice', async () => {
      const path = `/agents/${agent.agentDefId}/effective-catalog?serviceId=account-agent&serviceId=other&envTag=dev`;
      expect((await server().api('GET', path, { token: own })).status).toBe(400);
    });

    it('404 for an agent that is not, or is registered for another service or environment', async () => {
      const token = await tokenFor({});
      expect(await codeOf(read(registered, { token, agent: unknown }))).toEqual([404, 'not_found']);
      const all = await server().token();
      expect(await codeOf(read({ serviceId: 'accounts', envTag: 'dev' }, { token: all }))).toEqual([
        404,
        'not_found',
      ]);
    });

    it('403 for withheld tools without catalog:admin, or with agent_def_id', async () => {
      expect(await codeOf(read({ ...registered, withheld: 'true' }))).toEqual([403, 'insufficient_scope']);
      const token = await tokenFor({ scope: 'catalog:agent catalog:admin', agent_def_id: agent.agentDefId });
      expect(await codeOf(read({ ...registered, withheld: 'true' }, { token }))).toEqual([
        403,
        'confined_token',
      ]);
    });
  });

  it('confines a token with agent_def_id to what its catalog holds', async () => {
    const token = await server().token({
      scope: 'catalog:read catalog:all-services',
      agent_def_id: agent.agentDefId,
      sid: undefined,
    });
    const { body } = await server().api<{ items: { name: string }[] }>('GET', '/tools', { token });
    expect(body.items.map(({ name }) => name)).toEqual(['getAccount', 'renameAccount']);
    const closed = await server().api('GET', `/tools/${agent.tools['closeAccount'] ?? ''}`, { token });
    expect(closed.status).toBe(404);
  });

  it('lets a token with agent_def_id of no agent read nothing', async () => {
    const scope = 'catalog:read catalog:all-services';
    const agent_def_id = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5eff';
    const token = await server().token({ scope, agent_def_id, sid: undefined });
    const { status, body } = await server().api<{ items: object[] }>('GET', '/tools', { token });
    expect([status, body.items]).toEqual([200, []]);
  });
});
