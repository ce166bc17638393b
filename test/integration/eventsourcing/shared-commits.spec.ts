import { v7 } from 'uuid';
import { CommandEngine } from '../../../src/eventsourcing/command-engine.js';
import type { Database } from '../../../src/eventsourcing/sql.js';
import { eachDatabase } from '../databases.js';
import { overheard } from '../overheard.js';
import { OpenAccount, write } from './account.slice.js';
import { Ground } from './ground.js';

eachDatabase((open) => {
  let ground: Ground;
  let appends: number[] = [];
  let engine: CommandEngine;
  beforeAll(async () => {
    ground = await Ground.on(open);
    engine = new CommandEngine(counted(ground.database), ground.domain, ground.heads);
  });
  beforeEach(() => (appends = []));

  /** The database; `appends` gets for each transaction how many appends were sent in it. */
  const counted = (database: Database): Database => ({
    ...overheard(database, () => undefined),
    of: (hostId) => ({
      query: (...call) => database.of(hostId).query(...call),
      transaction: (work) =>
        database.of(hostId).transaction((tx) => {
          const index = appends.push(0) - 1;
          const count = (name?: string): void => {
            if (name === 'append_events') appends[index] = (appends[index] ?? 0) + 1;
          };
          return work({
            send: (...call) => {
              count(call[2]);
              tx.send(...call);
            },
            query: (...call) => {
              count(call[2]);
              return tx.query(...call);
            },
          });
        }),
    }),
  });
  const opening = (hostId: string, name: string, more: Parameters<typeof write>[2] = {}) =>
    write(hostId, [new OpenAccount(hostId, v7(), { name })], { mode: 'optimistic', ...more });
  const openMany = (hostId: string, names: readonly string[], by = engine) =>
    Promise.allSettled(names.map((name) => by.execute(opening(hostId, name))));
  const namesOf = async (hostId: string) => {
    const log = await ground.store.readLog(hostId, 0, 1000);
    expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
    return log.map(({ data }) => (data as { name: string }).name).sort();
  };

  test('writes that wait for their turn share a transaction, and each has its own place and reply', async () => {
    const host = v7();
    const names = Array.from({ length: 80 }, (_, index) => `account ${String(index)}`).sort();
    const settled = await openMany(host, names);
    const bodies = settled.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return JSON.parse(one.value.body) as { id: string; version: number; position: number };
    });
    expect(await namesOf(host)).toEqual(names);
    expect(bodies.map(({ position }) => position).sort((a, b) => a - b)).toEqual(names.map((_, i) => i + 1));
    const log = await ground.store.readLog(host, 0, 1000);
    for (const { id, position } of bodies) expect(log[position - 1]?.subject).toBe(id);
    const rows = await ground.database
      .of(host)
      .query('SELECT name FROM account_t WHERE host_id = $1', [host]);
    expect(rows).toHaveLength(80);
    expect(appends.length).toBeLessThan(10);
    expect(Math.max(...appends)).toBeLessThanOrEqual(32);
  });

  test('one that is refused takes no other with it', async () => {
    const host = v7();
    const settled = await openMany(host, ['a', 'b', 'a', 'nul \u0000', 'c']);
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toEqual([
      expect.objectContaining({ code: 'account_name_taken' }),
      expect.objectContaining({ code: 'invalid_text' }),
    ]);
    expect(await namesOf(host)).toEqual(['a', 'b', 'c']);
  });

  test('nothing of a transaction that failed comes after its end', async () => {
    const host = v7();
    const names = ['a', 'nul \u0000', 'b', 'c', 'd', 'a', 'e', 'f', 'g', 'h'];
    const keyed = names.map((name, index) => ({ name, key: String(index).repeat(64) }));
    const settled = await Promise.allSettled(
      keyed.map(({ name, key }) =>
        engine.execute(opening(host, name, { idempotency: { key, fingerprint: key, grants: [] } })),
      ),
    );
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toEqual([
      expect.objectContaining({ code: 'invalid_text' }),
      expect.objectContaining({ code: 'account_name_taken' }),
    ]);
    expect(await namesOf(host)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    const kept = await ground.database
      .of(host)
      .query<{ key: string }>('SELECT key FROM idempotency_key_t WHERE host_id = $1 ORDER BY key', [host]);
    expect(kept).toEqual(keyed.filter((_, index) => index !== 1 && index !== 5).map(({ key }) => ({ key })));
  });

  test('each keeps its reply under its own key', async () => {
    const host = v7();
    const keys = ['1', '2', '3', '4'].map((key) => key.repeat(64));
    const idempotency = (key: string) => ({ key, fingerprint: key, grants: [] });
    const replies = await Promise.all(
      keys.map((key) => engine.execute(opening(host, key.slice(0, 9), { idempotency: idempotency(key) }))),
    );
    const kept = await ground.database
      .of(host)
      .query<{ key: string; body: string }>(
        'SELECT key, body FROM idempotency_key_t WHERE host_id = $1 ORDER BY key',
        [host],
      );
    expect(kept).toEqual(keys.map((key, index) => ({ key, body: replies[index]?.body })));
    expect(Math.max(...appends)).toBeGreaterThan(1);
  });

  test.each([
    ['the connection', new Error('The connection ended.')],
    ['a proxy on the way', Object.assign(new Error('Gone.'), { severity: 'FATAL', code: '08P01' })],
  ])('a commit to which %s gave no answer is not made twice', async (_who, ended) => {
    const host = v7();
    const silent: Database = {
      ...overheard(ground.database, () => undefined),
      of: (hostId) => ({
        query: (...call) => ground.database.of(hostId).query(...call),
        transaction: async (work) => {
          await ground.database.of(hostId).transaction(work);
          throw ended;
        },
      }),
    };
    const names = ['a', 'b', 'c', 'd'];
    const settled = await openMany(host, names, new CommandEngine(silent, ground.domain, ground.heads));
    expect(settled).toEqual(names.map(() => ({ status: 'rejected', reason: ended })));
    expect(await namesOf(host)).toEqual(names);
  });

  test('writes of two hosts share nothing', async () => {
    const [one, two] = [v7(), v7()];
    await Promise.all([openMany(one, ['a', 'b', 'c', 'd']), openMany(two, ['a', 'b', 'c', 'd'])]);
    expect(await namesOf(one)).toEqual(['a', 'b', 'c', 'd']);
    expect(await namesOf(two)).toEqual(['a', 'b', 'c', 'd']);
  });
});
