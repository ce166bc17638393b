import { request } from 'node:http';
import { v7 } from 'uuid';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { itUnless } from '../unless.js';
import { until } from '../until.js';
import { SlowReads } from '../../src/platform/work/slow-reads.js';
import { RankingPool } from '../../src/search/public.js';
import { eachOwnServer, type OwnServer } from './own-server.js';
import { hostId, type ApiAnswer } from './server.js';

interface Problem {
  readonly code: string;
}

interface Opened {
  readonly status: number;
  readonly again: string | null;
  readonly code: string | undefined;
  readonly close: () => void;
}

const agentId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';

/** A request whose answer is read no further than to its headers, or to its end where it is a refusal. */
async function open(url: string, init: RequestInit): Promise<Opened> {
  const left = new AbortController();
  const answer = await fetch(url, { ...init, signal: left.signal });
  const code = answer.status < 400 ? undefined : ((await answer.json()) as Problem).code;
  const close = (): void => {
    left.abort();
  };
  return { status: answer.status, again: answer.headers.get('retry-after'), code, close };
}

const base = (server: OwnServer): string => `${server.address}/v1/hosts/${hostId}`;

function log(server: OwnServer, token: string): Promise<Opened> {
  return open(`${base(server)}/events/stream`, { headers: { authorization: `Bearer ${token}` } });
}

/** A subscription as a client of 2026-07-28 asks for one. */
function subscription(server: OwnServer, token: string): Promise<Opened> {
  const of = (name: string) => `io.modelcontextprotocol/${name}`;
  const _meta = {
    [of('protocolVersion')]: '2026-07-28',
    [of('clientCapabilities')]: {},
    [of('clientInfo')]: { name: 'test', version: '1' },
  };
  const params = { notifications: { toolsListChanged: true }, _meta };
  return open(`${server.address}/mcp`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' },
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
  });
}

describe('streams', () => {
  eachOwnServer(
    (server) => {
      it('of one caller, at every door together, are no more than allowed; one that is closed makes room', async () => {
        const [mine, others] = [await server().token({ sub: 'a' }), await server().token({ sub: 'b' })];
        const held = [await log(server(), mine), await subscription(server(), mine)];
        expect(held.map(({ status }) => status)).toEqual([200, 200]);
        const refused = { status: 429, code: 'too_many_streams', again: '30' };
        expect(await log(server(), mine)).toMatchObject(refused);
        expect(await subscription(server(), mine)).toMatchObject(refused);
        held.push(await log(server(), others));
        expect(held[2]?.status).toBe(200);
        // The instance has room for three.
        expect(await log(server(), others)).toMatchObject(refused);
        held[0]?.close();
        const next = await until(
          () => log(server(), mine),
          ({ status }) => status === 200,
        );
        for (const { close } of [next, ...held]) close();
      });

      it('that come to nothing are not counted', async () => {
        const token = await server().token({ sub: 'c' });
        for (let n = 0; n < 5; n += 1) {
          const path = `/agents/${agentId}/effective-catalog/events`;
          expect((await server().api('GET', path, { token })).status).toBe(404);
        }
        const stream = await until(
          () => log(server(), token),
          ({ status }) => status === 200,
        );
        stream.close();
      });
    },
    { STREAMS: '3', STREAMS_PER_CALLER: '2' },
  );
});

describe('slow reads', () => {
  eachOwnServer(
    (server) => {
      it('that are too many are refused at every door, and nothing else is', async () => {
        const token = await server().token({ sub: 'many' });
        const query = { query_type: 'traversal', nodes: [{ id: 's', entity: 'Skill' }] };
        const doors = [
          () => server().api<Problem>('POST', '/graph/query', { token, body: { query } }),
          () => server().api<Problem>('POST', '/search', { token, body: { prompt: 'pay an invoice' } }),
          () => server().api<Problem>('POST', '/agent/commands/query_graph', { token, body: { query } }),
        ];
        // The only turn is another host's.
        let letGo = (): void => undefined;
        const other = { hostId: 'other', fingerprint: 'other' };
        const held = server()
          .app.get(SlowReads)
          .run(other, () => new Promise<void>((resolve) => (letGo = resolve)));
        const refused: ApiAnswer<Problem>[] = [];
        const answered = Array.from({ length: 20 }, async (_, n) => {
          const answer = await (doors[n % 3] ?? doors[0])?.();
          if (answer !== undefined && answer.status !== 200) refused.push(answer);
        });
        // Sixteen may wait.
        await until(
          () => refused.length,
          (count) => count >= 4,
        );
        expect((await server().api('GET', '/skills', { token })).status).toBe(200);
        const otherHost = v7();
        const others = await server().token({ sub: 'one', host: otherHost });
        const list = await server().api('GET', `//v1/hosts/${otherHost}/skills`, { token: others });
        expect(list.status).toBe(200);
        letGo();
        await Promise.all([held, ...answered]);
        for (const answer of refused) {
          expect(answer).toMatchObject({ status: 429, body: { code: 'reads_busy' } });
          expect(answer.headers.get('retry-after')).toBe('2');
        }
        for (const door of doors) expect((await door()).status).toBe(200);
      });

      it('that are evaluations of a whole host are refused while it has another one, before anything is read', async () => {
        let letGo = (): void => undefined;
        const held = server()
          .app.get(RankingPool)
          .run(hostId, () => new Promise<void>((resolve) => (letGo = resolve)));
        const rows = [{ prompt: 'pay an invoice', expect: ['payInvoice'] }];
        const api = { api: { apiId: 'a' }, version: { apiVersion: '1', serviceId: 'a', envTag: 'dev' } };
        const ask = (more: object) =>
          server().api<Problem>('POST', '/evaluations', { body: { rows, ...more } });
        // Neither a position that is not there nor a document that is none is looked at.
        for (const more of [{ asOf: 1_000_000 }, { import: { ...api, document: {} } }]) {
          const answer = await ask(more);
          expect(answer).toMatchObject({ status: 429, body: { code: 'reads_busy' } });
          expect(answer.headers.get('retry-after')).toBe('10');
        }
        expect((await ask({})).status).toBe(201);
        letGo();
        await held;
        expect((await ask({ asOf: 1_000_000 })).status).toBe(400);
      });

      it('have no end of unknown words to look up', async () => {
        const prompt = Array.from(
          { length: 2_000 },
          (_, n) => `unheardof${String.fromCodePoint(97 + (n % 26))}${'x'.repeat(n % 7)}`,
        );
        const answer = await server().api('POST', '/search', {
          body: { prompt: prompt.join(' ').slice(0, 19_000) },
        });
        expect(answer.status).toBe(200);
      });
    },
    { SLOW_READS: '1' },
  );
});

