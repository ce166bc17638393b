import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedEmbedded } from '../integration/database-templates.js';
import { freshServerDatabase } from '../integration/databases.js';
import { isSoak } from '../soak.js';

export type Kind = 'embedded' | 'server';

/** The databases that this machine has. */
export const allKinds: readonly Kind[] =
  process.env['TEST_DATABASE_URL'] === undefined ? ['embedded'] : ['embedded', 'server'];

/** Those that suites over HTTP run on: in `npm test` one, PostgreSQL where there is one; in a soak all. */
export const kinds: readonly Kind[] = isSoak ? allKinds : allKinds.slice(-1);

export function nameOf(kind: Kind): string {
  return kind === 'server' ? 'on PostgreSQL' : 'on the embedded database';
}

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
