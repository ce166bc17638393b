import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { until } from '../until.js';
import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { eachServer, hostId, type Server } from './server.js';

type Content = readonly { readonly type: string; readonly text?: string }[];
const textOf = (result: object): string => (result as { content: Content }).content[0]?.text ?? '';

eachServer((server) => {
  let agent: AccountAgent;
  let token: string;
  const open: { close(): Promise<void> }[] = [];

  async function newClient(bearer = token): Promise<Client> {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server().address}/mcp`), { requestInit }),
    );
    open.push(client);
    return client;
  }

  async function oldClient(bearer = token): Promise<OldClient> {
    const client = new OldClient({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
    const transport = new OldTransport(new URL(`${server().address}/mcp`), { requestInit });
    await client.connect(transport);
    open.push(client);
    return client;
  }

  const switchTo = (commandTools: boolean) => server().api('PUT', '/settings', { body: { commandTools } });

  beforeAll(async () => {
    const operator = await server().token();
    const send = async (method: string, path: string, bearer: string, more: { body?: unknown } = {}) =>
      server().api(method, path, { token: bearer, body: more.body });
    agent = await makeAccountAgent({ send: send }, operator);
    token = await server().token({ scope: 'catalog:agent', sid: 'accounts', agent_def_id: agent.agentDefId });
  });

  afterEach(async () => {
    for (const client of open.splice(0)) await client.close();
  });

  it('promises to announce changes only to clients that it can tell', async () => {
    for (const [client, listens] of [
      [await newClient(), true],
      [await oldClient(), false],
    ] as const) {
      const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
      const promised = [tools, prompts, resources].map((each) => each?.listChanged ?? false);
      expect(promised).toEqual([listens, listens, listens]);
    }
  });

  const clients = [
    ['of 2026-07-28', () => newClient()],
    ['of 2025-11-25', () => oldClient()],
  ] as const;

  it.each(clients)('serves clients %s the direct tools', async (_, connect) => {
    const client = await connect();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('find_nodes');
    expect(names).not.toContain('invoke_command');
    expect(client.getInstructions()).toMatch(/^1\. List the tools/m);
    expect(names).not.toContain('draft_skill');
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const result = await client.callTool({ name: 'find_nodes', arguments: { entity: 'Skill' } });
    expect(result.structuredContent).toMatchObject({ nodes: [{ type: 'Skill', id: agent.skillId }] });
    expect(textOf(result)).toContain('toon_spec');
    const raw = await client.callTool({ name: 'get_graph_schema', arguments: { format: 'raw' } });
    expect(JSON.parse(textOf(raw))).toEqual(raw.structuredContent);
    const wrong = await client.callTool({ name: 'find_nodes', arguments: { entity: 'Skil' } });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('invalid_parameters');
    await expect(client.callTool({ name: 'invoke_command', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it.each(clients)(
    'lists clients %s exactly two tools where the host says so, never both surfaces',
    async (_, connect) => {
      await switchTo(true);
      const client = await connect();
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['list_commands', 'invoke_command']);
      expect(client.getInstructions()).toMatch(/^1\. Call list_commands once/m);
      const [list] = tools;
      expect(list?.description?.length).toBeLessThan(2000);
      expect(list?.description).toContain('get_effective_catalog');
      const listed = await client.callTool({
        name: 'list_commands',
        arguments: { command_names: ['find_nodes'] },
      });
      expect(listed.structuredContent).toMatchObject({
        commands: [{ name: 'find_nodes', execution: 'direct' }],
      });
      const found = await client.callTool({
        name: 'invoke_command',
        arguments: {
          command_name: 'query_graph',
          parameters: { query: { query_type: 'traversal', nodes: [{ id: 's', entity: 'Skill' }] } },
        },
      });
      expect(found.structuredContent).toMatchObject({ nodes: [{ type: 'Skill', id: agent.skillId }] });
      const flat = await client.callTool({
        name: 'invoke_command',
        arguments: { command_name: 'find_nodes', entity: 'Skill' },
      });
      expect(flat.isError).toBe(true);
      expect(textOf(flat)).toContain('{"command_name":"find_nodes","parameters":{"entity":"Skill"}}');
      const many = await client.callTool({
        name: 'list_commands',
        arguments: { command_names: Array.from({ length: 51 }, () => 'find_nodes') },
      });
      expect([many.isError, textOf(many)]).toEqual([true, expect.stringContaining('at most 50 names')]);
      const loose = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`m${String(at)}`, at]));
      const scattered = await client.callTool({ name: 'invoke_command', arguments: loose });
      expect(textOf(scattered)).toContain('m9 and 1990 more');
      expect(textOf(scattered).length).toBeLessThan(1_000);
      await expect(client.callTool({ name: 'find_nodes', arguments: {} })).rejects.toMatchObject({
        code: -32602,
      });
      const sing = { name: 'invoke_command', arguments: { command_name: 'sing' } };
      await expect(client.callTool(sing)).rejects.toMatchObject({ code: -32602 });
      const own = await server().token({
        ...{ scope: 'catalog:agent', sid: 'accounts', agent_def_id: agent.agentDefId, commandTools: false },
      });
      expect((await (await newClient(own)).listTools()).tools.map(({ name }) => name)).not.toContain(
        'list_commands',
      );
      await switchTo(false);
    },
  );

  it('tells authors of what writes, truly', async () => {
    const operator = await server().token({ commandTools: false });
    const { tools } = await (await newClient(operator)).listTools();
    const draft = tools.find(({ name }) => name === 'draft_skill');
    expect(draft?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    await switchTo(true);
    const surface = await (await newClient(await server().token())).listTools();
    expect(surface.tools[0]?.description?.length).toBeLessThan(2000);
    expect(surface.tools[1]?.annotations).toMatchObject({ readOnlyHint: false });
    await switchTo(false);
  });

  it('serves the agent’s skills by the extension, as prompts and as resources', async () => {
    const client = await newClient();
    const skills = new SkillsClient(client);
    expect(skills.supported).toBe(true);
    const listing = await skills.list();
    expect(listing.skills.map(({ frontmatter }) => frontmatter.name)).toEqual(['accounts']);
    const [skill] = listing.skills;
    expect(skill?.uri).toBe(`skill://${agent.skillId}/accounts/SKILL.md`);
    const old = await oldClient();
    const { prompts } = await old.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['accounts']);
    const prompt = await old.getPrompt({ name: 'accounts' });
    expect(JSON.stringify(prompt.messages)).toContain('# Accounts');
    const { resources } = await old.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([skill?.uri]);
    const read = await old.readResource({ uri: skill?.uri ?? '' });
    expect(JSON.stringify(read.contents)).toContain('# Accounts');
    const other = await newClient(await server().token());
    expect((await other.listPrompts()).prompts).toEqual([]);
  });

  it('says how long a list holds, and that it is the caller’s own', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    };
    const answer = await post(server(), token, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { _meta: meta },
    });
    const { result } = (await answer.json()) as {
      result: { ttlMs: number; cacheScope: string; resultType: string };
    };
    expect(result).toMatchObject({
      cacheScope: 'private',
      ttlMs: expect.any(Number),
      resultType: 'complete',
    });
  });

  it('announces what has changed for this agent', async () => {
    const heard: string[] = [];
    const client = new Client(
      { name: 'test', version: '1' },
      {
        versionNegotiation: { mode: { pin: '2026-07-28' } },
        listChanged: {
          tools: { autoRefresh: false, onChanged: () => heard.push('tools') },
          prompts: { autoRefresh: false, onChanged: () => heard.push('prompts') },
        },
      },
    );
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server().address}/mcp`), { requestInit }),
    );
    open.push(client);
    await switchTo(true);
    await until(
      () => heard,
      (kinds) => kinds.includes('tools'),
    );
    await server().api('PATCH', `/skills/${agent.skillId}`, {
      body: { description: `Now ${randomUUID()}.` },
    });
    await until(
      () => heard,
      (kinds) => kinds.includes('prompts'),
    );
    await switchTo(false);
  });

  it('asks for a token and says where they come from', async () => {
    const bare = await fetch(`${server().address}/mcp`, { method: 'POST', body: '{}' });
    expect(bare.status).toBe(401);
    const challenge = bare.headers.get('www-authenticate') ?? '';
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    const described = (await (await fetch(metadata)).json()) as Record<string, unknown>;
    expect(described).toMatchObject({
      resource: `${server().address}/mcp`,
      scopes_supported: expect.arrayContaining(['catalog:agent']),
    });
    expect(described['authorization_servers']).toHaveLength(1);
    const none = await server().token({ scope: 'other' });
    expect((await post(server(), none, {})).status).toBe(403);
    const foreign = await post(server(), token, {}, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    const elsewhere = await server().api('GET', `/settings`, { token });
    expect(elsewhere.status).toBe(403);
    expect(hostId).toBeDefined();
  });
});

function post(
  to: Server,
  bearer: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { method } = body as { readonly method?: string };
  return fetch(`${to.address}/mcp`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      ...(method !== undefined && { 'mcp-method': method }),
      ...headers,
    },
    body: JSON.stringify(body),
  });
}
