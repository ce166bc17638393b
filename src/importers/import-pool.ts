import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Logger } from '@nestjs/common';
import { Pool } from 'tarn';
import { Invalid } from '../kernel/errors.js';
import { Problem } from '../platform/http/problem.js';
import { Turns } from '../platform/work/turns.js';
import { ProcessEnded, startProcess } from '../platform/work/worker-process.js';
import type { CheckedComposite } from '../registry/shared.js';
import type {
  CompositeTask,
  OperationResult,
  OperationsResult,
  OperationsTask,
  OperationTask,
} from './check-operation.worker.js';
import type { WorkerAnswer, WorkerResult, WorkerTask } from './import-worker.js';
import type { ReadResult, ReadTask } from './read-import.worker.js';

export interface PoolLimits {
  readonly workers: number;
  /** Tasks of one host that may wait for a worker, and of all: each may hold a document of its full size. */
  readonly waiting: number;
  readonly waitingInAll: number;
  /** Milliseconds that one task may take before its worker is ended. */
  readonly timeMs: number;
  /** MiB that a worker may use of the heap. */
  readonly memoryMib: number;
  /** Milliseconds after which an idle worker ends, its memory given back. */
  readonly idleMs: number;
}

const poolLimits: PoolLimits = {
  workers: Math.min(2, availableParallelism()),
  waiting: 16,
  waitingInAll: 64,
  timeMs: 30_000,
  memoryMib: 512,
  idleMs: 60_000,
};

const file = new URL('./import-worker.ts', import.meta.url);

/** A task that a worker is carrying out. */
interface UnderWay {
  readonly answer: (answer: WorkerAnswer) => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * Reads documents in workers, for which hosts take turns: they start at the first task, are used again, and end when idle.
 */
export class ImportPool {
  private readonly log = new Logger('Imports');
  private readonly limits: PoolLimits;
  private readonly workers: Pool<ChildProcess>;
  private readonly turns: Turns;
  private readonly underWay = new Map<ChildProcess, UnderWay>();
  private closed = false;

  constructor(limits: Partial<PoolLimits> = {}) {
    this.limits = { ...poolLimits, ...limits };
    const { workers, waiting, waitingInAll, timeMs, idleMs } = this.limits;
    this.turns = new Turns({
      ...{ inAll: workers, ofHost: workers, ofCaller: workers, waiting, waitingInAll },
      ...{ patience: (waiting + 1) * timeMs, busy: importsBusy },
    });
    this.workers = new Pool({
      ...{ min: 0, max: workers, idleTimeoutMillis: idleMs, acquireTimeoutMillis: timeMs },
      create: () => this.start(),
      validate: ({ killed, exitCode, signalCode }) => !killed && exitCode === null && signalCode === null,
      destroy: (worker) => worker.kill('SIGKILL'),
    });
  }

  /**
   * Reads the body of an upload. A document that is refused is a result. Where the worker is killed at it, another one
   * tries once more.
   *
   * @throws Invalid `document_too_expensive`
   * @throws Problem 429 `imports_busy` when too many of the host wait already, or of all, 503 `import_worker_ended`, 503 `stopping`
   */
  async read(task: ReadTask, hostId: string): Promise<ReadResult> {
    return (await this.carryOut(task, hostId)) as ReadResult;
  }

  /** Holds an operation against the schema of its API. Throws as `read` does. */
  async check(task: OperationTask, hostId: string): Promise<OperationResult> {
    return (await this.carryOut(task, hostId)) as OperationResult;
  }

  /** Holds many operations against the schema of their API. Throws as `read` does. */
  async checkAll(task: OperationsTask, hostId: string): Promise<OperationsResult> {
    return (await this.carryOut(task, hostId)) as OperationsResult;
  }

  /** Holds the steps of a composite against their APIs. Throws as `read` does. */
  async checkSteps(task: CompositeTask, hostId: string): Promise<CheckedComposite> {
    return (await this.carryOut(task, hostId)) as CheckedComposite;
  }

  private carryOut(task: WorkerTask, hostId: string): Promise<WorkerResult> {
    if (this.closed) throw stopping();
    return this.turns.run({ hostId, fingerprint: hostId }, () => this.tried(task));
  }

  private async tried(task: WorkerTask): Promise<WorkerResult> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.attempt(task);
      } catch (fault) {
        if (!(fault instanceof ProcessEnded)) throw fault;
        this.log.warn(fault.message);
        if (attempts === 2) throw workerEnded();
      }
    }
  }

  /** Ends all workers and refuses their tasks. */
  close(): void {
    this.closed = true;
    for (const worker of this.underWay.keys()) this.end(worker, stopping());
    void this.workers.destroy();
  }

  /** Ends the workers when the service stops. */
  onApplicationShutdown(): void {
    this.close();
  }

  private async attempt(task: WorkerTask): Promise<WorkerResult> {
    const { timeMs } = this.limits;
    if (this.closed) throw stopping();
    const worker = await this.workers.acquire().promise.catch(() => {
      throw this.closed ? stopping() : importsBusy();
    });
    const timer = setTimeout(() => {
      this.end(worker, tooExpensive(`${String(timeMs / 1000)} seconds`));
    }, timeMs);
    try {
      const answer = await new Promise<WorkerAnswer>((answer, refuse) => {
        this.underWay.set(worker, { answer, refuse });
        worker.send(task);
      });
      if ('result' in answer) return answer.result;
      throw reasonOf(answer);
    } finally {
      clearTimeout(timer);
      this.underWay.delete(worker);
      this.workers.release(worker);
    }
  }

  private end(worker: ChildProcess, reason: Error): void {
    worker.kill('SIGKILL');
    this.underWay.get(worker)?.refuse(reason);
  }

  private start(): ChildProcess {
    const { memoryMib } = this.limits;
    const worker = startProcess<WorkerAnswer>(file, memoryMib, {
      onAnswer: (answer) => this.underWay.get(worker)?.answer(answer),
      onEnd: (gone) => {
        this.end(worker, gone.hasFullHeap ? tooExpensive(`${String(memoryMib)} MiB`) : gone);
      },
    });
    return worker;
  }
}

function reasonOf({ code, detail, pointer }: Exclude<WorkerAnswer, { result: unknown }>): Error {
  if (code === undefined) return new Error(`The import worker failed: ${detail}`);
  return new Invalid(code, detail, [{ pointer, detail }]);
}

function tooExpensive(limit: string): Invalid {
  return new Invalid(
    'document_too_expensive',
    `Reading the document takes more than ${limit}, which is the limit. Split it into several, or simplify it.`,
  );
}

function importsBusy(): Problem {
  const detail =
    'Too many documents are waiting to be read, most of them of this host. Try again in a minute.';
  return new Problem(429, 'imports_busy', detail, { headers: { 'retry-after': '60' } });
}

function workerEnded(): Problem {
  return new Problem(
    503,
    'import_worker_ended',
    'The process that reads documents was ended twice from outside, perhaps for want of memory. Nothing was imported. ' +
      'Try again; if it happens again, give the service more memory.',
    { headers: { 'retry-after': '10' } },
  );
}

function stopping(): Error {
  const detail = 'The service is stopping. Send the document again later.';
  return new Problem(503, 'stopping', detail, { headers: { 'retry-after': '1' } });
}
