import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openInMemory } from '../../src/platform/database/embedded.js';
import {
  connectEmbedded,
  connectServer,
  type OpenDatabase,
} from '../../src/platform/database/open-database.js';
import { embeddedTemplate, onServer, serverTemplate, withDatabase } from './database-templates.js';

const serverUrl = process.env['TEST_DATABASE_URL'];

/** Gives a database of its own, migrated and empty; it is closed and removed after the tests of the suite. */
export type Open = () => Promise<OpenDatabase>;

/**
 * Runs a suite on every database that the machine has: the embedded one, and a PostgreSQL where
 * `TEST_DATABASE_URL` names one whose user may create databases.
 */
export function eachDatabase(suite: (open: Open, kind: 'embedded' | 'server') => void): void {
  describe('on the embedded database', () => {
    suite(opener(openEmbeddedTest, embeddedTemplate), 'embedded');
  });
  const admin = serverUrl;
  if (admin === undefined) return;
  describe('on PostgreSQL', () => {
    suite(
      opener(openServerTest, () => serverTemplate(admin)),
      'server',
    );
  });
}

/** Runs a suite with a database of each kind at once: the embedded one, and a PostgreSQL where the machine has one. */
export function betweenDatabases(suite: (opens: readonly Open[]) => void): void {
  const admin = serverUrl;
  suite([
    opener(openEmbeddedTest, embeddedTemplate),
    ...(admin === undefined ? [] : [opener(openServerTest, () => serverTemplate(admin))]),
  ]);
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
  await onServer(admin, async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    // Only where the server or its machine fails is a commit less that its disk has not got yet; else each would wait for that.
    await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  });
  await onServer(url, (client) => client.query('SELECT close_to_public()'));
  return {
    url,
    drop: () => onServer(admin, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

function opener(openOne: () => Promise<OpenDatabase>, makeTemplate: () => Promise<unknown>): Open {
  const opened: OpenDatabase[] = [];
  afterAll(async () => {
    for (const database of opened.splice(0)) await database.close();
  });
  // The first to open one pays for the template.
  beforeAll(makeTemplate);
  return async () => {
    const database = await openOne();
    opened.push(database);
    return database;
  };
}

async function openEmbeddedTest(): Promise<OpenDatabase> {
  const template = new Blob([await readFile(await embeddedTemplate())]);
  return connectEmbedded(await openInMemory(template));
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
