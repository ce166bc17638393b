import { availableParallelism } from 'node:os';
import { Logger } from '@nestjs/common';
import { Problem } from '../platform/http/problem.js';
import { ImportWorker, WorkerGone, type WorkerLimits } from './import-process.worker.js';
import type { ReadResult, ReadTask } from './read-import.worker.js';

export interface PoolLimits extends WorkerLimits {
  readonly workers: number;
  /** Tasks that may wait for a worker. */
  readonly waiting: number;
}

export const poolLimits: PoolLimits = {
  workers: Math.min(2, availableParallelism()),
  waiting: 32,
  timeMs: 30_000,
  memoryMib: 512,
  idleMs: 60_000,
};

interface Waiting {
  readonly run: (worker: ImportWorker) => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * Reads documents in workers, processes of their own that start at the first task, are used again, and end when idle.
 * A task that takes too long or too much memory ends with its worker: Invalid `document_too_expensive`.
 */
export class ImportPool {
  private readonly log = new Logger('Imports');
  private readonly limits: PoolLimits;
  private readonly idle: ImportWorker[] = [];
  private readonly busy = new Set<ImportWorker>();
  private readonly queue: Waiting[] = [];
  private closed = false;

  constructor(limits: Partial<PoolLimits> = {}) {
    this.limits = { ...poolLimits, ...limits };
  }

  /**
   * Reads the body of an upload. A document that is refused is a result. Where the worker is killed at it, another one
   * tries once more.
   *
   * @throws Invalid `document_too_expensive`
   * @throws Problem 429 `imports_busy` when too many wait already, 503 `import_worker_ended`, 503 `stopping`
   */
  async read(task: ReadTask): Promise<ReadResult> {
    try {
      return await this.attempt(task);
    } catch (error) {
      this.refuseOther(error);
    }
    try {
      return await this.attempt(task);
    } catch (error) {
      this.refuseOther(error);
      throw workerEnded();
    }
  }

  private refuseOther(error: unknown): asserts error is WorkerGone {
    if (!(error instanceof WorkerGone)) throw error;
    this.log.warn(error.message);
  }

  private async attempt(task: ReadTask): Promise<ReadResult> {
    const worker = await this.acquire();
    try {
      return await worker.run(task);
    } finally {
      this.release(worker);
    }
  }

  /** Ends all workers; what they were at is refused. */
  close(): void {
    this.closed = true;
    for (const { refuse } of this.queue.splice(0)) refuse(stopping());
    for (const worker of [...this.idle.splice(0), ...this.busy]) worker.end(stopping());
  }

  /** Nest calls it when the service stops. */
  onApplicationShutdown(): void {
    this.close();
  }

  private acquire(): Promise<ImportWorker> {
    if (this.closed) return Promise.reject(stopping());
    const free = this.rested() ?? (this.busy.size < this.limits.workers ? this.start() : undefined);
    if (free) {
      this.busy.add(free);
      return Promise.resolve(free);
    }
    if (this.queue.length >= this.limits.waiting) {
      return Promise.reject(
        new Problem(
          429,
          'imports_busy',
          'Too many documents are waiting to be read. Try again in a minute.',
          {
            headers: { 'retry-after': '60' },
          },
        ),
      );
    }
    return new Promise((run, refuse) => this.queue.push({ run, refuse }));
  }

  /** One that waits. What has been ended stays in the list until its process is gone. */
  private rested(): ImportWorker | undefined {
    for (;;) {
      const worker = this.idle.pop();
      if (worker === undefined || worker.isUsable) return worker;
    }
  }

  private start(): ImportWorker {
    return new ImportWorker(this.limits, (worker) => {
      const index = this.idle.indexOf(worker);
      if (index >= 0) this.idle.splice(index, 1);
    });
  }

  private release(worker: ImportWorker): void {
    this.busy.delete(worker);
    const next = this.queue.shift();
    const usable = worker.isUsable ? worker : undefined;
    if (!usable) worker.end();
    if (next) {
      const successor = usable ?? this.start();
      this.busy.add(successor);
      next.run(successor);
    } else if (usable && !this.closed) {
      this.idle.push(usable);
      usable.rest();
    }
  }
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
  return new Problem(503, 'stopping', 'The service is stopping. Send the document again later.', {
    headers: { 'retry-after': '1' },
  });
}
