import { Tinypool } from 'tinypool';
import { Problem } from '../http/problem.js';
import { Turns } from '../work/turns.js';

/** Tasks of one host that may wait for the thread. */
const WAITING = 32;
/** Milliseconds that a task may take, its wait included; and after which an idle thread ends. */
const TIME = 30_000;
const IDLE = 60_000;

/**
 * Carries out pure work on what callers send in a thread, which starts at the first task and ends when idle. Hosts take turns:
 * what one sends keeps another waiting for no more than a task.
 */
export class ThreadPool<Task, Result> {
  private pool: Tinypool | undefined;
  private readonly turns = new Turns({
    ...{ inAll: 1, ofHost: 1, ofCaller: 1, waiting: WAITING, patience: TIME },
    busy: () => this.busy(),
  });

  /**
   * @param file the module whose default export does the work, as it is named in sources: `….ts`
   * @param what waits, for people: `long texts`
   */
  constructor(
    private readonly file: URL,
    private readonly what: string,
  ) {}

  /**
   * Tasks and results are cloned. What the work throws is thrown, as a plain Error.
   *
   * @throws Problem 429 `texts_busy` when too many of the host wait already, or it takes too long
   */
  async run(task: Task, hostId: string): Promise<Result> {
    this.pool ??= this.start();
    const { pool } = this;
    const signal = AbortSignal.timeout(TIME);
    try {
      const asker = { hostId, fingerprint: hostId };
      return (await this.turns.run(asker, () => pool.run(task, { signal }))) as Result;
    } catch (fault) {
      throw signal.aborted ? this.busy() : fault;
    }
  }

  private busy(): Problem {
    const detail = `Too many ${this.what} of this host are waiting to be looked through. Try again in a minute.`;
    return new Problem(429, 'texts_busy', detail, { headers: { 'retry-after': '60' } });
  }

  /** Built, the thread runs the compiled file; from sources (tests) it is compiled as it is loaded. */
  private start(): Tinypool {
    const fromSource = import.meta.url.endsWith('.ts');
    const hooks = new URL('../from-source/register.mjs', import.meta.url).href;
    return new Tinypool({
      filename: fromSource ? this.file.href : this.file.href.replace(/\.ts$/, '.js'),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE,
      env: {},
      ...(fromSource && { execArgv: ['--import', hooks] }),
    });
  }
}
