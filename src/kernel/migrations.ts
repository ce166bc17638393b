import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseUnfit } from './errors.js';
import { sqlState, type Database, type Sql } from './sql.js';

/** `ground` makes the log and its operational tables, `catalog` the projections, which a rebuild makes anew. */
export type MigrationSet = 'ground' | 'catalog';

export interface Migration {
  /** `ground/0001_event_store.sql` */
  readonly name: string;
  readonly text: string;
  /** Hex SHA-256 of the text. */
  readonly checksum: string;
}

/** Number of the advisory lock under which a database is migrated. */
const MIGRATION_LOCK = 7_020_101;

const schemaOf: Readonly<Record<MigrationSet, string>> = { ground: 'public', catalog: 'catalog, public' };

/** The files of one set, in order of their numbers. */
export async function readMigrations(set: MigrationSet): Promise<readonly Migration[]> {
  const directory = join(packageRoot(), 'migrations', set);
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(directory, file), 'utf8');
      return { name: `${set}/${file}`, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Migrates the tables, all or nothing. Several instances may try at once: one does the work, the others
 * wait. Returns the names of the files that were applied.
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  const sets = [await readMigrations('ground'), await readMigrations('catalog')];
  return database.asOwner.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const applied = await appliedMigrations(sql).catch((error: unknown) => {
      throw unfit(error) ?? error;
    });
    refuseForeign(applied, sets.flat());
    const missing = sets.flat().filter(({ name }) => !applied.has(name));
    for (const migration of missing) await apply(sql, migration);
    if (missing.length > 0) await sql.query(`SELECT raise_walls('public'), raise_walls('catalog')`);
    return missing.map(({ name }) => name);
  });
}

async function appliedMigrations(sql: Sql): Promise<ReadonlyMap<string, string>> {
  await sql.query(`CREATE SCHEMA IF NOT EXISTS catalog;
    CREATE TABLE IF NOT EXISTS public.schema_migration_t (
      name text PRIMARY KEY, checksum text NOT NULL, applied timestamptz NOT NULL DEFAULT now())`);
  const rows = await sql.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM schema_migration_t',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

function refuseForeign(applied: ReadonlyMap<string, string>, files: readonly Migration[]): void {
  const checksums = new Map(files.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of applied) {
    const present = checksums.get(name);
    if (present === undefined) {
      throw new DatabaseUnfit(
        `The database was migrated by a newer version (${name} is unknown here). Run that version.`,
      );
    }
    if (present !== checksum) {
      throw new DatabaseUnfit(
        `The migration ${name} was changed after this database had applied it. Restore the file, and put the change ` +
          'into a new one.',
      );
    }
  }
}

async function apply(sql: Sql, { name, text, checksum }: Migration): Promise<void> {
  const set: MigrationSet = name.startsWith('ground/') ? 'ground' : 'catalog';
  await sql.query(`SET LOCAL search_path TO ${schemaOf[set]}`);
  try {
    await sql.query(text);
  } catch (error) {
    throw unfit(error) ?? new Error(`The migration ${name} failed: ${messageOf(error)}`, { cause: error });
  }
  await sql.query('INSERT INTO public.schema_migration_t (name, checksum) VALUES ($1, $2)', [name, checksum]);
}

/** SQLSTATEs of an extension whose files are missing: feature_not_supported, undefined_file. */
const notInstalled: readonly unknown[] = ['0A000', '58P01'];
const insufficientPrivilege = '42501';

/** Turns an error about a missing extension or right into one that says what to do; undefined for other errors. */
function unfit(error: unknown): DatabaseUnfit | undefined {
  const message = messageOf(error);
  const [, extension] = /extension "(\w+)"/.exec(message) ?? [];
  const state = sqlState(error);
  if (extension !== undefined && notInstalled.includes(state)) {
    const from = extension === 'vector' ? 'pgvector' : 'the contributed modules of PostgreSQL';
    return new DatabaseUnfit(
      `The PostgreSQL lacks the extension ${extension}: install ${from} on its machine (the image pgvector/pgvector has it), ` +
        'then start again.',
    );
  }
  if (state !== insufficientPrivilege) return undefined;
  if (extension !== undefined) {
    return new DatabaseUnfit(
      `The user of the database may not make the extension ${extension}. An administrator says once, in this database: ` +
        `CREATE EXTENSION ${extension};`,
    );
  }
  const hint: unknown = Reflect.get(error as object, 'hint');
  const mend = typeof hint === 'string' ? hint : mendOf(message);
  return new DatabaseUnfit(
    `The user of the database may not bring its tables up to date: ${message}. ${mend}`,
  );
}

/** Says what to do where another database owns the roles, or the user may not become one of them. */
function mendOf(message: string): string {
  const [, role] = /role "(portal_catalog_\w+)"/.exec(message) ?? [];
  return role === undefined
    ? 'Make it the owner of the database and of its schema public.'
    : `An administrator says once: GRANT portal_catalog_host, portal_catalog_query TO <user>; and GRANT portal_catalog_all_hosts TO <user> (from PostgreSQL 16 on WITH INHERIT FALSE, SET TRUE).`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Finds the root of the package, the same from the sources and from the build: the directory above that holds the migrations. */
export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'migrations', 'ground'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error('The directory of the package was not found.');
    directory = parent;
  }
  return directory;
}
