import { readFile } from 'node:fs/promises';
import { DATABASE } from '../../src/kernel/sql.js';
import type { OpenDatabase } from '../../src/platform/database/open-database.js';
import { until } from '../until.js';
import { eachOwnServer, OwnServer } from './own-server.js';
import { hostId } from './server.js';

interface Line {
  readonly msg: string;
  readonly requestId?: string;
}

const openapi = {
  openapi: '3.1.0',
  info: { title: 'Ledger', version: '1.0.0' },
  paths: { '/entries': { get: { operationId: 'listEntries', responses: { 200: { description: 'All.' } } } } },
};

eachOwnServer(
  (server, kind) => {
    const lines = (from: number): Line[] =>
      server()
        .logged.slice(from)
        .map((line) => JSON.parse(line) as Line);

    /** What the log says of one call. */
    const logged = async (call: () => Promise<{ readonly headers: Headers }>): Promise<Line[]> => {
      const start = server().logged.length;
      const { headers } = await call();
      const id = headers.get('x-request-id');
      return until(
        () => Promise.resolve(lines(start).filter(({ requestId }) => requestId === id)),
        (own) => own.some(({ msg }) => msg === 'request'),
      );
    };

    const figures = async (name: string): Promise<Record<string, number>> => {
      const { text } = await server().api('GET', '//metrics', { token: '' });
      const found = text.matchAll(/^(\w+)(?:\{\w+="([^"]*)"(?:,\w+="([^"]*)")?\})? (\S+)$/gm);
      const own = [...found].filter(([, each]) => each === name);
      return Object.fromEntries(
        own.map(([, , ...rest]) => [rest.slice(0, 2).filter(Boolean).join(), Number(rest[2])]),
      );
    };

    /** By how much each figure grows. */
    const growth = async (name: string, work: () => Promise<unknown>): Promise<Record<string, number>> => {
      const before = await figures(name);
      await work();
      const grown = Object.entries(await figures(name)).map(
        ([key, value]) => [key, value - (before[key] ?? 0)] as const,
      );
      return Object.fromEntries(grown.filter(([, by]) => by !== 0));
    };

    describe('the log of a refusal', () => {
      it('says why, and whom: the user and the client of the token', async () => {
        const token = await server().token({ sub: 'olga', client_id: 'console', scope: 'catalog:read' });
        const own = await logged(() =>
          server().api('POST', '/skills', { token, body: { name: 'secret-1' } }),
        );
        expect(own).toEqual([
          expect.objectContaining({
            status: 403,
            code: 'insufficient_scope',
            user: 'olga',
            clientId: 'console',
          }),
        ]);
        expect(JSON.stringify(own)).not.toContain(token);
        expect(JSON.stringify(own)).not.toContain('secret-1');
      });

      it('says it of what the body and the state refuse, too', async () => {
        const token = await server().token({ sub: 'olga' });
        const invalid = await logged(() => server().api('POST', '/skills', { token, body: { name: 7 } }));
        expect(invalid).toEqual([expect.objectContaining({ code: 'invalid_body', user: 'olga' })]);
        const absent = await logged(() => server().api('GET', `/skills/${hostId}`, { token }));
        expect(absent).toEqual([expect.objectContaining({ status: 404, code: 'not_found', user: 'olga' })]);
      });

      it('gives the address where no token says who it is, and nothing of the token', async () => {
        const own = await logged(() => server().api('GET', '/skills', { token: 'ab.cd.ef' }));
        expect(own).toEqual([
          expect.objectContaining({ status: 401, code: 'token_invalid', address: '127.0.0.1' }),
        ]);
        expect(JSON.stringify(own)).not.toContain('ab.cd.ef');
      });

      it('says it of calls over MCP, which are answered with 200', async () => {
        const token = await server().token({ sub: 'robot', client_id: 'desk', scope: 'catalog:read' });
        const body = {
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'find_nodes', arguments: { entity: 'secret-2' } },
        };
        const accept = { accept: 'application/json, text/event-stream' };
        const own = await logged(() => server().api('POST', '//mcp', { token, body, headers: accept }));
        expect(own).toContainEqual(
          expect.objectContaining({ code: 'invalid_parameters', user: 'robot', clientId: 'desk' }),
        );
        expect(JSON.stringify(own)).not.toContain('secret-2');
      });

      it('an answer that refuses nothing has none of it', async () => {
        const [line] = await logged(() =>
          server().api('POST', '/skills', { body: { name: 'plain', contentMarkdown: '# Plain' } }),
        );
        expect(line).not.toHaveProperty('code');
        expect(line).not.toHaveProperty('user');
      });
    });

    describe('the metrics', () => {
      it('count refused tokens by code, each refusal once', async () => {
        const expired = await server().token({}, -5);
        const grown = await growth('catalog_tokens_refused_total', async () => {
          await server().api('GET', '/skills', { token: '' });
          for (let turn = 0; turn < 3; turn += 1) await server().api('GET', '/skills', { token: 'x' });
          await server().api('GET', '/skills', { token: expired });
          await server().api('POST', '//mcp', { token: expired, body: {} });
          const unusable = await server().token({ env: 7 });
          for (let turn = 0; turn < 2; turn += 1) await server().api('GET', '/skills', { token: unusable });
        });
        expect(grown).toEqual({ token_missing: 1, token_invalid: 3, token_expired: 2, claim_invalid: 2 });
      });

      it('count imports by format and outcome', async () => {
        const version = { apiVersion: '1.0.0', serviceId: 'ledger', envTag: 'dev' };
        const send = (document: unknown, more: object = {}) =>
          server().api('POST', '/imports', {
            body: { api: { apiId: 'ledger', apiName: 'Ledger' }, version, document, ...more },
          });
        const grown = await growth('catalog_imports_total', async () => {
          expect((await send(openapi, { dryRun: true })).status).toBe(200);
          expect((await send(openapi, { publish: true })).status).toBe(200);
          expect((await send('neither this nor that')).status).toBe(400);
        });
        expect(grown).toEqual({ 'openapi,dry_run': 1, 'openapi,done': 1, 'unread,refused': 1 });
      });

      it('count catalogs as fresh, cached or not modified, and withheld tools by reason', async () => {
        const path = `${await agentWithTool()}/effective-catalog?serviceId=clerk&envTag=dev`;
        const withheld: Record<string, number>[] = [];
        const grown = await growth('catalog_catalogs_served_total', async () => {
          withheld.push(
            await growth('catalog_tools_withheld_total', async () => {
              const { headers, text } = await server().api('GET', path);
              expect(text).not.toContain('listEntries');
              await server().api('GET', path);
              const known = { 'if-none-match': headers.get('etag') ?? '' };
              expect((await server().api('GET', path, { headers: known })).status).toBe(304);
            }),
          );
        });
        expect(grown).toEqual({ fresh: 1, cached: 1, not_modified: 1 });
        expect(withheld).toEqual([{ sensitivity_tier_exceeds_policy: 2 }]);
      });

      it('say how far followers are behind, and how the pool is used', async () => {
        const lags = await until(
          () => figures('catalog_follower_lag_positions'),
          (found) => Object.values(found).every((lag) => lag === 0),
        );
        expect(Object.keys(lags).sort()).toEqual(['search-documents', 'webhooks']);
        const connections = await figures('catalog_database_connections');
        expect(Object.keys(connections).sort()).toEqual(['idle', 'in_use']);
        await until(
          () => figures('catalog_database_waiting'),
          (waiting) => waiting[''] === 0,
        );
        expect(await figures('catalog_database_pool_size')).toEqual({ '': kind === 'server' ? 16 : 1 });
      });

      it('are read without the database, but for what only that can tell', async () => {
        const stranded = await OwnServer.start(kind);
        await stranded.app.get<OpenDatabase>(DATABASE).close();
        const { status, text } = await stranded.api('GET', '//metrics', { token: '' });
        expect(status).toBe(200);
        expect(text).toContain('catalog_database_pool_size');
        expect(text).not.toMatch(/^catalog_(follower_lag_positions\{|gateways_drifting )/m);
        await stranded.stop();
      });

      it('stand in the contract, each by its name', async () => {
        const contract = await readFile('docs/contract.md', 'utf8');
        const { text } = await server().api('GET', '//metrics', { token: '' });
        const names = [...text.matchAll(/^# HELP (catalog_\w+)/gm)].map(([, name]) => name);
        expect(names.length).toBeGreaterThan(10);
        expect(names.filter((name) => !contract.includes(`\`${name ?? ''}\``))).toEqual([]);
      });
    });

    const made = async (method: string, path: string, body: object): Promise<string> => {
      const answer = await server().api(method, path, { body });
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      return String(answer.body['id']);
    };

    /** Makes an agent with a tool that its tier does not cover, and gives the agent's path. */
    async function agentWithTool(): Promise<string> {
      await made('POST', '/apis', { apiId: 'clerk', apiName: 'Clerk' });
      const version = { apiVersion: '1.0.0', serviceId: 'clerk', envTag: 'dev', apiType: 'agent' };
      const agentDefId = await made('POST', '/apis/clerk/versions', version);
      await made('PUT', `/agents/${agentDefId}`, { maxSensitivityTier: 'public' });
      const skillId = await made('POST', '/skills', { name: 'ledgers', contentMarkdown: '# Ledgers' });
      const tools = await server().api<{ items: { toolId: string; name: string }[] }>('GET', '/tools');
      const tool = tools.body.items.find(({ name }) => name === 'listEntries');
      await made('PUT', `/skills/${skillId}/tools/${String(tool?.toolId)}`, {});
      await made('PUT', `/agents/${agentDefId}/skills/${skillId}`, {});
      return `/agents/${agentDefId}`;
    }
  },
  { LOG_LEVEL: 'info' },
);
