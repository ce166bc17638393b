import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { eachOwnServer, type OwnServer } from './own-server.js';
import { hostId } from './server.js';

interface Problem {
  readonly code: string;
}

const invoke = (server: OwnServer, name: string, body: object, token?: string) =>
  server.api<Problem>('POST', `/agent/commands/${name}`, { body, ...(token !== undefined && { token }) });

/** What a model is told of the call, over MCP. */
async function shownToModel(
  server: OwnServer,
  token: string,
  name: string,
  parameters: Record<string, unknown>,
) {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.address}/mcp`), { requestInit }));
  try {
    const { isError, content } = await client.callTool({ name, arguments: parameters });
    return { isError, text: JSON.stringify(content) };
  } finally {
    await client.close();
  }
}

const findTools = { name: 'find_nodes', arguments: { entity: 'Tool' } };

/** One request of JSON-RPC, as a client of 2026-07-28 sends it. */
async function overMcp(server: OwnServer, token: string, method: string, params: { readonly name?: string }) {
  const of = (name: string) => `io.modelcontextprotocol/${name}`;
  const _meta = {
    [of('protocolVersion')]: '2026-07-28',
    [of('clientCapabilities')]: {},
    [of('clientInfo')]: { name: 'test', version: '1' },
  };
  const answer = await fetch(`${server.address}/mcp`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' },
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe('of one user', () => {
  eachOwnServer(
    (server) => {
      it('has an end to queries a minute, with all tokens together, and leaves others theirs', async () => {
        const tokenOf = (sub: string, sid: string) =>
          server().token({ scope: 'catalog:read', sub, sid, commandTools: false });
        const [mine, another, third] = [
          await tokenOf('first', 'accounts'),
          await tokenOf('first', 'payments'),
          await tokenOf('first', 'meters'),
        ];
        for (let taken = 0; taken < 6; taken += 1) {
          expect((await invoke(server(), 'find_nodes', { entity: 'Tool' }, mine)).status).toBe(200);
        }
        const refused = await invoke(server(), 'find_nodes', { entity: 'Tool' }, another);
        expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        const model = await shownToModel(server(), third, 'find_nodes', { entity: 'Tool' });
        expect([model.isError, model.text]).toEqual([true, expect.stringContaining('too_many_requests')]);
        // Its other requests are not queries.
        expect((await invoke(server(), 'get_query_dsl', {}, another)).status).toBe(200);
        // A stream is one query, however many pages it is read in.
        const streaming = await tokenOf('third', 'accounts');
        const made = Array.from({ length: 7 * 100 + 1 }, (_, index) => ({ index }));
        await server()
          .app.get<Database>(DATABASE)
          .asOwner.query(
            `INSERT INTO tag_t (host_id, tag_id, tag_name, entity_type, active, position, aggregate_version, update_ts, update_user)
           SELECT $1, gen_random_uuid(), 'tag ' || n, 'tool', true, 0, 1, now(), 'test' FROM generate_series(1, $2::integer) n`,
            [hostId, made.length],
          );
        const query = { query_type: 'traversal', nodes: [{ id: 't', entity: 'Tag' }], limit: 1000 };
        const stream = await invoke(server(), 'query_graph', { query }, streaming);
        expect(stream.text.trim().split('\n').at(-1)).toContain(
          `"page_rows":${String(made.length)},"total_rows":${String(made.length)}`,
        );
        const metrics = await server().api('GET', '//metrics', { token: '' });
        expect(metrics.text).toMatch(/command="query_graph",path="intercepted",outcome="done"/);
        const other = await tokenOf('second', 'accounts');
        expect((await invoke(server(), 'find_nodes', { entity: 'Tool' }, other)).status).toBe(200);
        expect(
          (await shownToModel(server(), other, 'find_nodes', { entity: 'Tool' })).isError,
        ).toBeUndefined();
      });
    },
    { RATE_LIMIT: '6' },
  );
});

describe('of one query', () => {
  eachOwnServer(
    (server, kind) => {
      it('keeps the values that commands are given out of the log, whatever becomes of them', async () => {
        const secret = 'Hush-4711';
        const token = await server().token({ commandTools: false });
        const filters = { name: { contains: secret } };
        const query = {
          query_type: 'traversal',
          nodes: [{ id: 't', entity: 'Tool', filters }],
          options: { include_debug_sql: true },
        };
        const debugged = await invoke(server(), 'query_graph', { query });
        expect([debugged.status, debugged.text]).toEqual([200, expect.stringContaining('[redacted]')]);
        const model = await shownToModel(server(), token, 'query_graph', { query });
        expect([model.isError, model.text]).toEqual([undefined, expect.stringContaining('[redacted]')]);
        for (const text of [debugged.text, model.text]) expect(text).not.toContain(secret);
        for (const [name, body, status] of [
          ['find_nodes', { entity: 'Tool', filters }, 200],
          ['find_nodes', { entity: 'Tool', filters: { destructive: secret } }, 400],
          ['explore_neighbors', { entity: 'Tool', node_id: secret }, 400],
          ['search_tools', { prompt: secret }, 200],
          ['get_tool', { name: secret }, 404],
          ['sing', { secret }, 404],
        ] as const) {
          expect([name, (await invoke(server(), name, body)).status]).toEqual([name, status]);
        }
        const log = server().logged.join('');
        expect(log).toContain('"graphQuery"');
        expect(log).toContain('[redacted]');
        expect(log).not.toContain(secret);
      });

      it('takes one message a request at /mcp, so that each is counted', async () => {
        const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
        const answer = await fetch(`${server().address}/mcp`, {
          method: 'POST',
          headers: {
            ...{ authorization: `Bearer ${await server().token()}`, 'content-type': 'application/json' },
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify([list, { ...list, id: 2 }]),
        });
        expect([answer.status, await answer.json()]).toEqual([
          400,
          expect.objectContaining({ code: 'batch_refused' }),
        ]);
      });

      it('tells clients of /mcp nothing of what failed inside, and logs it', async () => {
        const agentDefId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5eaa';
        const token = await server().token({ agent_def_id: agentDefId });
        const own = await server().token({ agent_def_id: agentDefId, commandTools: false });
        const database = server().app.get<Database>(DATABASE);
        const failing = [
          ['host_settings_t', 'tools/list', token, {}],
          ['graph_tool', 'tools/call', await server().token({ commandTools: false }), findTools],
          ['agent_read', 'prompts/list', own, {}],
          ['agent_read', 'skills/list', own, {}],
        ] as const;
        for (const [name, method, bearer, params] of failing) {
          await database.asOwner.query(`ALTER TABLE ${name} RENAME TO away`);
          try {
            const { status, text } = await overMcp(server(), bearer, method, params);
            expect([method, status, text]).toEqual([method, 200, expect.stringContaining('internal_error')]);
            expect(text).toContain('-32603');
            expect(text).not.toMatch(/relation|does not exist|at .*\.ts/);
          } finally {
            await database.asOwner.query(`ALTER TABLE away RENAME TO ${name}`);
          }
          const line = server().logged.findLast((each) => each.includes('request failed'));
          expect(line).toContain(name);
        }
      });

      it('gives no instructions at /mcp where it can’t be read which surface is listed', async () => {
        const database = server().app.get<Database>(DATABASE);
        const params = {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'a', version: '1' },
        };
        const initialize = async () => {
          const answer = await fetch(`${server().address}/mcp`, {
            method: 'POST',
            headers: {
              ...{ authorization: `Bearer ${await server().token()}`, 'content-type': 'application/json' },
              accept: 'application/json, text/event-stream',
            },
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
          });
          return answer.text();
        };
        expect(await initialize()).toContain('List the tools once per session');
        await database.asOwner.query('ALTER TABLE host_settings_t RENAME TO away');
        try {
          const without = await initialize();
          expect(without).toContain('protocolVersion');
          expect(without).not.toContain('instructions');
          expect(server().logged.findLast((each) => each.includes('request failed'))).toContain(
            'host_settings_t',
          );
        } finally {
          await database.asOwner.query('ALTER TABLE away RENAME TO host_settings_t');
        }
      });

      // The embedded database knows no time-out: there the shape of a query alone limits it.
      if (kind === 'embedded') return;
      it('has an end to its time, and says how to narrow it', async () => {
        const token = await server().token({ commandTools: false });
        const database = server().app.get<Database>(DATABASE);
        await database.asOwner.transaction(async (sql) => {
          await sql.query('LOCK TABLE tool_t IN ACCESS EXCLUSIVE MODE');
          const slow = await invoke(server(), 'find_nodes', { entity: 'Tool' });
          expect([slow.status, slow.body.code]).toEqual([400, 'graph_query_too_slow']);
          const model = await shownToModel(server(), token, 'find_nodes', { entity: 'Tool' });
          expect([model.isError, model.text]).toEqual([
            true,
            expect.stringContaining('graph_query_too_slow'),
          ]);
        });
        expect((await invoke(server(), 'find_nodes', { entity: 'Tool' })).status).toBe(200);
      });
    },
    { LOG_LEVEL: 'info' },
  );
});
