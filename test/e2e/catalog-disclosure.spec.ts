import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { DisclosureWorld, markOf, openMark, reasons, registered } from './disclosure-world.js';
import { eachOwnServer } from './own-server.js';
import { hostId, type ApiAnswer } from './server.js';

interface Withheld {
  readonly toolName: string;
  readonly reason: string;
}
interface Line {
  readonly msg: string;
  readonly auditInfo?: readonly object[];
}

const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
const query = new URLSearchParams(registered).toString();
/** Names a context that lacks what one tool requires. */
const inContext = `${query}&context=accountNo`;
/** Withheld whatever the context. */
const always = reasons.filter((reason) => reason !== 'context_missing');

eachOwnServer(
  (server) => {
    let world: DisclosureWorld;
    let own: string;
    let reader: string;
    let admin: string;
    beforeAll(async () => {
      admin = await server().token({ env: ['dev', 'prod'] });
      world = await new DisclosureWorld(server(), admin).make();
      const claims = { sub: 'agent', sid: 'desk-agent', agent_def_id: world.agentDefId };
      own = await server().token({ ...claims, scope: 'catalog:agent' });
      reader = await server().token({
        ...claims,
        sid: undefined,
        scope: 'catalog:read catalog:all-services',
      });
    });

    const catalog = (more = ''): string => `/agents/${world.agentDefId}/effective-catalog${more}`;
    const send = (method: string, path: string, token: string, body?: unknown): Promise<ApiAnswer> =>
      server().api(method, path, { token, body });
    /** Whatever of these tools an answer tells: a mark, or an id. */
    const tracesIn = (
      { text, headers }: Pick<ApiAnswer, 'text' | 'headers'>,
      of: typeof always,
    ): string[] => {
      const disclosed = `${text}\n${JSON.stringify([...headers])}`;
      return of.filter((reason) => {
        const { toolId, endpointId } = world.tool(reason);
        return [markOf(reason), toolId, endpointId].some((trace) => disclosed.includes(trace));
      });
    };

    it('each tool is withheld for its reason', async () => {
      const { body } = await server().api<{ withheld: Withheld[] }>(
        'GET',
        catalog(`?${inContext}&withheld=true`),
        {
          token: admin,
        },
      );
      const disclosed = new Map(body.withheld.map(({ toolName, reason }) => [toolName, reason]));
      expect(Object.fromEntries(disclosed)).toEqual(
        Object.fromEntries(reasons.map((reason) => [`tool_${markOf(reason)}`, reason])),
      );
      expect(body.withheld).toHaveLength(reasons.length);
    });

    describe('leaves no trace', () => {
      it('in the catalog, its headers, its references, and what it says of a change', async () => {
        const before = await send('GET', catalog(`?${inContext}`), own);
        expect([before.status, tracesIn(before, reasons as never)]).toEqual([200, []]);
        expect(before.text).toContain(openMark);
        expect(before.body).toMatchObject({
          skills: [
            {
              name: 'Desk',
              dependsOn: [],
              workflows: [{ name: 'all' }],
              tools: [{ routingMetadata: { dependencies: [{ endpoint: '/open@get' }] } }],
            },
          ],
        });
        const plain = await send('GET', catalog(`?${query}&examples=true`), own);
        expect([plain.status, tracesIn(plain, always)]).toEqual([200, []]);
        const { catalogHash } = (await send('GET', catalog(`?${query}`), own)).body;
        const path = `/tools/${world.tool('tool_inactive').toolId}`;
        expect((await send('PATCH', path, admin, { description: 'Other words.' })).status).toBe(200);
        const delta = await send('GET', catalog(`?${query}&since=${String(catalogHash)}`), own);
        expect([delta.status, tracesIn(delta, always)]).toEqual([200, []]);
      });

      it('in what is signed', async () => {
        const headers = { accept: 'application/jose' };
        const { text } = await server().api('GET', catalog(`?${query}`), { token: own, headers });
        const keys = await server().api('GET', '//.well-known/jwks.json', { token: '' });
        const { payload } = await compactVerify(
          text,
          createLocalJWKSet(keys.body as unknown as JSONWebKeySet),
        );
        expect(tracesIn({ text: Buffer.from(payload).toString(), headers: new Headers() }, always)).toEqual(
          [],
        );
      });

      it.each([
        ['tools', '/tools?active=all&limit=100'],
        ['endpoints', '/endpoints?active=all&limit=100'],
        ['skills', '/skills?active=all'],
        ['APIs', '/apis'],
      ])('in the list of %s', async (_, path) => {
        const answer = await send('GET', path, reader);
        expect([answer.status, tracesIn(answer, always)]).toEqual([200, []]);
      });

      it('in what stands beneath a skill that is given', async () => {
        const { skillId, wfDefId } = world;
        const below = [
          '',
          '/tools?active=all',
          '/workflows',
          '/dependencies',
          '/impact',
          `/workflows/${wfDefId}/primary`,
        ];
        for (const path of below) {
          const answer = await send('GET', `/skills/${skillId}${path}`, reader);
          expect([path, answer.status, tracesIn(answer, always)]).toEqual([path, 200, []]);
        }
        const preview = await send('POST', `/skills/${skillId}/preview`, reader, {
          prompt: markOf('tool_inactive'),
        });
        expect([preview.status, tracesIn(preview, always)]).toEqual([200, []]);
        expect((await send('GET', `/workflows/${wfDefId}`, reader)).text).not.toContain('zq');
      });

      it('in what a tool and its endpoint refer to, of which stays what the catalog names', async () => {
        const { toolId, endpointId } = world.tool('open');
        interface Given {
          readonly skills: readonly {
            readonly tools: readonly { toolId: string; routingMetadata: { dependencies: object[] } }[];
          }[];
        }
        const given = (await send('GET', catalog(`?${query}`), own)).body as unknown as Given;
        const tools = given.skills.flatMap((skill) => skill.tools);
        const dependencies = tools.find((tool) => tool.toolId === toolId)?.routingMetadata.dependencies;
        expect(dependencies).toContainEqual({ endpoint: '/open@get', relation: 'before' });
        for (const path of [`/tools/${toolId}`, `/endpoints/${endpointId}`]) {
          const answer = await send('GET', path, reader);
          expect([path, answer.status, tracesIn(answer, always)]).toEqual([path, 200, []]);
          const { toolMetadata } = answer.body as { toolMetadata: { routing: object } };
          expect(toolMetadata.routing).not.toHaveProperty('fallbackEndpoint');
          if (path.startsWith('/tools')) expect(toolMetadata.routing).toMatchObject({ dependencies });
        }
      });

      it('on the command surface and in the graph', async () => {
        const run = (name: string, body: object) => send('POST', `/agent/commands/${name}`, own, body);
        const answers = [
          await run('get_effective_catalog', { context: 'accountNo', format: 'raw' }),
          await run('search_tools', { prompt: openMark }),
          await run('query_graph', {
            query: { query_type: 'traversal', nodes: [{ id: 't', entity: 'Tool' }] },
          }),
          await run('query_graph', {
            query: { query_type: 'traversal', nodes: [{ id: 'e', entity: 'Endpoint' }] },
          }),
          await run('query_graph', {
            query: { query_type: 'traversal', nodes: [{ id: 'w', entity: 'Workflow' }] },
          }),
        ];
        for (const answer of answers) {
          expect(answer.status).toBe(200);
          expect(tracesIn(answer, always)).toEqual([]);
        }
      });

      it.each([...always])('in errors: %s is refused as what does not exist is', async (reason) => {
        const { toolId, endpointId, name } = world.tool(reason);
        const roads = (tool: string, endpoint: string) =>
          [
            ['GET', `/tools/${tool}`],
            ['GET', `/tools/${tool}/params`],
            ['GET', `/tools/${tool}/impact`],
            ['GET', `/tools/${tool}/taxonomy`],
            ['GET', `/endpoints/${endpoint}`],
            ['GET', `/endpoints/${endpoint}/impact`],
            ['GET', `/skills/${world.skillId}/tools/${tool}`],
          ] as const;
        const absent = roads(nowhere, nowhere);
        for (const [n, [method, path]] of roads(toolId, endpointId).entries()) {
          const there = await send(method, path, reader);
          const gone = await send(method, absent[n]?.[1] ?? '', reader);
          const neutral = (text: string): string =>
            [toolId, endpointId].reduce((all, id) => all.replaceAll(id, nowhere), text);
          expect([path, there.status, neutral(there.text)]).toEqual([path, 404, gone.text]);
        }
        const named = await send('POST', '/agent/commands/get_tool', own, { name });
        expect([named.status, named.text.replaceAll(name, 'x')]).toEqual([
          404,
          (await send('POST', '/agent/commands/get_tool', own, { name: 'nothing' })).text.replaceAll(
            'nothing',
            'x',
          ),
        ]);
      });
    });

    describe('the log', () => {
      const given = (from: number): Line[] =>
        server()
          .logged.slice(from)
          .map((line) => JSON.parse(line) as Line)
          .filter(({ msg }) => msg === 'catalog given');

      it('has one line for each catalog that is read: who was given which, how much, and what not', async () => {
        const start = server().logged.length;
        const { body, headers } = await send('GET', catalog(`?${inContext}`), own);
        const [line, ...others] = given(start);
        expect(others).toEqual([]);
        const { auditInfo = [], ...counts } = line ?? { msg: '' };
        expect(counts).toEqual({
          ...{
            level: 30,
            time: expect.any(String),
            msg: 'catalog given',
            requestId: expect.any(String),
            hostId,
          },
          ...{ user: 'agent', agentDefId: world.agentDefId, sent: true },
          ...{ catalogVersion: body['catalogVersion'], catalogHash: body['catalogHash'] },
          ...{ skills: 1, tools: 1, withheld: reasons.length },
        });
        expect(auditInfo).toHaveLength(reasons.length);
        expect(auditInfo).toContainEqual({
          toolName: `tool_${markOf('destructive_tool_requires_approval_workflow')}`,
          toolPolicyDecision: 'blocked',
          toolPolicyReason: 'destructive_tool_requires_approval_workflow',
          toolSensitivityTier: 'internal',
          toolMaxSensitivityTier: 'internal',
          toolDestructive: true,
          toolRequiresApproval: true,
          toolApprovalConfigured: false,
        });
        expect(JSON.stringify(line)).not.toMatch(/About|Do\.|inputSchema/);
        expect(headers.get('etag')).toBeDefined();
      });

      it('has a line without decisions where the reader has the catalog already, and one for a command', async () => {
        const { headers } = await send('GET', catalog(`?${query}`), own);
        const start = server().logged.length;
        const known = { 'if-none-match': headers.get('etag') ?? '' };
        await server().api('GET', catalog(`?${query}`), { token: own, headers: known });
        await send('POST', '/agent/commands/get_effective_catalog', own, {});
        const [unsent, command, ...others] = given(start);
        expect(unsent).toMatchObject({ sent: false, withheld: always.length });
        expect(unsent).not.toHaveProperty('auditInfo');
        expect(command).toMatchObject({ sent: true, agentDefId: world.agentDefId, user: 'agent' });
        expect(others).toEqual([]);
      });

      it('so is what is given in parts: by commands, over MCP, and in a preview for an agent', async () => {
        const client = new Client({ name: 'test', version: '1' });
        const requestInit = { headers: { authorization: `Bearer ${own}` } };
        await client.connect(
          new StreamableHTTPClientTransport(new URL(`${server().address}/mcp`), { requestInit }),
        );
        const { agentDefId, skillId } = world;
        const roads: Readonly<Record<string, () => Promise<unknown>>> = {
          list: () => client.listPrompts(),
          prompt: () => client.getPrompt({ name: 'desk' }),
          skill: () => send('POST', '/agent/commands/get_skill', own, { skillId }),
          tool: () => send('POST', '/agent/commands/get_tool', own, { name: world.tool('open').name }),
          preview: () => send('POST', `/skills/${skillId}/preview`, admin, { agentDefId }),
        };
        const lines: Record<string, Line[]> = {};
        for (const [road, read] of Object.entries(roads)) {
          const start = server().logged.length;
          await read();
          lines[road] = given(start);
        }
        await client.close();
        const one = [expect.objectContaining({ agentDefId, sent: true, withheld: always.length })];
        expect(lines).toEqual(Object.fromEntries(Object.keys(roads).map((road) => [road, one])));
      });
    });

    it('approval by a workflow counts while that is published and active', async () => {
      const reason = 'destructive_tool_requires_approval_workflow';
      const { toolId, name } = world.tool(reason);
      const make = { namespace: 'desk', name: 'approve', version: '1.0.0', definition: 'do: []\n' };
      const workflow = (await send('POST', '/workflows', admin, make)).body['id'] as string;
      const approveBy = (approvalWorkflow: string): Promise<ApiAnswer> =>
        send('PUT', `/skills/${world.skillId}/tools/${toolId}`, admin, {
          ...{ accessLevel: 'execute', config: { approvalWorkflow } },
        });
      const disclosed = async () => {
        const plain = await send('GET', catalog(`?${query}`), own);
        const path = catalog(`?${query}&withheld=true`);
        const full = await server().api<{ withheld: Withheld[]; diagnostics: object[] }>('GET', path, {
          token: admin,
        });
        const withheld = full.body.withheld.find(({ toolName }) => toolName === name);
        return [plain.text.includes(name), withheld?.reason, full.body.diagnostics];
      };
      const willBlock = [{ toolId, toolName: name, code: 'gateway_will_block' }];
      expect((await approveBy('desk/approve')).status).toBe(200);
      expect(await disclosed()).toEqual([false, reason, []]);
      await send('POST', `/workflows/${workflow}/publish`, admin);
      expect(await disclosed()).toEqual([true, undefined, willBlock]);
      await send('POST', `/workflows/${workflow}/deactivate`, admin);
      expect(await disclosed()).toEqual([false, reason, []]);
      await approveBy(workflow);
      await send('POST', `/workflows/${workflow}/activate`, admin);
      expect(await disclosed()).toEqual([true, undefined, willBlock]);
      await send('PATCH', `/tools/${toolId}`, admin, { safety: { approvalWorkflow: 'desk/approve' } });
      expect(await disclosed()).toEqual([true, undefined, []]);
      await send('POST', `/workflows/${workflow}/deprecate`, admin);
      expect(await disclosed()).toEqual([false, reason, []]);
    });

    // Last: nothing is withheld for these reasons any longer.
    it.each([...reasons])(
      'a search neither returns, counts nor scores what is withheld: %s',
      async (reason) => {
        await server().settled();
        const marks = [...reasons.map(markOf), openMark].join(' ');
        const question = { prompt: `About the desk tool: ${marks}`, context: 'accountNo', explain: true };
        const answer = () => send('POST', '/search', own, { ...question, limit: 100 });
        const before = await answer();
        expect([before.status, tracesIn(before, [reason] as never)]).toEqual([200, []]);
        expect(before.text).toContain(openMark);
        await world.ask('DELETE', world.link(reason));
        expect((await answer()).text).toBe(before.text);
      },
    );
  },
  { LOG_LEVEL: 'info' },
);
