import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BoundedProcess, type ProcessLimits } from './bounded-process.js';

type Step = 'where' | 'next' | 'for ever' | 'without end' | 'at once' | 'too long' | 'fail';

const folder = mkdtempSync(join(tmpdir(), 'bounded-process-'));
const file = pathToFileURL(join(folder, 'steps.mjs'));
const served = new URL('./bounded-process.ts', import.meta.url).href;
writeFileSync(
  file,
  `
import { serveSteps } from ${JSON.stringify(served)};
let count = 0;
const kept = [];
serveSteps((step) => {
  if (step === 'fail') throw new TypeError('Not this.');
  while (step === 'for ever') count += 0;
  while (step === 'without end') kept.push(new Array(1_000).fill({}));
  if (step === 'at once') kept.push(JSON.parse('[' + '{"a":[1]},'.repeat(3_000_000) + '0]'));
  if (step === 'too long') kept.push('x'.repeat(2 ** 30));
  return step === 'where' ? process.pid : (count += 1);
});`,
);

const children: ChildProcess[] = [];
const started = (message: unknown): void => {
  children.push((message as { process: ChildProcess }).process);
};
beforeAll(() => {
  subscribe('child_process', started);
});
afterAll(() => {
  unsubscribe('child_process', started);
  rmSync(folder, { recursive: true });
});

const processes: BoundedProcess<Step, number>[] = [];
function processWith(limits: Partial<ProcessLimits> = {}): BoundedProcess<Step, number> {
  const bounded = new BoundedProcess<Step, number>(
    file,
    { timeMs: 40_000, memoryMib: 64, ...limits },
    {
      tooExpensive: (limit) => new RangeError(`more than ${limit}`),
      gone: ({ message }) => new Error(`gone: ${message}`),
    },
  );
  processes.push(bounded);
  return bounded;
}

afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.end()));
  // None of them is left.
  for (const { exitCode, signalCode } of children.splice(0)) expect(exitCode ?? signalCode).not.toBeNull();
});

it('carries steps out elsewhere, and keeps what it has between them, apart from other processes', async () => {
  const [one, other] = [processWith(), processWith()];
  expect(await one.do('where')).not.toBe(process.pid);
  expect(await one.do('where')).toBe(await one.do('where'));
  expect(await one.do('where')).not.toBe(await other.do('where'));
  expect([await one.do('next'), await one.do('next'), await other.do('next')]).toEqual([1, 2, 1]);
});

it('is ended where its steps take too long, and others go on', async () => {
  const bounded = processWith({ timeMs: 500 });
  await expect(bounded.do('for ever')).rejects.toThrow('more than 0.5 seconds');
  await expect(bounded.do('next')).rejects.toThrow('more than 0.5 seconds');
  expect(await processWith().do('next')).toBe(1);
});

it.each<[string, Step]>([
  ['step by step', 'without end'],
  ['inside one step of the engine', 'at once'],
  ['of one text that is longer than any may be', 'too long'],
])('is ended where its heap runs full %s, and others go on', async (_, step) => {
  await expect(processWith().do(step)).rejects.toThrow('more than 64 MiB');
  expect(await processWith().do('next')).toBe(1);
});

it('says what a step throws, and does nothing after that or after its end', async () => {
  const bounded = processWith();
  await expect(bounded.do('fail')).rejects.toThrow('Not this.');
  await expect(bounded.do('next')).rejects.toThrow('Not this.');
  const ended = processWith();
  await ended.do('next');
  await ended.end();
  await expect(ended.do('next')).rejects.toThrow('The process has been ended.');
});

it('says that it is gone where it is killed, at work or between steps', async () => {
  const bounded = processWith();
  const working = bounded.do('for ever');
  children[0]?.kill('SIGKILL');
  await expect(working).rejects.toThrow('gone: The process ended (SIGKILL).');
  const resting = processWith();
  process.kill(await resting.do('where'), 'SIGKILL');
  await expect(resting.do('for ever')).rejects.toThrow('gone: The process ');
});

it('refuses what it is at with the reason for which it is ended', async () => {
  const bounded = processWith();
  const working = bounded.do('for ever');
  const [refused] = await Promise.allSettled([working, bounded.end(new Error('stopping'))]);
  expect(refused).toMatchObject({ reason: { message: 'stopping' } });
});
