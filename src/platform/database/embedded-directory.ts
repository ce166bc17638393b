/** What a directory must be to be opened as the embedded database: the engine would make a new one over what it takes for none. */
import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseUnfit } from '../../eventsourcing/errors.js';

/** Without these a directory is no database; files must not be empty. */
const parts = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal'] as const;

const mend =
  'Nothing in it was changed. Restore it from a copy, or name another directory (DATA_DIR). Only where its first start was ' +
  'broken off is there nothing to lose: then delete it.';

/** Passes over a directory that is missing or empty, in which a database is made. Throws DatabaseUnfit. */
export async function refuseBroken(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw unreadable(directory, error);
  });
  if (names.length === 0) return;
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw unreadable(directory, error);
  });
  for (const part of parts) {
    const found = await stat(join(directory, part)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw unreadable(join(directory, part), error);
    });
    if (found === undefined) throw broken(directory, `${part} is missing`);
    if (found.isFile() && found.size === 0) throw broken(directory, `${part} is empty`);
  }
}

/** What the engine's own failure comes to; its words help nobody but in a search. */
export function couldNotOpen(directory: string, error: unknown): DatabaseUnfit {
  return new DatabaseUnfit(
    `The embedded database in ${directory} could not be opened (${reasonOf(error)}). See that its disk has room and that this user may ` +
      'write there; else restore it from a copy, or name another directory (DATA_DIR).',
    { cause: error },
  );
}

function broken(directory: string, what: string): DatabaseUnfit {
  return new DatabaseUnfit(`The embedded database in ${directory} is not whole: ${what}. ${mend}`);
}

function unreadable(path: string, error: unknown): DatabaseUnfit {
  return new DatabaseUnfit(
    `The embedded database can't be used: ${reasonOf(error)}. Let this user read and write ${path}, or name another directory (DATA_DIR).`,
  );
}

/** What comes out of the engine, or of its thread, need be no Error. */
function reasonOf(error: unknown): string {
  const { message, code } = Object(error) as { readonly message?: string; readonly code?: string };
  return (message ?? code ?? 'unknown').trim();
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
