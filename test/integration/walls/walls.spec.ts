import { randomUUID } from 'node:crypto';
import { slices } from '../../../src/app.module.js';
import { Domain } from '../../../src/kernel/domain.js';
import { Rebuild } from '../../../src/kernel/rebuild.js';
import type { Database, Sql } from '../../../src/kernel/sql.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';
import { Tables } from '../effective-catalog/tables.js';

/** Tables without a wall, and why. */
const open: Readonly<Record<string, string>> = {
  schema_migration_t:
    'which migrations the database has had; it knows no host, and no role but the owner reads it',
};
/** Functions that work as a role which no wall stops, and name the host themselves. */
const definers = ['documents_with', 'words_like'];

/** What every host reads of the host of zeros, beside its own. */
const alsoGlobal = ['category_t', 'tag_t'];

const ours = `n.nspname IN ('catalog', 'public')
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = c.oid AND e.deptype = 'e')`;

async function tablesOf({ asOwner }: Database) {
  return asOwner.query<{ name: string; walled: boolean; owned: boolean }>(
    `SELECT c.relname AS name, c.relowner = 'portal_catalog_host'::regrole AS owned,
       c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (
         SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'host_wall' AND p.polcmd = '*'
           AND pg_get_expr(p.polqual, p.polrelid) = $1) AS walled
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'm', 'f') AND ${ours} ORDER BY 1`,
    [`(host_id = (NULLIF(current_setting('app.host'::text, true), ''::text))::uuid)`],
  );
}

