import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { embeddedSettings, sessionSettings } from './session-settings.js';

/** Starts the engine on the files in `dataDir`, or in memory from what `dumpDataDir` gave. */
export async function startEngine(options: { dataDir?: string; loadDataDir?: Blob }): Promise<PGlite> {
  // Left behind by a killed process; the directory is ours alone.
  if (options.dataDir !== undefined) await rm(join(options.dataDir, 'postmaster.pid'), { force: true });
  const engine = await PGlite.create({ ...options, extensions: { vector, pg_trgm } });
  const settings = [...sessionSettings, ...embeddedSettings];
  await engine.exec(settings.map(([name, value]) => `SET ${name} TO ${value};`).join(' '));
  return engine;
}

/** Answers what comes through the port: messages of PostgreSQL's protocol, whole ones; `null` closes the engine. */
export function serve(engine: PGlite, port: MessagePort): void {
  port.on('message', (bytes: Uint8Array | null) => {
    if (bytes === null) {
      void engine.close().finally(() => {
        port.close();
      });
      return;
    }
    // A copy: some answers lie in a buffer that the engine goes on using.
    const answer = engine.execProtocolRawSync(bytes).slice();
    port.postMessage(answer, [answer.buffer]);
  });
}
