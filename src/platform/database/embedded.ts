import { once } from 'node:events';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { couldNotOpen, DirectoryLock, refuseBroken } from './embedded-directory.js';

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
    // A thread whose connection was given up may still have the files open.
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
interface InThread extends Embedded {
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
    // The thread needs no environment variables, least of all secrets.
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

/** Milliseconds that an engine may take to finish what it is at and close its files. */
const PATIENCE = 20_000;

type Done = (error?: Error | null) => void;

/**
 * What pg takes for a socket: its bytes go to an embedded engine and back as messages. The engine lives as long as the
 * connection does: it is closed with it, and ended where the connection is given up.
 */
class EmbeddedSocket extends Duplex {
  private engine: Worker | MessagePort | undefined;

  constructor(private readonly start: () => Promise<Worker | MessagePort>) {
    super();
  }

  connect(): this {
    this.start().then(
      (engine) => {
        this.attach(engine);
      },
      (error: unknown) => {
        this.destroy(error instanceof Error ? error : new Error(String(error)));
      },
    );
    return this;
  }

  private attach(engine: Worker | MessagePort): void {
    this.engine = engine;
    engine.on('message', (bytes: Uint8Array) => {
      this.push(Buffer.from(bytes.buffer));
    });
    engine.on('error', (error: Error) => {
      this.destroy(error);
    });
    engine.once(endOf(engine), () => {
      this.engine = undefined;
      if (!this.writableEnded) this.destroy(new Error('The embedded database has ended.'));
      this.push(null);
    });
    if (this.destroyed) this.breakOff();
    // Messages sent before the engine is ready wait for it.
    else this.emit('connect');
  }

  override _read(): void {
    // Nothing to do: answers are pushed when they arrive.
  }

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    this.send([chunk]);
    done();
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: Done): void {
    this.send(chunks.map(({ chunk }) => chunk));
    done();
  }

  /** The engine closes its files before the connection ends. */
  override _final(done: Done): void {
    if (this.engine === undefined) {
      done();
      return;
    }
    const impatience = setTimeout(() => this.destroy(), PATIENCE);
    this.engine.once(endOf(this.engine), () => {
      clearTimeout(impatience);
      done();
    });
    this.engine.postMessage(null);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.breakOff();
    done(error);
  }

  /** Methods of sockets that pg calls. */
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.engine?.ref();
    return this;
  }

  unref(): this {
    this.engine?.unref();
    return this;
  }

  private breakOff(): void {
    if (this.engine instanceof Worker) void this.engine.terminate();
    else this.engine?.close();
  }

  /** pg's chunks lie in buffers that it uses again, and much longer ones: one message of just their bytes is handed over. */
  private send(chunks: readonly Buffer[]): void {
    const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
    let length = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, length);
      length += chunk.length;
    }
    this.engine?.postMessage(bytes, [bytes.buffer]);
  }
}

const endOf = (engine: Worker | MessagePort): string => (engine instanceof Worker ? 'exit' : 'close');
