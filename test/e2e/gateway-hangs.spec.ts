/** Wherever a gateway stops to answer: it has one time for all, and no connection outlives it. */
import { v7 } from 'uuid';
import { ImportPool } from '../../src/importers/import-pool.js';
import { until } from '../until.js';
import { ScriptedGateway, sendJson, type Answering } from './gateway-servers.js';
import { eachOwnServer } from './own-server.js';
import { eachServer, type Server } from './server.js';

const tool = { name: 'slow', inputSchema: { type: 'object' } };
const never: Answering = () => undefined;
const drips: Answering = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const dripping = setInterval(() => response.write(' '), 50);
  response.on('close', () => {
    clearInterval(dripping);
  });
};

async function registered(server: Server, url: string, more: object = {}): Promise<string> {
  const id = v7();
  const body = { serviceId: `gateway-${id}`, envTag: 'dev', url, ...more };
  expect((await server.api('PUT', `/gateways/${id}`, { body })).status).toBe(201);
  return id;
}

eachServer(
  (server) => {
    let gateway: ScriptedGateway;
    beforeAll(async () => {
      gateway = await ScriptedGateway.start();
    });
    afterAll(() => gateway.stop());

    it.each<[string, boolean, Answering | undefined]>([
      ['from the first word', true, undefined],
      ['when it is asked for its tools', false, never],
      ['in the middle of its answer', false, (_, response) => response.writeHead(200).write('{"jsonrpc"')],
      ['never quite, but drips', false, drips],
      [
        'after its first page',
        false,
        ({ id, params }, response) => {
          if (params?.['cursor'] === undefined)
            sendJson(response, { jsonrpc: '2.0', id, result: { tools: [tool], nextCursor: '1' } });
        },
      ],
    ])(
      'hangs %s: told when its time is over, and its connections are let go',
      async (_, silent, answering) => {
        const id = await registered(server(), gateway.url);
        gateway.isSilent = silent;
        gateway.answering = answering;
        const answer = await server().api('GET', `/gateways/${id}/drift`);
        expect([answer.status, answer.body['code']]).toEqual([502, 'gateway_timeout']);
        await until(
          () => gateway.connections(),
          (open) => open === 0,
        );
      },
    );

    it('is reported where it hangs, by whatever asks it, and nothing is written', async () => {
      const id = await registered(server(), gateway.url);
      gateway.isSilent = false;
      gateway.answering = never;
      const body = { findings: [{ toolName: 'slow', finding: 'not_in_catalog' }] };
      const events = async () => (await server().api('GET', '/events?limit=500')).text;
      const before = await events();
      for (const [method, path, call] of [
        ['GET', 'drift', {}],
        ['POST', 'drift/accept', { body }],
      ] as const) {
        const answer = await server().api(method, `/gateways/${id}/${path}`, call);
        expect([answer.status, answer.body['code']]).toEqual([502, 'gateway_timeout']);
      }
      expect(await events()).toBe(before);
      // A check keeps that it failed.
      const kept = await server().api('POST', `/gateways/${id}/drift/check`);
      expect([kept.status, kept.body]).toMatchObject([
        200,
        { failure: { code: 'gateway_timeout' }, findings: [] },
      ]);
    });
  },
  { OUTBOUND_ALLOW: '127.0.0.1', GATEWAY_TIMEOUT: '400' },
);

eachOwnServer(
  (server) => {
    it('holds up no other gateway that is checked by itself', async () => {
      const [silent, good] = await Promise.all([ScriptedGateway.start(), ScriptedGateway.start()]);
      silent.isSilent = true;
      const register = (url: string) => registered(server(), url, { checkIntervalSeconds: 60 });
      try {
        await register(silent.url);
        await until(
          () => silent.connections(),
          (open) => open > 0,
        );
        const id = await register(good.url);
        const history = () =>
          server().api<{ items: readonly object[] }>('GET', `/gateways/${id}/drift/history`);
        await until(history, ({ body }) => body.items.length > 0);
        // Meanwhile the first one is still waited for.
        expect(await silent.connections()).toBeGreaterThan(0);
      } finally {
        await silent.stop();
        await good.stop();
      }
    });

    it('is not blamed where the catalog itself can’t read the list', async () => {
      const gateway = await ScriptedGateway.start();
      gateway.tools = [tool];
      const id = await registered(server(), gateway.url);
      server().app.get(ImportPool).close();
      const asked = [
        await server().api('GET', `/gateways/${id}/drift`),
        await server().api('POST', `/gateways/${id}/drift/check`),
      ];
      expect(asked.map(({ status, body }) => [status, body['code']])).toEqual([
        [503, 'stopping'],
        [503, 'stopping'],
      ]);
      expect((await server().api('GET', `/gateways/${id}/drift/history`)).body['items']).toEqual([]);
      await gateway.stop();
    });
  },
  { OUTBOUND_ALLOW: '127.0.0.1', GATEWAY_TIMEOUT: '60000' },
);