eachDatabase((openDatabase) => {
  let database: OpenDatabase;
  const [one, two] = [randomUUID(), randomUUID()];
  let walled: readonly string[];

  beforeAll(async () => {
    database = await openDatabase();
    walled = (await tablesOf(database)).map(({ name }) => name).filter((name) => !(name in open));
    for (const hostId of [one, two]) {
      const tables = new Tables(database.asOwner, hostId);
      for (const name of walled) await tables.add(name, {});
    }
  });

  const allAround = async (): Promise<void> => {
    const tables = await tablesOf(database);
    expect(tables.length).toBeGreaterThan(40);
    expect(tables.filter((table) => !table.walled).map(({ name }) => name)).toEqual(Object.keys(open));
    expect(tables.filter(({ owned }) => owned)).toEqual([]);
    const views = await database.asOwner.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'v' AND c.relowner <> 'portal_catalog_host'::regrole AND ${ours}`,
    );
    expect(views).toEqual([]);
  };

  test('every table has its wall, also against its owner, and no view looks over it', allAround);

  test('the roles are nobody special, and what runs as another is listed', async () => {
    const roles = await database.asOwner.query<object>(
      `SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolcanlogin AS special FROM pg_roles
       WHERE rolname LIKE 'portal\\_catalog\\_%'`,
    );
    expect(roles).toEqual([{ special: false }, { special: false }, { special: false }]);
    const found = await database.asOwner.query<{ name: string }>(
      `SELECT c.proname AS name FROM pg_proc c JOIN pg_namespace n ON n.oid = c.pronamespace
       WHERE c.prosecdef AND ${ours} ORDER BY 1`,
    );
    expect(found.map(({ name }) => name)).toEqual(definers);
  });

  test('a statement that names no host sees and changes the rows of its own alone', async () => {
    for (const name of walled) {
      const seen = await database.of(one).query(`SELECT host_id FROM ${name}`);
      expect([name, seen]).toEqual([name, [{ host_id: one }]]);
    }
    const undone = new Error('undone');
    const changing = database.of(one).transaction(async (tx) => {
      for (const name of walled.filter((table) => table !== 'event_store_t')) {
        const changed = await tx.query(`UPDATE ${name} SET host_id = host_id RETURNING host_id`);
        expect([name, changed]).toEqual([name, [{ host_id: one }]]);
        const gone = await tx.query(`DELETE FROM ${name} RETURNING host_id`);
        expect([name, gone]).toEqual([name, [{ host_id: one }]]);
      }
      throw undone;
    });
    await expect(changing).rejects.toBe(undone);
  });

  test('so does a view, of which each host has rows', async () => {
    const views = await database.asOwner.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'v' AND ${ours} ORDER BY 1`,
    );
    const hostsIn = async (sql: Sql, name: string): Promise<string[]> => {
      const rows = await sql.query<{ host_id: string }>(`SELECT DISTINCT host_id FROM ${name}`);
      return rows.map(({ host_id }) => host_id);
    };
    // Rows that some views look for, beside those that there are.
    const more = ['skill', 'tool', 'endpoint', 'workflow'].flatMap((entity_type) => [
      ['entity_category_t', { entity_type }] as const,
      ['entity_tag_t', { entity_type }] as const,
    ]);
    for (const hostId of [one, two]) {
      const tables = new Tables(database.asOwner, hostId);
      for (const [table, row] of more) await tables.add(table, row);
      await tables.set('gateway_drift_t', {}, { kind: 'recorded' });
      await tables.set(
        'tool_version_t',
        {},
        {
          content: { params: [{ name: 'p' }] },
          about: { title: 't', owner: null, examples: [] },
        },
      );
    }
    const seen = await Promise.all(
      views.map(async ({ name }) => [name, await hostsIn(database.of(one), name)]),
    );
    expect(seen).toEqual(views.map(({ name }) => [name, [one]]));
    expect(views.length).toBeGreaterThan(20);
    for (const [table] of more) await database.asOwner.query(`DELETE FROM ${table} WHERE entity_type <> ''`);
  });

  test('rows can neither be put into another host nor moved there', async () => {
    for (const name of walled) {
      const tables = new Tables(database.of(one), two);
      await expect(tables.add(name, {})).rejects.toMatchObject({ code: '42501' });
      await expect(database.of(one).query(`UPDATE ${name} SET host_id = $1`, [two])).rejects.toMatchObject({
        code: '42501',
      });
    }
  });

  test('the log is added to and never changed', async () => {
    await expect(database.of(one).query('UPDATE event_store_t SET data = NULL')).rejects.toThrow(
      /permission/,
    );
    await expect(database.of(one).query('DELETE FROM event_store_t')).rejects.toThrow(/permission/);
  });

  test('who names no host sees nothing; who names nonsense is refused', async () => {
    await database.asOwner.transaction(async (tx) => {
      await tx.query('SET LOCAL ROLE portal_catalog_host');
      for (const name of walled) expect(await tx.query(`SELECT FROM ${name}`)).toEqual([]);
    });
    expect(() => database.of(`${one}'; RESET ROLE; --`)).toThrow('UUID in lower case');
    expect(() => database.of(one.toUpperCase())).toThrow('UUID in lower case');
  });

  test('across hosts goes what is granted, and no further', async () => {
    const hosts = await database.acrossHosts.query('SELECT host_id FROM host_head_t WHERE position >= 0');
    expect(hosts).toHaveLength(2);
    for (const secret of [
      'hash FROM host_head_t',
      'data FROM event_store_t',
      'body FROM idempotency_key_t',
    ]) {
      await expect(database.acrossHosts.query(`SELECT ${secret}`)).rejects.toMatchObject({ code: '42501' });
    }
    for (const name of ['skill_t', 'tool_t', 'evaluation_t']) {
      await expect(database.acrossHosts.query(`SELECT FROM ${name}`)).rejects.toMatchObject({
        code: '42501',
      });
    }
  });

  test('global categories and tags are read by every host, and changed by none', async () => {
    const zeros = '00000000-0000-0000-0000-000000000000';
    for (const name of alsoGlobal) {
      await new Tables(database.asOwner, zeros).add(name, {});
      const seen = await database.of(one).query(`SELECT host_id FROM ${name} ORDER BY 1`);
      expect(seen).toEqual([{ host_id: zeros }, { host_id: one }]);
      expect(
        await database.of(one).query(`DELETE FROM ${name} WHERE host_id = $1 RETURNING 1`, [zeros]),
      ).toEqual([]);
      await database.asOwner.query(`DELETE FROM ${name} WHERE host_id = $1`, [zeros]);
    }
  });

  test('tables that were rebuilt have their walls too', async () => {
    await database.asOwner.query('DELETE FROM host_head_t; DELETE FROM event_store_t');
    await new Rebuild(database, new Domain(slices)).run();
    await allAround();
  });
});
