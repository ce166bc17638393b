import { TableStatistics } from '../../../src/kernel/table-statistics.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';

/** Rows that the planner takes the table for; -1 where it was never analyzed. */
async function rowsKnown(database: OpenDatabase): Promise<number | undefined> {
  const [row] = await database.asOwner.query<{ rows: number }>(
    `SELECT reltuples::bigint AS rows FROM pg_class WHERE oid = 'public.grown_t'::regclass`,
  );
  return row?.rows;
}

eachDatabase((open) => {
  test('a table is analyzed each time it has grown by a half, once so many events were taken in', async () => {
    const database = await open();
    await database.asOwner.query(
      'CREATE TABLE public.grown_t (n bigserial PRIMARY KEY, text text) WITH (autovacuum_enabled = off)',
    );
    const grow = (rows: number) =>
      database.asOwner.query(
        `INSERT INTO grown_t (text) SELECT repeat('x', 500) FROM generate_series(1, $1::int)`,
        [rows],
      );
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
});
