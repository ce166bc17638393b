import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { couldNotOpen, refuseBroken } from './embedded-directory.js';
import { DirectoryLock } from './directory-lock.js';
import { embeddedSettings, sessionSettings } from './session-settings.js';

/** A PostgreSQL inside this process. */
export interface Embedded {
  readonly engine: PGlite;
  close(): Promise<void>;
}

/** Opens the embedded database in `directory`, which it holds exclusively until it is closed. */
export async function openEmbedded(directory: string): Promise<Embedded> {
  const lock = await DirectoryLock.take(directory);
  try {
    const dataDir = join(directory, 'postgres');
    await refuseBroken(dataDir);
    const engine = await start({ dataDir }).catch((error: unknown) => {
      throw couldNotOpen(dataDir, error);
    });
    return {
      engine,
      async close() {
        await engine.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Opens an embedded database in memory, from what `dumpDataDir` gave if that is given. */
export async function openInMemory(template?: Blob): Promise<Embedded> {
  const engine = await start(template === undefined ? {} : { loadDataDir: template });
  return { engine, close: () => engine.close() };
}

async function start(options: { dataDir?: string; loadDataDir?: Blob }): Promise<PGlite> {
  // Left behind by a killed process; the directory is ours alone.
  if (options.dataDir !== undefined) await rm(join(options.dataDir, 'postmaster.pid'), { force: true });
  const engine = await PGlite.create({ ...options, extensions: { vector, pg_trgm } });
  const settings = [...sessionSettings, ...embeddedSettings];
  await engine.exec(settings.map(([name, value]) => `SET ${name} TO ${value};`).join(' '));
  return engine;
}
