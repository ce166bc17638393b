import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedEmbedded } from '../integration/database-templates.js';
import { freshServerDatabase } from '../integration/databases.js';
import type { Kind } from './kinds.js';

/** Where a service keeps what it must not lose: a data directory, and a PostgreSQL or the directory itself. */
export interface Home {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Removes all of it. */
  raze(): Promise<void>;
}

/** @param fresh with nothing in it yet, as at the first start; else with a database that is migrated and empty */
export async function newHome(kind: Kind, fresh = false): Promise<Home> {
  const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-service-'));
  const database = kind === 'server' ? await freshServerDatabase() : undefined;
  if (database === undefined && !fresh) await seedEmbedded(directory);
  return {
    directory,
    environment: {
      DATA_DIR: directory,
      ...(database === undefined ? {} : { DATABASE_URL: database.url, AUTH_DEV_ISSUER: 'on' }),
    },
    async raze() {
      await database?.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
