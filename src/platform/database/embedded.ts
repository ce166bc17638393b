import { once } from 'node:events';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { DirectoryLock } from './directory-lock.js';
import { couldNotOpen, refuseBroken } from './embedded-directory.js';
import { EmbeddedSocket } from './embedded-socket.js';

/** A PostgreSQL inside this process. */
export interface Embedded {
  /** The way to it, which closes it at its end. There may be one at a time. */
  readonly connect: () => Duplex;
  /** Ends the connection and waits until the files are closed. */
  close(): Promise<void>;
}

/** Opens the embedded database in `directory`, which it holds exclusively until it is closed. It runs in a thread of its own. */
export async function openEmbedded(directory: string): Promise<Embedded> {
  const lock = await DirectoryLock.take(directory);
  const dataDir = join(directory, 'postgres');
  let thread: Worker | undefined;
  const start = async () => {
    // One whose connection was given up may still be at the files.
    await thread?.terminate();
    await refuseBroken(dataDir);
    thread = startThread(dataDir);
    await opened(thread).catch((error: unknown) => {
      throw couldNotOpen(dataDir, error);
    });
    return thread;
  };
  let first: Promise<Worker> | undefined = start();
  await first.catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  let socket: EmbeddedSocket | undefined;
  return {
    connect: () =>
      (socket = new EmbeddedSocket(() => {
        const started = first ?? start();
        first = undefined;
        return started;
      })),
    async close() {
      // pg does not wait for the end of its connections.
      if (socket?.closed === false) await once(socket.end(), 'close');
      await thread?.terminate();
      await lock.release();
    },
  };
}

/** An embedded database in this thread. */
export interface InThread extends Embedded {
  readonly engine: PGlite;
}

/** Opens an embedded database in memory, from what `dumpDataDir` gave if that is given. */
export async function openInMemory(template?: Blob): Promise<InThread> {
  const { startEngine } = await import('./embedded-engine.js');
  return inThisThread(await startEngine(template === undefined ? {} : { loadDataDir: template }));
}

export async function inThisThread(engine: PGlite): Promise<InThread> {
  const { serve } = await import('./embedded-engine.js');
  const start = () => {
    const { port1, port2 } = new MessageChannel();
    serve(engine, port2);
    return Promise.resolve(port1);
  };
  return { engine, connect: () => new EmbeddedSocket(start), close: () => Promise.resolve() };
}

/** Built, the thread runs the file beside this one; from sources (tests) it is compiled as it is loaded. */
function startThread(dataDir: string): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  const entry = new URL(fromSource ? './embedded.thread.ts' : './embedded.thread.js', import.meta.url);
  const hooks = new URL('../from-source/register.mjs', import.meta.url);
  return new Worker(fileURLToPath(entry), {
    workerData: dataDir,
    // It needs nothing of the service's environment, least of all its secrets.
    env: {},
    execArgv: fromSource ? ['--import', hooks.href] : [],
  });
}

/** Its first message says that the engine is ready. Rejects with the error that ended the thread. */
async function opened(thread: Worker): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(thread, 'exit', { signal }).then(() => {
    throw new Error('its thread has ended');
  });
  try {
    await Promise.race([once(thread, 'message', { signal }), ended]);
  } finally {
    ended.catch(() => undefined);
    over.abort();
  }
}
