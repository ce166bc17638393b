import { TableStatistics } from '../../../src/kernel/table-statistics.js';
import type { Sql } from '../../../src/kernel/sql.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';

/** Rows that the planner takes the table for; -1 where it was never analyzed. */
async function rowsKnown(database: OpenDatabase): Promise<number | undefined> {
  const [row] = await database.asOwner.query<{ rows: number }>(
    `SELECT reltuples::bigint AS rows FROM pg_class WHERE oid = 'public.grown_t'::regclass`,
  );
  return row?.rows;
}

eachDatabase((open, kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    await database.asOwner.query(
      'CREATE TABLE public.grown_t (n bigserial PRIMARY KEY, text text) WITH (autovacuum_enabled = off)',
    );
  });
  afterEach(async () => {
    await database.asOwner.query('DROP TABLE public.grown_t');
  });

  const grow = (rows: number) =>
    database.asOwner.query(
      `INSERT INTO grown_t (text) SELECT repeat('x', 500) FROM generate_series(1, $1::int)`,
      [rows],
    );

  test('a table is analyzed each time it has grown by a half, once so many events were taken in', async () => {
    const statistics = new TableStatistics(database);
    await grow(1_000);
    await statistics.counted(150);
    expect(await rowsKnown(database)).toBe(-1);
    await statistics.counted(50);
    expect(await rowsKnown(database)).toBe(1_000);
    await grow(100);
    await statistics.counted(200);
    expect(await rowsKnown(database)).toBe(1_000);
    await grow(900);
    await statistics.counted(200);
    expect(await rowsKnown(database)).toBe(2_000);
  });

  test('what grows while tables are analyzed is analyzed, too, though no event comes after it', async () => {
    let analyzed = 0;
    const asOwner: Sql = {
      async query(...call) {
        const rows = await database.asOwner.query<never>(...call);
        const [text] = call;
        if (text.startsWith('ANALYZE') && text.includes('grown_t') && (analyzed += 1) === 1) {
          await grow(2_000);
          await statistics.counted(200);
        }
        return rows;
      },
    };
    const statistics = new TableStatistics({ asOwner: { ...database.asOwner, ...asOwner } });
    await grow(1_000);
    await statistics.counted(200);
    expect([analyzed, await rowsKnown(database)]).toEqual([2, 3_000]);
  });

  if (kind === 'server') {
    test('what a transaction had yet to commit when its table was analyzed is known after the next look', async () => {
      const statistics = new TableStatistics(database);
      await database.asOwner.transaction(async (tx) => {
        await tx.query(`INSERT INTO grown_t (text) SELECT repeat('x', 500) FROM generate_series(1, 2000)`);
        await statistics.counted(200);
        expect(await rowsKnown(database)).toBe(0);
      });
      await statistics.counted(200);
      expect(await rowsKnown(database)).toBe(2_000);
    });
  }
});
