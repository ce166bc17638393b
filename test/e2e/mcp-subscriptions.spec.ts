import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { GracefulStop } from '../../src/platform/http/graceful-stop.js';
import { aKind } from './kinds.js';
import { OwnServer } from './own-server.js';

let server: OwnServer;
let token: string;
beforeEach(async () => {
  server = await OwnServer.start(aKind, { LOG_LEVEL: 'error' });
  token = await server.token({ scope: 'catalog:agent' });
});
afterEach(() => server.stop());

/** Longer than any test: who waits so long has missed that nothing is under way any more. */
const forEver = 3_600_000;
const drained = () => server.app.get(GracefulStop).drain(forEver);

/** Holds back the answers of the database that every look and list begins with. */
function holdLooks(): { readonly begun: Promise<void>; readonly release: () => void } {
  const database = server.app.get<Database & { of: Database['of'] }>(DATABASE);
  const of = database.of.bind(database);
  let [begin, release] = [(): void => undefined, (): void => undefined];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  database.of = (hostId) => ({
    ...of(hostId),
    async query(...call) {
      if (call[2] === 'host_settings') {
        begin();
        await held;
      }
      return of(hostId).query(...call);
    },
  });
  return { begun, release };
}

function ask(method: string, params: object = {}, signal?: AbortSignal): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  return fetch(`${server.address}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    ...(signal !== undefined && { signal }),
  });
}

const subscribe = (signal?: AbortSignal) =>
  ask('subscriptions/listen', { notifications: { toolsListChanged: true } }, signal);

describe('a stop', () => {
  it('ends the subscriptions that are open', async () => {
    const answer = await subscribe();
    const body = answer.text();
    await drained();
    expect(await body).toContain('"resultType":"complete"');
  });

  it('refuses a subscription that is still being opened', async () => {
    const looks = holdLooks();
    const asked = subscribe();
    await looks.begun;
    const stopped = drained();
    looks.release();
    const answer = await asked;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ code: 'stopping' });
    await stopped;
  });

  it('lets a call that is under way finish', async () => {
    const looks = holdLooks();
    const asked = ask('tools/list');
    await looks.begun;
    const stopped = drained();
    looks.release();
    expect(await (await asked).text()).toContain('find_nodes');
    await stopped;
  });
});

it.each([
  ['its subscription is opened', subscribe],
  ['its call is under way', (signal: AbortSignal) => ask('tools/list', {}, signal)],
])('a client that leaves while %s is no failure', async (_, send) => {
  const looks = holdLooks();
  const leave = new AbortController();
  const arrived = once(server.app.getHttpServer(), 'request') as Promise<[unknown, ServerResponse]>;
  const asked = send(leave.signal);
  const [, response] = await arrived;
  await looks.begun;
  const left = once(response, 'close');
  leave.abort();
  await expect(asked).rejects.toThrow();
  await left;
  looks.release();
  await server.api('GET', '/settings');
  await drained();
  expect(server.logged).toEqual([]);
});
