import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { DatabaseUnfit } from '../../../src/kernel/errors.js';
import { migrate, readMigrations } from '../../../src/kernel/migrations.js';
import { inThisThread, openInMemory } from '../../../src/platform/database/embedded.js';
import { connectEmbedded, connectServer } from '../../../src/platform/database/open-database.js';
import { eachDatabase, freshServerDatabase } from '../databases.js';

eachDatabase((open, kind) => {
  test('a migrated database is left as it is', async () => {
    expect(await migrate(await open())).toEqual([]);
  });

  test('a file that was changed after it was applied is named', async () => {
    const database = await open();
    await database.asOwner.query(
      `UPDATE schema_migration_t SET checksum = 'x' WHERE name = 'ground/0001_event_store.sql'`,
    );
    await expect(migrate(database)).rejects.toThrow('ground/0001_event_store.sql was changed');
  });

  test('a database of a newer version is refused', async () => {
    const database = await open();
    await database.asOwner.query(
      `INSERT INTO schema_migration_t (name, checksum) VALUES ('catalog/9999_later.sql', 'x')`,
    );
    await expect(migrate(database)).rejects.toThrow('newer version (catalog/9999_later.sql');
  });

  test('a file that fails leaves nothing behind and is named', async () => {
    const database = await open();
    // The first catalog file will find its table taken.
    const [first] = await readMigrations('catalog');
    const name = first?.name ?? '';
    const table = /CREATE TABLE (\w+)/.exec(first?.text ?? '')?.[1] ?? '';
    await database.asOwner
      .query(`DROP SCHEMA catalog CASCADE; CREATE SCHEMA catalog; CREATE TABLE catalog.${table} (id int);
      DELETE FROM schema_migration_t WHERE name LIKE 'catalog/%'`);
    await expect(migrate(database)).rejects.toThrow(`${name} failed`);
    expect(
      await database.asOwner.query(`SELECT FROM schema_migration_t WHERE name LIKE 'catalog/%'`),
    ).toEqual([]);
  });

  if (kind === 'server') {
    test('a user that may not make an extension or a table learns who may', async () => {
      const server = await freshServerDatabase();
      const user = `plain_${randomUUID().slice(0, 8)}`;
      const admin = await connectServer(server.url, 1);
      await admin.asOwner.query(
        `DROP SCHEMA catalog CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE ROLE ${user} LOGIN PASSWORD 'plain'`,
      );
      const address = Object.assign(new URL(server.url), { username: user, password: 'plain' });
      const plain = await connectServer(address.href, 1);
      const refused = async (sentence: string): Promise<void> => {
        const error: unknown = await migrate(plain).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(DatabaseUnfit);
        expect(String(error)).toContain(sentence);
      };
      try {
        await refused('Make it the owner of the database');
        await admin.asOwner.query(`ALTER SCHEMA public OWNER TO ${user};
          DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO ${user}', current_database()); END $$`);
        await refused('CREATE EXTENSION vector;');
        await admin.asOwner.query('CREATE EXTENSION vector');
        await refused('An administrator says once');
      } finally {
        await plain.close();
        await admin.asOwner.query(`REASSIGN OWNED BY ${user} TO CURRENT_USER; DROP ROLE ${user}`);
        await admin.close();
        await server.drop();
      }
    });

    test('instances that start at once do the work once', async () => {
      const server = await freshServerDatabase();
      const emptied = await connectServer(server.url, 1);
      await emptied.asOwner.query(
        `DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA catalog CASCADE`,
      );
      await emptied.close();
      const instances = await Promise.all(Array.from({ length: 5 }, () => connectServer(server.url, 2)));
      const applied = await Promise.all(instances.map((instance) => migrate(instance)));
      expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
      await Promise.all(instances.map((instance) => instance.close()));
      await server.drop();
    });
  } else {
    test('a PostgreSQL without pgvector is refused in a sentence that says what to do', async () => {
      const database = await connectEmbedded(await inThisThread(await PGlite.create()));
      const error: unknown = await migrate(database).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DatabaseUnfit);
      expect(String(error)).toMatch(/lacks the extension vector: install pgvector/);
      await database.close();
    });

    test('an empty database gets every file, in order', async () => {
      const database = await connectEmbedded(await openInMemory());
      const names = [...(await readMigrations('ground')), ...(await readMigrations('catalog'))].map(
        ({ name }) => name,
      );
      expect(await migrate(database)).toEqual(names);
      await database.close();
    });
  }
});

test('the files are numbered, no two alike', async () => {
  for (const set of ['ground', 'catalog'] as const) {
    const numbers = (await readMigrations(set)).map(({ name }) =>
      Number(/\/(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1]),
    );
    expect(numbers).not.toContain(NaN);
    expect(new Set(numbers).size).toBe(numbers.length);
  }
});
