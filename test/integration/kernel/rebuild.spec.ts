import { v7 } from 'uuid';
import { Rebuild } from '../../../src/kernel/rebuild.js';
import type { Database, Sql, Transaction, Walled } from '../../../src/kernel/sql.js';
import { appendNewer } from '../../newer-event.js';
import { eachDatabase } from '../databases.js';
import { overheard } from '../overheard.js';
import { accountTables, CloseAccount, OpenAccount, RenameAccount, write } from './account.slice.js';
import { Kernel } from './kernel.js';

const tables = () => Promise.resolve([{ text: accountTables }]);

eachDatabase((open, kind) => {
  let kernel: Kernel;
  let rebuild: Rebuild;
  beforeAll(async () => {
    kernel = await Kernel.on(open);
    rebuild = new Rebuild(kernel.database, kernel.domain, tables);
  });

  const rename = (host: string, id: string, name: string) =>
    kernel.engine.execute(write(host, [new RenameAccount(host, id, { name })]));

  /** Rebuilds while two write without end, and again when they have ended. `more` waits for so many more writes. */
  async function rebuildBesideWriters(
    beside: (more: (writes: number) => Promise<unknown>) => Rebuild,
  ): Promise<void> {
    const host = v7();
    let writing = true;
    let written = 0;
    let waiting: (() => void)[] = [];
    const writer = async (line: number): Promise<void> => {
      for (let turn = 0; writing; turn += 1) {
        const name = `line ${String(line)} turn ${String(turn)}`;
        await rename(host, await kernel.openAccount(host, `new ${name}`), name);
        written += 2;
        const ready = waiting;
        waiting = [];
        for (const resolve of ready) resolve();
      }
    };
    const writers = Promise.all([writer(1), writer(2)]);
    const more = async (writes: number): Promise<void> => {
      const enough = written + writes;
      while (written < enough)
        await Promise.race([writers, new Promise<void>((resolve) => waiting.push(resolve))]);
    };
    try {
      await more(20);
      const before = written;
      await beside(more).run();
      expect(written).toBeGreaterThan(before);
    } finally {
      writing = false;
    }
    await writers;
    const live = await tableDigest(kernel.database.asOwner, 'account_t');
    await rebuild.run();
    expect(await tableDigest(kernel.database.asOwner, 'account_t')).toBe(live);
  }

  /** So many are written for each step: more than the smallest steps take in, where others can write meanwhile. */
  const writesForAStep = { embedded: 10, server: 24 }[kind];

  test('catches up with writers where each step takes longer than it should', async () => {
    await rebuildBesideWriters(
      (more) =>
        new Rebuild(
          around(kernel.database, () => more(writesForAStep)),
          kernel.domain,
          tables,
        ),
    );
  });

  test('gives the same rows as the live tables have, whatever order names were given up and taken in', async () => {
    const earlier = (await rebuild.run()).events;
    for (const host of [v7(), v7()]) {
      const [one, two] = [await kernel.openAccount(host, 'one'), await kernel.openAccount(host, 'two')];
      // Each takes the name that the other has given up: as one statement, the index could refuse it.
      await rename(host, one, 'free');
      await rename(host, two, 'one');
      await rename(host, one, 'two');
      await kernel.engine.execute(write(host, [new CloseAccount(host, two, {})]));
      await kernel.openAccount(host, 'one');
    }
    await kernel.engine.execute(manyAccounts(v7(), 2000));
    const before = await tableDigest(kernel.database.asOwner, 'account_t');
    await kernel.database.asOwner.query('UPDATE account_t SET name = account_id::text, active = false');
    const seen: number[] = [];
    const report = await rebuild.run(({ events }) => seen.push(events));
    expect(await tableDigest(kernel.database.asOwner, 'account_t')).toBe(before);
    expect(report.events - earlier).toBe(2 * 10 + 2000);
    expect(seen.at(-1)).toBe(report.events);
    expect(await schemas(kernel.database.asOwner)).toEqual(['catalog']);
  });

  test('goes on beside writers, and the result is what they have written', async () => {
    await rebuildBesideWriters(() => rebuild);
  });

  if (kind === 'server') {
    test('makes neither readers nor writers wait for any of its steps, and replays little while they wait for its switch', async () => {
      const host = v7();
      const id = await kernel.openAccount(host, 'a');
      for (let turn = 0; turn < 4; turn += 1) await kernel.engine.execute(manyAccounts(v7(), 1_500));
      let steps = 0;
      const switches: string[][] = [];
      const database = overheardTransactions(kernel.database, async (statements) => {
        if (statements.some((text) => text.includes('LOCK TABLE host_head_t'))) {
          switches.push(statements);
          return;
        }
        // All that it does is done, and it holds what it holds until these have been answered.
        if (!statements.some((text) => text.includes('read_log('))) return;
        steps += 1;
        await kernel.database.of(host).query('SELECT name FROM account_t');
        await rename(host, id, `step ${String(steps)}`);
      });
      const { events } = await new Rebuild(database, kernel.domain, tables).run();
      expect(events).toBeGreaterThan(6_000);
      // As many as there are hosts, and more than that.
      expect(steps).toBeGreaterThan(6);
      const replayed = switches.map(
        (statements) => statements.filter((text) => text.includes('read_log(')).length,
      );
      expect(Math.max(...replayed)).toBeLessThanOrEqual(1);
      for (const [first] of switches) expect(first).toContain("SET LOCAL lock_timeout TO '80ms'");
    });
  } else {
    test('makes readers and writers wait for no more than two of its steps, and takes in no more than 500 events at a step', async () => {
      const host = v7();
      for (let turn = 0; turn < 2; turn += 1) await kernel.engine.execute(manyAccounts(v7(), 1_500));
      let over = false;
      let begun = 0;
      const waits: Record<'read' | 'write', number[]> = { read: [], write: [] };
      const counted = async (what: keyof typeof waits, work: () => Promise<unknown>): Promise<void> => {
        while (!over) {
          const before = begun;
          await work();
          waits[what].push(begun - before);
        }
      };
      const database = around(kernel.database, () => {
        begun += 1;
        return Promise.resolve();
      });
      const others = [
        counted('read', () => kernel.database.of(host).query('SELECT name FROM account_t')),
        counted('write', () => kernel.openAccount(host, `turn ${String(waits.write.length)}`)),
      ];
      const seen: number[] = [];
      const report = await new Rebuild(database, kernel.domain, tables)
        .run(({ phase, events }) => phase === 'replay' && seen.push(events))
        .finally(() => (over = true));
      await Promise.all(others);
      expect(report.events).toBeGreaterThan(3_000);
      expect(begun).toBeGreaterThan(12);
      expect(Math.max(...waits.read, ...waits.write)).toBeLessThanOrEqual(2);
      expect(Math.max(...seen.map((events, at) => events - (seen[at - 1] ?? 0)))).toBeLessThanOrEqual(500);
    });
  }

  const newerEvents: readonly (readonly [string, { readonly type?: string; readonly version?: number }])[] = [
    ['a type', {}],
    ['a version', { type: 'AccountOpenedEvent', version: 3 }],
  ];

  test.each(newerEvents)(
    'leaves a host alone whose log holds an event of %s that it does not know',
    async (_, newer) => {
      const [known, unknown] = [v7(), v7()];
      const ids = new Map<string, string>();
      for (const host of [known, unknown]) {
        const id = await kernel.openAccount(host, 'first');
        await rename(host, id, 'second');
        ids.set(host, id);
      }
      const position = await appendNewer(kernel.database.of(unknown), unknown, newer);
      await rename(unknown, ids.get(unknown) ?? '', 'third');
      const before = await tableDigest(kernel.database.of(unknown), 'account_t');
      await kernel.database.of(known).query(`UPDATE account_t SET name = 'lost'`);
      const { kept } = await rebuild.run();
      expect(kept).toEqual([
        {
          hostId: unknown,
          position,
          type: newer.type ?? 'FutureThingEvent',
          detail: expect.stringContaining('newer program'),
        },
      ]);
      expect(await tableDigest(kernel.database.of(unknown), 'account_t')).toBe(before);
      expect(await kernel.database.of(known).query('SELECT name FROM account_t')).toEqual([
        { name: 'second' },
      ]);
      await rename(unknown, ids.get(unknown) ?? '', 'fourth');
      expect(await kernel.database.of(unknown).query('SELECT name FROM account_t')).toEqual([
        { name: 'fourth' },
      ]);
      // What nobody knows is no hindrance to the other tests.
      await kernel.database.asOwner.query(
        'UPDATE event_store_t SET data = NULL WHERE host_id = $1 AND position = $2',
        [unknown, position],
      );
      expect((await rebuild.run()).kept).toEqual([]);
    },
  );

  test('only one at a time', async () => {
    const first = rebuild.run();
    await expect(rebuild.run()).rejects.toMatchObject({ code: 'rebuild_in_progress' });
    await first;
  });

  if (kind === 'server') {
    test('only one at a time, whichever instance it is on', async () => {
      const other = new Rebuild(kernel.database, kernel.domain, tables);
      let first: Promise<unknown> | undefined;
      await kernel.database.asOwner.transaction(async (tx) => {
        // As a writer does: the first can't end meanwhile.
        await tx.query('LOCK TABLE host_head_t IN ROW EXCLUSIVE MODE');
        await new Promise<void>((resolve, reject) => {
          first = rebuild.run(() => {
            resolve();
          });
          first.catch(reject);
        });
        const second = other.run(() => {
          throw new Error('It ran beside the first.');
        });
        await expect(second).rejects.toMatchObject({ code: 'rebuild_in_progress' });
      });
      await first;
    });

    test('one that could not reach the database hinders no later one', async () => {
      let isAway = true;
      const database: Database = {
        ...overheard(kernel.database, () => undefined),
        session: () => (isAway ? Promise.reject(new Error('away')) : kernel.database.session()),
      };
      const tried = new Rebuild(database, kernel.domain, tables);
      await expect(tried.run()).rejects.toThrow('away');
      isAway = false;
      await expect(tried.run()).resolves.toMatchObject({ events: expect.any(Number) });
    });

    test('a reader in its way makes nobody wait, and reads the old rows to its end', async () => {
      const host = v7();
      const id = await kernel.openAccount(host, 'a');
      let endReading = (): void => undefined;
      const readingEnded = new Promise<void>((resolve) => (endReading = resolve));
      let beginReading = (): void => undefined;
      const reading = new Promise<void>((resolve) => (beginReading = resolve));
      const reader = kernel.database.asOwner.transaction(async (tx) => {
        await tx.query('SELECT count(*) FROM account_t');
        beginReading();
        await readingEnded;
      });
      await reading;
      const seen: { switched?: boolean } = {};
      const rebuilt = rebuild.run(({ phase }) => (seen.switched = phase === 'cleanup'));
      let turns = 0;
      while (seen.switched !== true) {
        await rename(host, id, `turn ${String((turns += 1))}`);
        await kernel.accounts();
      }
      // The writers have seen the switch while the reader is still at it.
      endReading();
      await Promise.all([reader, rebuilt]);
      expect(await schemas(kernel.database.asOwner)).toEqual(['catalog']);
    });

    test('one that was killed leaves nothing that hinders the next', async () => {
      await kernel.database.asOwner
        .query(`CREATE SCHEMA catalog_next; CREATE TABLE catalog_next.account_t (id int);
        CREATE SCHEMA catalog_old; CREATE TABLE catalog_old.account_t (id int)`);
      const before = await tableDigest(kernel.database.asOwner, 'account_t');
      await rebuild.run();
      expect(await tableDigest(kernel.database.asOwner, 'account_t')).toBe(before);
      expect(await schemas(kernel.database.asOwner)).toEqual(['catalog']);
    });
  }
});

