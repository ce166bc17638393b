import { threadId } from 'node:worker_threads';
import { BoundedThread, type ThreadLimits } from './bounded-thread.js';

type Step = 'where' | 'next' | 'for ever' | 'without end' | 'fail';

const MODULE = `
import { threadId } from 'node:worker_threads';
let count = 0;
const kept = [];
export default (step) => {
  if (step === 'fail') throw new TypeError('Not this.');
  while (step === 'for ever') count += 0;
  while (step === 'without end') kept.push(new Array(1_000).fill({}));
  return step === 'where' ? threadId : (count += 1);
};`;
const FILE = new URL(`data:text/javascript,${encodeURIComponent(MODULE)}`);

const threads: BoundedThread<Step, number>[] = [];
function threadWith(limits: Partial<ThreadLimits> = {}): BoundedThread<Step, number> {
  const all = { timeMs: 40_000, memoryMib: 64, ...limits };
  const thread = new BoundedThread<Step, number>(FILE, all, (limit) => new RangeError(`more than ${limit}`));
  threads.push(thread);
  return thread;
}

afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.end())));

it('carries steps out elsewhere, and keeps what it has between them, apart from other threads', async () => {
  const [one, other] = [threadWith(), threadWith()];
  expect(await one.do('where')).not.toBe(threadId);
  expect(await one.do('where')).toBe(await one.do('where'));
  expect(await one.do('where')).not.toBe(await other.do('where'));
  expect([await one.do('next'), await one.do('next'), await other.do('next')]).toEqual([1, 2, 1]);
});

it('is ended where its steps take too long, and others go on', async () => {
  const thread = threadWith({ timeMs: 500 });
  await expect(thread.do('for ever')).rejects.toThrow('more than 0.5 seconds');
  await expect(thread.do('next')).rejects.toThrow('more than 0.5 seconds');
  expect(await threadWith().do('next')).toBe(1);
});

it('is ended where its heap runs full, and others go on', async () => {
  await expect(threadWith().do('without end')).rejects.toThrow('more than 64 MiB');
  expect(await threadWith().do('next')).toBe(1);
});

it('says what a step throws, and does nothing after that or after its end', async () => {
  const thread = threadWith();
  await expect(thread.do('fail')).rejects.toThrow('Not this.');
  await expect(thread.do('next')).rejects.toThrow('Not this.');
  const ended = threadWith();
  await ended.do('next');
  await ended.end();
  await expect(ended.do('next')).rejects.toThrow('The thread has been ended.');
});
