import { slices } from '../../src/app.module.js';
import { Domain } from '../../src/kernel/domain.js';
import { eachDatabase } from './databases.js';

const projected = new Domain(slices).projections.flatMap(({ tables }) => tables);

eachDatabase((open) => {
  test('the tables that a rebuild makes anew are those that a projection writes', async () => {
    const database = await open();
    const rows = await database.asOwner.query<{ schema: string; name: string }>(
      `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`,
    );
    const named = (schema: string) => rows.filter((row) => row.schema === schema).map(({ name }) => name);
    expect(named('catalog').sort()).toEqual([...projected].sort());
    expect(rows.filter(({ schema }) => !['catalog', 'public'].includes(schema))).toEqual([]);
  });

  test('every key and unique index begins with the host, so that a host can live on a shard of its own', async () => {
    const database = await open();
    const rows = await database.asOwner.query<{ name: string; first: string }>(
      `SELECT i.indexrelid::regclass::text AS name, a.attname AS first
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
       WHERE i.indisunique AND n.nspname IN ('catalog', 'public') AND c.relname <> 'schema_migration_t'`,
    );
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.filter(({ first }) => first !== 'host_id')).toEqual([]);
  });
});
