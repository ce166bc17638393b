import { v7 } from 'uuid';
import { timedSql, timedTransaction } from '../../../src/platform/work/slow-reads.js';
import { eachDatabase } from '../databases.js';

class TooSlow extends Error {}

eachDatabase((open, kind) => {
  const limits = { most: 50, tooSlow: () => new TooSlow() };
  const timed = async () => timedSql(await open(), v7(), 50, () => new TooSlow());

  if (kind === 'server') {
    test('a statement that takes longer than there is time is ended by the database', async () => {
      await expect((await timed()).query('SELECT pg_sleep(3600)')).rejects.toBeInstanceOf(TooSlow);
      const asleep = timedTransaction(await open(), v7(), limits, (sql) =>
        sql.query('SELECT pg_sleep(3600)'),
      );
      await expect(asleep).rejects.toBeInstanceOf(TooSlow);
    });
  } else {
    test('a statement that takes longer than there is time goes on, and the next is refused', async () => {
      const sql = await timed();
      await sql.query('SELECT pg_sleep(0.06)');
      await expect(sql.query('SELECT 1')).rejects.toBeInstanceOf(TooSlow);
    });
  }

  test('in one transaction the statements share one connection and its moment', async () => {
    const asked = timedTransaction(await open(), v7(), { ...limits, most: 60_000 }, async (sql) => [
      await sql.query<{ at: Date }>('SELECT now() AS at'),
      await sql.query<{ at: Date }>('SELECT now() AS at'),
    ]);
    const [first, second] = await asked;
    expect(first).toEqual(second);
  });

  test('and none is sent once their time has passed', async () => {
    const asked = timedTransaction(await open(), v7(), { ...limits, most: 0 }, (sql) =>
      sql.query('SELECT 1'),
    );
    await expect(asked).rejects.toBeInstanceOf(TooSlow);
  });
});