/** The same database; each transaction of it begins when `before` is done. */
function around(database: Database, before: () => Promise<unknown>): Database {
  return transacting(database, async (walled, work) => {
    await before();
    return walled.transaction(work);
  });
}

/** The same database; each transaction is committed when `done`, which is given its statements, is done. */
function overheardTransactions(database: Database, done: (statements: string[]) => Promise<void>): Database {
  return transacting(database, (walled, work) => {
    return walled.transaction(async (tx) => {
      const statements: string[] = [];
      const result = await work({
        send: (...call) => {
          statements.push(call[0]);
          tx.send(...call);
        },
        query: (...call) => {
          statements.push(call[0]);
          return tx.query(...call);
        },
      });
      await done(statements);
      return result;
    });
  });
}

function transacting(
  database: Database,
  transact: <Result>(walled: Walled, work: (tx: Transaction) => Promise<Result>) => Promise<Result>,
): Database {
  const way = (walled: Walled): Walled => ({
    query: walled.query.bind(walled),
    transaction: (work) => transact(walled, work),
  });
  return {
    embedded: database.embedded,
    isBusy: () => database.isBusy(),
    of: (hostId) => way(database.of(hostId)),
    acrossHosts: database.acrossHosts,
    asOwner: way(database.asOwner),
    session: () => database.session(),
  };
}

function manyAccounts(host: string, count: number) {
  const commands = Array.from({ length: count }, (_, index) => {
    return new OpenAccount(host, v7(), {
      name: `account ${String(index)}`,
      tags: ['a', `"${String(index)}"`],
    });
  });
  return write(host, commands);
}

/** One text for all rows of a table, whatever their order. */
async function tableDigest(sql: Sql, table: string): Promise<string | undefined> {
  const [row] = await sql.query<{ digest: string }>(
    `SELECT count(*) || ' ' || md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS digest FROM ${table} t`,
  );
  return row?.digest;
}

async function schemas(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'catalog%' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
