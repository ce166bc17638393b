import type { Tinypool } from 'tinypool';
import { threadOf } from './thread.js';

export interface ThreadLimits {
  /** Milliseconds that all steps together may take. */
  readonly timeMs: number;
  /** MiB that the thread may use of the heap. */
  readonly memoryMib: number;
}

/** What an engine says whose heap has run full. */
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * A thread of its own for one long computation in steps, between which it keeps what it has: it starts at the first step, and is
 * ended by whoever made it, or where it goes beyond its limits.
 */
export class BoundedThread<Step, Result> {
  private thread: Tinypool | undefined;
  private spent = 0;
  /** Why it was ended: nothing is left of what it had. */
  private fault: Error | undefined;

  /**
   * @param file the module whose default export carries out a step, as it is named in sources: `….ts`
   * @param tooExpensive what is thrown beyond a limit, which it is given for people: `30 seconds`, `512 MiB`
   */
  constructor(
    private readonly file: URL,
    private readonly limits: ThreadLimits,
    private readonly tooExpensive: (limit: string) => Error,
  ) {}

  /** Carries out a step. Steps and results are cloned. Throws what the step throws, as a plain Error, and what `tooExpensive` makes. */
  async do(step: Step): Promise<Result> {
    if (this.fault !== undefined) throw this.fault;
    const { timeMs, memoryMib } = this.limits;
    this.thread ??= threadOf(this.file, {
      minThreads: 1,
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    });
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(timeMs - this.spent)));
    const started = performance.now();
    try {
      return (await this.thread.run(step, { signal })) as Result;
    } catch (fault) {
      this.fault = this.reasonOf(fault as Error, signal);
      await this.end();
      throw this.fault;
    } finally {
      this.spent += performance.now() - started;
    }
  }

  /** Ends it, and gives back what it holds. */
  async end(): Promise<void> {
    this.fault ??= new Error('The thread has been ended.');
    const { thread } = this;
    this.thread = undefined;
    await thread?.destroy();
  }

  private reasonOf(fault: Error & { readonly code?: unknown }, { aborted }: AbortSignal): Error {
    const { timeMs, memoryMib } = this.limits;
    if (aborted) return this.tooExpensive(`${String(timeMs / 1_000)} seconds`);
    return fault.code === OUT_OF_MEMORY ? this.tooExpensive(`${String(memoryMib)} MiB`) : fault;
  }
}
