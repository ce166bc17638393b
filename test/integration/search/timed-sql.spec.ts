import { v7 } from 'uuid';
import { timedSql } from '../../../src/platform/work/slow-reads.js';
import { eachDatabase } from '../databases.js';

class TooSlow extends Error {}

eachDatabase((open, kind) => {
  const timed = async () => timedSql(await open(), v7(), 50, () => new TooSlow());

  if (kind === 'server') {
    test('a statement that takes longer than there is time is ended by the database', async () => {
      await expect((await timed()).query('SELECT pg_sleep(3600)')).rejects.toBeInstanceOf(TooSlow);
    });
  } else {
    test('a statement that takes longer than there is time goes on, and the next is refused', async () => {
      const sql = await timed();
      await sql.query('SELECT pg_sleep(0.06)');
      await expect(sql.query('SELECT 1')).rejects.toBeInstanceOf(TooSlow);
    });
  }
});