describe('a search that takes too long', () => {
  eachOwnServer(
    (server, kind) => {
      const lacking = kind === 'server' ? undefined : 'the embedded database ends no statement';
      itUnless(
        lacking,
        'is ended by the database and says how to ask, and other hosts go on meanwhile',
        async () => {
          const otherHost = v7();
          const token = await server().token({ sub: 'other', host: otherHost });
          const ofOther = (method: string, path: string, body?: object) =>
            server().api<{ items: unknown[] }>(method, `//v1/hosts/${otherHost}${path}`, { token, body });
          const skill = (name: string) => ({ name, contentMarkdown: 'Pays invoices.' });
          const search = { prompt: 'pay an invoice' };
          await server().api('POST', '/skills', { body: skill('slow') });
          await ofOther('POST', '/skills', skill('quick'));
          const found = () => server().api<{ items: unknown[] }>('POST', '/search', { body: search });
          await until(found, ({ body }) => body.items.length === 1);
          const database = server().app.get<Database>(DATABASE);
          const limit = await database.of(hostId).query('SHOW statement_timeout');
          expect(limit).toEqual([{ statement_timeout: '1h' }]);
          // A row of one host is never read to its end.
          await database.asOwner.query(
            `CREATE POLICY slow ON search_document_t AS RESTRICTIVE
           USING (current_setting('app.host', true) <> '${hostId}' OR pg_sleep(3600) IS NULL)`,
          );
          let answered = 0;
          const slow = Promise.all(Array.from({ length: 6 }, () => found().finally(() => (answered += 1))));
          const asleep = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
          await until(
            () => database.asOwner.query(`SELECT ${asleep}`),
            (statements) => statements.length > 0,
          );
          const meanwhile = [
            await ofOther('GET', '/skills'),
            await ofOther('POST', '/search', search),
            await ofOther('POST', '/skills', skill('quick too')),
            await server().api('GET', '/skills'),
          ];
          expect(meanwhile.map(({ status }) => status)).toEqual([200, 200, 201, 200]);
          expect(meanwhile[1]?.body['items']).toHaveLength(1);
          expect(answered).toBeLessThan(6);
          // As it does where their time is over.
          await until(
            () => database.asOwner.query(`SELECT pg_cancel_backend(pid) ${asleep}`),
            () => answered === 6,
          );
          const refused = {
            code: 'search_too_slow',
            detail: expect.stringContaining('Ask with fewer words'),
          };
          for (const { status, body } of await slow) expect([status, body]).toMatchObject([400, refused]);
          await database.asOwner.query('DROP POLICY slow ON search_document_t');
          expect((await found()).status).toBe(200);
        },
      );
    },
    { STATEMENT_TIMEOUT: '3600000' },
  );
});

describe('an upload that its sender breaks off', () => {
  eachOwnServer(
    (server) => {
      it('is no fault of the database, and none of ours', async () => {
        const token = await server().token();
        const ended = new Promise((resolve) => {
          const http = server().app.getHttpServer();
          http.once('connection', (socket) => socket.once('close', resolve));
        });
        const sent = request(`${base(server())}/skills`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'content-length': 1_000,
          },
        });
        sent.on('error', () => undefined);
        sent.write('{"name":');
        // It has arrived so far.
        await server().api('GET', '/skills');
        sent.destroy();
        await ended;
        // What there may be to say of it has been said before another is answered.
        await server().api('GET', '/skills');
        expect(server().logged.join('')).not.toContain('database_unavailable');
        expect(server().logged.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
      });
    },
    { LOG_LEVEL: 'info' },
  );
});
