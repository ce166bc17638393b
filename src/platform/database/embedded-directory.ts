/** Checks the directory of the embedded database and locks it: over a broken one the engine would make a new database. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  mkdir,
  open,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnfit } from '../../kernel/errors.js';

/** Files and folders that every database has; the files must not be empty. */
const parts = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal'] as const;

const mend =
  'Nothing in it was changed. Restore it from a copy, or name another directory (DATA_DIR). Only where its first start was ' +
  'broken off is there nothing to lose: then delete it.';

/** Throws DatabaseUnfit for a directory that holds a broken database; a missing or empty one is fine. */
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

/** Explains a failure of the engine, whose own message helps only in a search. */
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

/** Another process works on the directory. */
export class DirectoryInUse extends Error {
  constructor(directory: string) {
    super(
      `Another process works on the embedded database in ${directory}. Two at once would destroy it: stop the other ` +
        'one, name another directory (DATA_DIR), or use a PostgreSQL (DATABASE_URL).',
    );
  }
}

/**
 * Holds a directory for this process alone. The holder listens on a socket of its own in the directory, and the
 * link `lock` names it: a socket dies with its process, whatever becomes of process ids, so a lock that a killed
 * process left behind is known by its silence and taken over.
 */
export class DirectoryLock {
  private constructor(
    private readonly place: Place,
    private readonly name: string,
    private readonly server: Server,
  ) {}

  static async take(directory: string): Promise<DirectoryLock> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const place = await Place.of(directory);
    const name = `lock-${randomUUID().slice(0, 8)}`;
    const server = await listen(place.socket(name), directory);
    const lock = new DirectoryLock(place, name, server);
    try {
      await lock.win();
    } catch (error) {
      await lock.release();
      throw error;
    }
    return lock;
  }

  async release(): Promise<void> {
    if ((await this.holder()) === this.name) await unlink(this.place.link);
    this.server.close();
    await rm(this.place.file(this.name), { force: true });
    await this.place.close();
  }

  private async win(): Promise<void> {
    for (;;) {
      if (await succeeds(symlink(this.name, this.place.link), 'EEXIST')) return;
      const holder = await this.holder();
      if (holder === undefined) continue;
      if (await answers(this.place.socket(holder))) throw new DirectoryInUse(this.place.directory);
      await this.bury(holder);
    }
  }

  /** Only the one that removes the dead holder's socket may remove the link to it. */
  private async bury(holder: string): Promise<void> {
    const first = await succeeds(unlink(this.place.file(holder)), 'ENOENT');
    if (!first) await sleep(200);
    if ((await this.holder()) === holder) await rm(this.place.link, { force: true });
  }

  private async holder(): Promise<string | undefined> {
    try {
      return await readlink(this.place.link);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
}

/** The directory, with a short way to it: the path of a socket may not be longer than about 100 bytes. */
class Place {
  private constructor(
    readonly directory: string,
    private readonly handle: FileHandle | undefined,
  ) {}

  static async of(directory: string): Promise<Place> {
    return new Place(directory, process.platform === 'linux' ? await open(directory) : undefined);
  }

  readonly file = (name: string): string => join(this.directory, name);

  get link(): string {
    return this.file('lock');
  }

  socket(name: string): string {
    return this.handle === undefined ? this.file(name) : `/proc/self/fd/${String(this.handle.fd)}/${name}`;
  }

  async close(): Promise<void> {
    await this.handle?.close();
  }
}

function listen(path: string, directory: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((caller) => caller.destroy()).unref();
    server.once('error', (error) => {
      reject(
        new Error(
          `The directory ${directory} can't be locked (${error.message}). Name another one (DATA_DIR).`,
        ),
      );
    });
    server.listen(path, () => {
      resolve(server);
    });
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const caller = connect(path, () => {
      caller.destroy();
      resolve(true);
    });
    caller.once('error', (error) => {
      if (['ECONNREFUSED', 'ENOENT'].includes(codeOf(error) ?? '')) resolve(false);
      else reject(error);
    });
  });
}

async function succeeds(attempt: Promise<void>, unless: string): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    if (codeOf(error) === unless) return false;
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
