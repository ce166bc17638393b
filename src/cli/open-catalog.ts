import { readConfig, type Config } from '../platform/config/config.js';
import type { OpenDatabase } from '../platform/database/open-database.js';
import { CliFault, exitCodes } from './cli-fault.js';

/** What commands that open the database themselves say of it. */
export const databaseHelp = `
The database is opened directly: the one of DATABASE_URL, else the embedded one in DATA_DIR. The embedded one serves a
single process: stop the service first.`;

/** Opens the database of the environment, as it is; runs `work` on it, and closes it whatever happens. */
export async function withDatabase<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await open(readConfig());
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** What a database needs is loaded here, so that commands without one start at once. */
async function open({ databaseUrl, databasePoolSize, dataDirectory }: Config): Promise<OpenDatabase> {
  const { connectEmbedded, connectServer } = await import('../platform/database/open-database.js');
  if (databaseUrl !== undefined) return connectServer(databaseUrl, databasePoolSize).catch(unreachable);
  const { openEmbedded } = await import('../platform/database/embedded.js');
  return connectEmbedded(await openEmbedded(dataDirectory));
}

function unreachable(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new CliFault(exitCodes.unreachable, `The database of DATABASE_URL could not be opened: ${reason}`);
}
