import { availableParallelism } from 'node:os';
import { Logger } from '@nestjs/common';
import { Invalid } from '../../kernel/errors.js';
import { stopping } from '../../platform/http/graceful-stop.js';
import { Problem } from '../../platform/http/problem.js';
import { BoundedProcess, type ProcessLimits } from '../../platform/work/bounded-process.js';
import { Turns } from '../../platform/work/turns.js';
import type { RankingStep } from './paged-ranking.js';
import { Ranking, type Steps } from './ranking-portions.js';

export interface RankingLimits extends ProcessLimits {
  readonly processes: number;
}

/** Some five times the time that 10,000 prompts over 20,000 tools take, and more than the memory of a page of such tools. */
const rankingLimits: RankingLimits = {
  processes: Math.min(2, availableParallelism()),
  timeMs: 300_000,
  memoryMib: 512,
};

/** Milliseconds that an evaluation waits for those of other hosts, and how many may wait. */
const [PATIENCE, WAITING] = [60_000, 16];

const file = new URL('./paged-ranking.worker.ts', import.meta.url);

/** Ranks for evaluations in processes of their own, one evaluation of a host at a time; hosts take turns. */
export class RankingPool {
  private readonly log = new Logger('Evaluations');
  private readonly limits: RankingLimits;
  private readonly turns: Turns;
  /** Hosts that have an evaluation under way, or one that waits. */
  private readonly hosts = new Set<string>();
  private readonly running = new Set<BoundedProcess<RankingStep, unknown>>();
  private closed = false;

  constructor(limits: Partial<RankingLimits> = {}) {
    this.limits = { ...rankingLimits, ...limits };
    this.turns = new Turns({
      ...{ inAll: this.limits.processes, ofHost: 1, ofCaller: 1, waiting: 1, waitingInAll: WAITING },
      ...{
        patience: PATIENCE,
        busy: () => busy('Evaluations of other hosts are under way, and others wait.'),
      },
    });
  }

  /**
   * Carries out an evaluation when it is the host's turn. Its process starts at its first step, and ends with it.
   *
   * @throws Problem 429 `reads_busy` at once where the host has one already, or when the turn does not come in time; 503
   * `evaluation_worker_ended`, 503 `stopping`
   * @throws Invalid `evaluation_too_expensive` where it takes more time or memory than it may
   */
  async run<Result>(hostId: string, work: (ranking: Ranking) => Promise<Result>): Promise<Result> {
    if (this.hosts.has(hostId))
      throw busy('Another evaluation of this host is under way: one runs at a time.');
    this.hosts.add(hostId);
    try {
      return await this.turns.run({ hostId, fingerprint: hostId }, () => this.apart(work));
    } finally {
      this.hosts.delete(hostId);
    }
  }

  /** Ends the processes when the service stops, and refuses what they were at. */
  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.running].map((process) => process.end(stopping())));
  }

  private async apart<Result>(work: (ranking: Ranking) => Promise<Result>): Promise<Result> {
    if (this.closed) throw stopping();
    const process = new BoundedProcess<RankingStep, unknown>(file, this.limits, {
      tooExpensive,
      gone: ({ message }) => {
        this.log.warn(message);
        return workerEnded();
      },
    });
    const steps = (work: string, ...given: readonly unknown[]) => process.do({ work, given } as RankingStep);
    this.running.add(process);
    try {
      return await work(new Ranking(steps as Steps));
    } finally {
      await process.end();
      this.running.delete(process);
    }
  }
}

function tooExpensive(limit: string): Invalid {
  return new Invalid(
    'evaluation_too_expensive',
    `Ranking the tools for all prompts takes more than ${limit}, which is the limit of an evaluation. Ask fewer or shorter prompts: ` +
      'make the data sets smaller, or send fewer rows. A version that can’t be evaluated is approved by an override with a reason.',
  );
}

function busy(why: string): Problem {
  const headers = { 'retry-after': '10' };
  return new Problem(429, 'reads_busy', `${why} Try again when it has been answered.`, { headers });
}

function workerEnded(): Problem {
  return new Problem(
    503,
    'evaluation_worker_ended',
    'The process that ranks was ended from outside, perhaps for want of memory, and nothing is kept of the evaluation. ' +
      'Try again; if it happens again, give the service more memory.',
    { headers: { 'retry-after': '10' } },
  );
}
