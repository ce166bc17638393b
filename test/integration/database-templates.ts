import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { migrate, readMigrations } from '../../src/kernel/migrations.js';
import { openEmbedded, openInMemory } from '../../src/platform/database/embedded.js';
import { connectEmbedded, connectServer } from '../../src/platform/database/open-database.js';

/** File with an embedded database that is migrated and empty, made by the first who needs it. */
export function embeddedTemplate(): Promise<string> {
  return made('portal-catalog-template.tar', async (file) => {
    const embedded = await openInMemory();
    const database = await connectEmbedded(embedded);
    await migrate(database);
    const dump = await embedded.engine.dumpDataDir('none');
    await database.close();
    await writeFile(file, Buffer.from(await dump.arrayBuffer()));
  });
}

/** Puts an embedded database that is migrated and empty into a data directory: to make one takes many times as long. */
export async function seedEmbedded(directory: string): Promise<void> {
  const template = await made('portal-catalog-template', async (own) => {
    const database = await connectEmbedded(await openEmbedded(own));
    await migrate(database);
    await database.close();
  });
  await cp(join(template, 'postgres'), join(directory, 'postgres'), { recursive: true });
}

/** Path of what `make` has made of today's migrations, now or in an earlier test. */
async function made(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(tmpdir(), `${await migrationsKey()}-${name}`);
  if (existsSync(path)) return path;
  // Test files run side by side: each makes its own, and one of them takes the place.
  const own = join(await mkdtemp(join(tmpdir(), 'portal-catalog-making-')), name);
  await make(own);
  await rename(own, path).catch((error: unknown) => {
    if (!existsSync(path)) throw error;
  });
  await rm(dirname(own), { recursive: true });
  return path;
}

/** Name of a database that is migrated, made by the first who needs it. */
export async function serverTemplate(admin: string): Promise<string> {
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

export async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
