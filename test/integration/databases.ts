import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, readMigrations } from '../../src/eventsourcing/migrations.js';
import { openInMemory } from '../../src/platform/database/embedded.js';
import {
  connectEmbedded,
  connectServer,
  type OpenDatabase,
} from '../../src/platform/database/open-database.js';

const serverUrl = process.env['TEST_DATABASE_URL'];

/** Gives a database of its own, migrated and empty; it is closed and removed after the tests of the suite. */
export type Open = () => Promise<OpenDatabase>;

/**
 * Runs a suite on every database that the machine has: the embedded one, and a PostgreSQL where
 * `TEST_DATABASE_URL` names one whose user may create databases.
 */
export function eachDatabase(suite: (open: Open, kind: 'embedded' | 'server') => void): void {
  describe('on the embedded database', () => {
    suite(opener(openEmbeddedTest), 'embedded');
  });
  if (serverUrl === undefined) {
    process.stdout.write('Not run on a PostgreSQL: TEST_DATABASE_URL is not set.\n');
    return;
  }
  describe('on PostgreSQL', () => {
    suite(opener(openServerTest), 'server');
  });
}

/** A database on the PostgreSQL of `TEST_DATABASE_URL`, for a process of its own. */
export interface ServerDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Makes a migrated, empty database on the PostgreSQL of `TEST_DATABASE_URL`. */
export async function freshServerDatabase(): Promise<ServerDatabase> {
  if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is not set.');
  const admin = serverUrl;
  const template = await serverTemplate(admin);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = withDatabase(admin, name);
  await onServer(admin, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  await onServer(url, (client) => client.query('SELECT close_to_public()'));
  return {
    url,
    drop: () => onServer(admin, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

function opener(openOne: () => Promise<OpenDatabase>): Open {
  const opened: OpenDatabase[] = [];
  afterAll(async () => {
    for (const database of opened.splice(0)) await database.close();
  }, 30_000);
  // The first to open one pays for the template.
  beforeAll(async () => {
    await (await openOne()).close();
  }, 120_000);
  return async () => {
    const database = await openOne();
    opened.push(database);
    return database;
  };
}

async function openEmbeddedTest(): Promise<OpenDatabase> {
  const file = join(tmpdir(), `portal-catalog-template-${await migrationsKey()}.tar`);
  if (existsSync(file)) return connectEmbedded(await openInMemory(new Blob([await readFile(file)])));
  const embedded = await openInMemory();
  const database = await connectEmbedded(embedded);
  await migrate(database);
  const dump = await embedded.engine.dumpDataDir('none');
  // Test files run side by side: each writes its own, the last one in place wins.
  const own = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(own, Buffer.from(await dump.arrayBuffer()));
  await rename(own, file);
  return database;
}

async function openServerTest(): Promise<OpenDatabase> {
  const server = await freshServerDatabase();
  const database = await connectServer(server.url, 16);
  const close = database.close.bind(database);
  return Object.assign(database, {
    async close() {
      await close();
      await server.drop();
    },
  });
}

/** Name of a database that is migrated, made by the first who needs it. */
async function serverTemplate(admin: string): Promise<string> {
  const name = `template_${await migrationsKey()}`;
  await onServer(admin, async (client) => {
    await client.query('SELECT pg_advisory_lock(7020999)');
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [
      name,
    ]);
    if (rows.length > 0) return;
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name}`);
    const database = await connectServer(withDatabase(admin, name), 2);
    await migrate(database).finally(() => database.close());
    // Says that it is complete.
    await client.query(`ALTER DATABASE ${name} WITH is_template true`);
  });
  return name;
}

async function migrationsKey(): Promise<string> {
  const files = [...(await readMigrations('ground')), ...(await readMigrations('catalog'))];
  const checksums = files.map(({ name, checksum }) => `${name} ${checksum}`);
  return createHash('sha256').update(checksums.join('\n')).digest('hex').slice(0, 16);
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
