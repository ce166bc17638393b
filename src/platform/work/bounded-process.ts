import type { ChildProcess } from 'node:child_process';
import { type ProcessEnded, serve, startProcess } from './worker-process.js';

export interface ProcessLimits {
  /** Milliseconds that all steps together may take. */
  readonly timeMs: number;
  /** MiB that the process may use of the heap. */
  readonly memoryMib: number;
}

/** What is thrown where a process does not answer. */
interface Refusals {
  /** Beyond a limit, which it is given for people: `30 seconds`, `512 MiB`. */
  readonly tooExpensive: (limit: string) => Error;
  /** Where it was killed from outside, or could not be started. */
  readonly gone: (reason: ProcessEnded) => Error;
}

type Answer<Result> = { readonly result: Result } | { readonly fault: string; readonly isOfRange: boolean };

interface UnderWay<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * A process of its own for one long computation in steps, between which it keeps what it has: it starts at the first step, and is
 * ended by whoever made it, or where it goes beyond its limits.
 */
export class BoundedProcess<Step, Result> {
  private child: ChildProcess | undefined;
  private underWay: UnderWay<Result> | undefined;
  private spent = 0;
  /** Why it was ended: nothing is left of what it had. */
  private fault: Error | undefined;

  /** @param file the module that calls {@link serveSteps}, as it is named in sources: `….ts` */
  constructor(
    private readonly file: URL,
    private readonly limits: ProcessLimits,
    private readonly refusals: Refusals,
  ) {}

  /**
   * Carries out a step, one after the other. Steps and results are cloned. Throws what the step throws, as a plain Error, what
   * `tooExpensive` and `gone` make, and the reason for which it was ended.
   */
  async do(step: Step): Promise<Result> {
    if (this.fault !== undefined) throw this.fault;
    const { timeMs } = this.limits;
    const started = performance.now();
    const timer = setTimeout(() => {
      void this.end(this.refusals.tooExpensive(`${String(timeMs / 1_000)} seconds`));
    }, timeMs - this.spent);
    try {
      const child = (this.child ??= this.start());
      return await new Promise<Result>((resolve, reject) => {
        this.underWay = { resolve, reject };
        child.send(step as object);
      });
    } catch (fault) {
      await this.end(fault as Error);
      throw fault;
    } finally {
      clearTimeout(timer);
      this.spent += performance.now() - started;
    }
  }

  /** Ends it for good, whatever it does; nothing is left of it then. */
  async end(reason = new Error('The process has been ended.')): Promise<void> {
    this.fault ??= reason;
    this.underWay?.reject(this.fault);
    const { child } = this;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exit;
  }

  private start(): ChildProcess {
    const { tooExpensive, gone } = this.refusals;
    const { memoryMib } = this.limits;
    const full = () => tooExpensive(`${String(memoryMib)} MiB`);
    return startProcess<Answer<Result>>(this.file, memoryMib, {
      onAnswer: (answer) => {
        if ('result' in answer) this.underWay?.resolve(answer.result);
        // A text, a map or a list has become longer than any may be.
        else this.underWay?.reject(answer.isOfRange ? full() : new Error(answer.fault));
      },
      onEnd: (reason) => {
        if (this.fault === undefined) void this.end(reason.hasFullHeap ? full() : gone(reason));
      },
    });
  }
}

/** Within the process: carries out the steps. */
export function serveSteps(carryOut: (step: never) => unknown): void {
  serve((step): Answer<unknown> => {
    try {
      return { result: carryOut(step) };
    } catch (fault) {
      const said = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
      const isStack = fault instanceof RangeError && /call stack/.test(fault.message);
      return { fault: said, isOfRange: fault instanceof RangeError && !isStack };
    }
  });
}
