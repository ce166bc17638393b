import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('values come back as the program speaks of them', async () => {
    const [row] = await database.asOwner.query<object>(
      `SELECT 9007199254740991 AS big, 1.5::numeric AS exact, sum(2::bigint) AS total,
        '2026-11-21 01:02:03.4567+02'::timestamptz AS moment, '{"b":[1,null]}'::jsonb AS json,
        '{1,NULL}'::bigint[] AS bigs, ARRAY['{"a":1}'::jsonb] AS jsons, $1::text[] AS texts`,
      [['a', null, 'ü"\\']],
    );
    expect(row).toEqual({
      big: 9007199254740991,
      exact: 1.5,
      total: 2,
      moment: '2026-11-20T23:02:03.456Z',
      json: { b: [1, null] },
      bigs: [1, null],
      jsons: [{ a: 1 }],
      texts: ['a', null, 'ü"\\'],
    });
  });

  test('every connection reads the catalog first, in UTC', async () => {
    const [row] = await database.asOwner.query<object>(
      `SELECT current_setting('search_path') AS path, current_setting('timezone') AS zone`,
    );
    expect(row).toEqual({ path: expect.stringMatching(/^"?catalog,\s*public"?$/), zone: 'UTC' });
  });

  test('what throws is rolled back, and the connection goes on', async () => {
    const host = '00000000-0000-4000-8000-000000000001';
    const failing = database.asOwner.transaction(async (sql) => {
      await sql.query('INSERT INTO host_head_t (host_id) VALUES ($1)', [host]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await database.asOwner.query('SELECT FROM host_head_t')).toEqual([]);
  });

  test('an error that was swallowed does not pass for a commit', async () => {
    const failing = database.asOwner.transaction(async (sql) => {
      await sql.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('rolled back');
  });

  test('what was sent and not waited for is committed in its order, or fails the transaction with its own error', async () => {
    await database.asOwner.query('CREATE TABLE public.sent_t (n int PRIMARY KEY)');
    const numbers = () => database.asOwner.query('SELECT n FROM sent_t ORDER BY n');
    await database.asOwner.transaction(async (tx) => {
      tx.send('INSERT INTO sent_t VALUES ($1)', [1]);
      expect(await tx.query('SELECT n FROM sent_t')).toEqual([{ n: 1 }]);
      tx.send('INSERT INTO sent_t VALUES ($1)', [2]);
    });
    expect(await numbers()).toEqual([{ n: 1 }, { n: 2 }]);
    const last = database.asOwner.transaction(async (tx) => {
      tx.send('INSERT INTO sent_t VALUES ($1)', [3]);
      tx.send('INSERT INTO sent_t VALUES ($1)', [1]);
      tx.send('INSERT INTO sent_t VALUES ($1)', [4]);
      return Promise.resolve();
    });
    await expect(last).rejects.toMatchObject({ code: '23505' });
    const followed = database.asOwner.transaction(async (tx) => {
      tx.send('INSERT INTO sent_t VALUES ($1)', [1]);
      await tx.query('SELECT n FROM sent_t');
    });
    await expect(followed).rejects.toMatchObject({ code: '23505' });
    expect(await numbers()).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('nothing of a transaction comes after its end, whatever it was in the middle of', async () => {
    await database.asOwner.query('CREATE TABLE public.late_t (n int PRIMARY KEY)');
    const late: Promise<unknown>[] = [];
    const failing = database.asOwner.transaction(async (tx) => {
      const add = (n: number) => tx.query('INSERT INTO late_t VALUES ($1)', [n]);
      late.push(
        ...[1, 1, 2, 3, 4].map(add),
        add(5).catch(() => add(6)),
        failing.catch(() => add(7)),
      );
      await Promise.all(late);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    const outcomes = await Promise.allSettled(late);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', ...Array<string>(6).fill('rejected')]);
    expect(outcomes.at(-1)).toMatchObject({ reason: { message: expect.stringContaining('over') as string } });
    expect(await database.asOwner.query('SELECT n FROM late_t')).toEqual([]);
  });

  test('a NUL in text is the fault of the input', async () => {
    await expect(database.asOwner.query('SELECT $1::text', ['a\0b'])).rejects.toMatchObject({
      code: 'invalid_text',
    });
    await expect(database.asOwner.query('SELECT $1::jsonb', ['{"a":"\\u0000"}'])).rejects.toMatchObject({
      code: 'invalid_text',
    });
    expect(await database.asOwner.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('closing waits for what was asked before, refuses what comes later, and is done once', async () => {
    const database = await open();
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    const { size } = database.poolUse();
    const transactions = Array.from({ length: size }, () => database.asOwner.transaction(() => held));
    const waiting = database.asOwner.query('SELECT 1 AS one');
    const closed = [database.close(), database.close()];
    await expect(database.asOwner.query('SELECT 1')).rejects.toThrow('closed');
    go();
    expect(await waiting).toEqual([{ one: 1 }]);
    await Promise.all([...transactions, ...closed]);
  });
});
