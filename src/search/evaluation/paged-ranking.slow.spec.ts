import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Logger } from '@nestjs/common';
import { analyse } from '../../../packages/ranking/document.js';
import type { RankedRow } from './paged-ranking.js';
import { RankingPool } from './paged-ranking.pool.js';
import { pagesOf } from './ranking-portions.js';

const rows = Array.from({ length: 1_200 }, (_, number): RankedRow => {
  const [name, description] = [`tool_${String(number)}`, `Lists invoices of customer ${String(number)}.`];
  return {
    ...{ id: String(number).padStart(6, '0'), name, lifecycle_status: 'active', semantic_weight: 1 },
    ...{ read_only: true, destructive: false },
    words: JSON.stringify(analyse({ id: name, texts: { name, description } })),
  };
});
const pages = pagesOf(rows.length + 1, () => Promise.resolve(rows));

const evaluated = (prompts: readonly string[], pool = new RankingPool()) =>
  pool.run('host', async (ranking) => {
    await ranking.count(pages, [undefined]);
    return ranking.ranked(pages, prompts);
  });

it('leaves the main thread to others while it counts and ranks', async () => {
  const prompts = Array.from({ length: 250 }, (_, number) => `invoices of customer ${String(number)}`);
  let turns = 0;
  const next = (): void => {
    turns += 1;
    turn = setImmediate(next);
  };
  let turn = setImmediate(next);
  const [finds] = await evaluated(prompts);
  clearImmediate(turn);
  expect(finds?.found.map(([first]) => first)).toEqual(prompts.map((_, number) => `tool_${String(number)}`));
  // It is given three portions of tools, and all prompts at once; on the main thread nobody's turn would come in between.
  expect(turns).toBeGreaterThanOrEqual(4);
});

it.each([
  ['time', { timeMs: 1 }, '0.001 seconds'],
  ['memory', { timeMs: 40_000, memoryMib: 12 }, '12 MiB'],
])('is ended beyond its budget of %s, says what to do, and the next one works', async (_, limits, limit) => {
  const long = Array.from({ length: 20_000 }, (_each, at) => `invoicse ${'customre '.repeat(at % 9)}`);
  await expect(evaluated(long, new RankingPool(limits))).rejects.toMatchObject({
    code: 'evaluation_too_expensive',
    message: expect.stringMatching(new RegExp(`more than ${limit}.*fewer or shorter prompts.*override`)),
  });
  const [finds] = await evaluated(['invoices of customer 7']);
  expect(finds?.found[0]?.[0]).toBe('tool_7');
});

/** Does something to each process that is started, until `work` has ended. */
async function withProcesses<Result>(does: (child: ChildProcess) => void, work: () => Promise<Result>) {
  const started = (message: unknown): void => {
    setImmediate(() => {
      does((message as { process: ChildProcess }).process);
    });
  };
  subscribe('child_process', started);
  await work();
  unsubscribe('child_process', started);
}

it('says that its process was killed or that the service stops, and what to do', async () => {
  Logger.overrideLogger(false);
  const [killed, stopped] = [new RankingPool(), new RankingPool()];
  const refused = async (pool: RankingPool, code: string): Promise<void> => {
    await expect(evaluated(['invoices'], pool)).rejects.toMatchObject({ status: 503, code });
  };
  await withProcesses(
    (child) => child.kill('SIGKILL'),
    () => refused(killed, 'evaluation_worker_ended'),
  );
  await withProcesses(
    () => void stopped.onApplicationShutdown(),
    () => refused(stopped, 'stopping'),
  );
  expect(await evaluated(['invoices'], killed)).toHaveLength(1);
});
