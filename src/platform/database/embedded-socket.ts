import { Duplex } from 'node:stream';
import { Worker, type MessagePort } from 'node:worker_threads';

/** Milliseconds that an engine may take to finish what it is at and close its files. */
const PATIENCE = 20_000;

type Done = (error?: Error | null) => void;

/**
 * What pg takes for a socket: its bytes go to an embedded engine and back as messages. The engine lives as long as the
 * connection does: it is closed with it, and ended where the connection is given up.
 */
export class EmbeddedSocket extends Duplex {
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
    // What is sent before the engine is ready waits for it.
    else this.emit('connect');
  }

  override _read(): void {
    // Answers come when they come.
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

  /** pg asks a socket for these. */
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
