import { fork, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Invalid } from '../eventsourcing/errors.js';
import { collector } from './import-answer.js';
import { MESSAGE_LENGTH, type WorkerAnswer, type WorkerRequest } from './import-worker.messages.js';
import type { ReadResult, ReadTask } from './read-import.worker.js';

export interface WorkerLimits {
  /** Milliseconds that one task may take before the worker is ended. */
  readonly timeMs: number;
  /** MiB that the worker may use of the heap. */
  readonly memoryMib: number;
  /** Milliseconds after which the idle worker ends, its memory given back. */
  readonly idleMs: number;
}

/** The process ended while it was at a task, and not by a limit: it was killed, or could not be started. */
export class WorkerGone extends Error {}

/** Documents after which a worker is replaced: whatever its libraries keep goes with it. */
const MOST_TASKS = 200;

/**
 * The pool's end of one worker: one task at a time, within its limits. A process, not a thread: a thread whose heap runs
 * full inside one step of the engine (`JSON.parse`) takes the whole process with it.
 */
export class ImportWorker {
  private readonly child: ChildProcess;
  private tasks = 0;
  private ended = false;
  private idleTimer: NodeJS.Timeout | undefined;
  private onAnswer: (answer: WorkerAnswer) => void = () => undefined;
  private onEnd: (reason: Error) => void = () => undefined;

  constructor(
    private readonly limits: WorkerLimits,
    /** Told when the process is gone. */
    gone: (worker: ImportWorker) => void,
  ) {
    this.child = startProcess(limits);
    this.child.on('message', (answer: WorkerAnswer) => {
      this.onAnswer(answer);
    });
    let lastWords = '';
    this.child.stderr?.on('data', (text: Buffer) => {
      lastWords = (lastWords + text.toString()).slice(-4_000);
    });
    this.child.on('error', (fault) => {
      this.ended = true;
      this.onEnd(new WorkerGone(`The import worker could not be reached: ${fault.message}`));
    });
    this.child.on('exit', () => {
      this.ended = true;
      gone(this);
    });
    // Only now all that it has said was read: of a heap that ran full, the words may come after the exit.
    this.child.on('close', (code, signal) => {
      const outOfMemory = lastWords.includes('heap out of memory');
      this.onEnd(
        outOfMemory
          ? tooExpensive(`${String(limits.memoryMib)} MiB`)
          : new WorkerGone(`The import worker ended (${String(signal ?? code)}). ${lastWords}`),
      );
    });
  }

  get isUsable(): boolean {
    return !this.ended && this.tasks < MOST_TASKS;
  }

  /**
   * Reads one body. Rejects with Invalid where the body around the document can't be read, or all of it costs too
   * much; a document that is refused is a result.
   */
  async run(task: ReadTask): Promise<ReadResult> {
    this.tasks++;
    clearTimeout(this.idleTimer);
    this.hold(true);
    const running = new Promise<ReadResult>((resolve, reject) => {
      this.onEnd = reject;
      // Between two parts the main thread is free for other work.
      this.onAnswer = collector(resolve, reject, () => {
        setImmediate(() => void this.send({ part: 'continue' }));
      });
    });
    const timer = setTimeout(() => {
      this.end(tooExpensive(`${String(this.limits.timeMs / 1000)} seconds`));
    }, this.limits.timeMs);
    try {
      void this.give(task);
      return await running;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits for the next task, for as long as that is worth its memory, and holds no process up. */
  rest(): void {
    this.hold(false);
    this.idleTimer = setTimeout(() => {
      this.end();
    }, this.limits.idleMs).unref();
  }

  /** @param reason what a task that it is at is refused with */
  end(reason?: Error): void {
    this.ended = true;
    if (reason) this.onEnd(reason);
    clearTimeout(this.idleTimer);
    this.child.kill('SIGKILL');
  }

  /** The task in parts, one after another as the channel takes them. */
  private async give({ body, ...task }: ReadTask): Promise<void> {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    await this.send({ part: 'task', task, isText: typeof body === 'string' });
    for (let start = 0; start < bytes.byteLength && !this.ended; start += MESSAGE_LENGTH) {
      await this.send({ part: 'body', bytes: bytes.subarray(start, start + MESSAGE_LENGTH) });
    }
    await this.send({ part: 'answer' });
  }

  /** Resolves when the channel has taken it. One that is closed takes nothing: the end of the process is told elsewhere. */
  private send(request: WorkerRequest): Promise<void> {
    return new Promise((resolve) => {
      if (this.child.connected)
        this.child.send(request, () => {
          resolve();
        });
      else resolve();
    });
  }

  /** Whether the process that started it waits for it. */
  private hold(busy: boolean): void {
    const method = busy ? 'ref' : 'unref';
    this.child[method]();
    this.child.channel?.[method]();
    // Typed as a stream; it is a socket.
    if (this.child.stderr instanceof Socket) this.child.stderr[method]();
  }
}

function tooExpensive(limit: string): Invalid {
  return new Invalid(
    'document_too_expensive',
    `Reading the document takes more than ${limit}, which is the limit. Split it into several, or simplify it.`,
  );
}

/**
 * Most of what it makes of a document is soon thrown away: a nursery too small for it costs a fifth of the time. Few
 * documents are read often enough for the engine to make fast code by itself: quickly compiled code costs less. What is
 * compiled well even so is compiled alone: with all that it calls compiled into it, again in each place, that would
 * cost a fifth of the time, and save none.
 */
function engineFlags(memoryMib: number): string[] {
  return [
    `--max-old-space-size=${String(memoryMib)}`,
    '--max-semi-space-size=32',
    '--always-sparkplug',
    '--max-inlined-bytecode-size-cumulative=0',
  ];
}

/** Built, the worker is the file beside this one; from sources (tests) it is compiled as it is loaded. */
function startProcess({ memoryMib }: WorkerLimits): ChildProcess {
  const fromSource = import.meta.url.endsWith('.ts');
  const entry = new URL(fromSource ? './import-worker.ts' : './import-worker.js', import.meta.url);
  const hooks = new URL('../platform/from-source/register.mjs', import.meta.url);
  return fork(fileURLToPath(entry), [], {
    execArgv: [...engineFlags(memoryMib), ...(fromSource ? ['--import', hooks.href] : [])],
    // It needs nothing of the service's environment, least of all its secrets.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
