import { ThreadPool } from './thread.pool.js';

interface Task {
  /** The thread waits while its first number is 0. */
  readonly gate: SharedArrayBuffer;
  readonly name: string;
}

/** Work that is slow until the test lets it go. */
const HELD = new URL(
  `data:text/javascript,${encodeURIComponent('export default ({ gate, name }) => (Atomics.wait(new Int32Array(gate), 0, 0), name);')}`,
);

it('a host has its share of those who wait for the thread, and others are answered in between', async () => {
  const gate = new SharedArrayBuffer(4);
  const pool = new ThreadPool<Task, string>(HELD, 'held texts');
  const answered: string[] = [];
  const refused: string[] = [];
  const send = async (hostId: string, many: number): Promise<void> => {
    const names = Array.from({ length: many }, (_, at) => `${hostId}${String(at + 1)}`);
    await Promise.all(
      names.map((name) =>
        pool.run({ gate, name }, hostId).then(
          (said) => answered.push(said),
          (error: unknown) => {
            expect(error).toMatchObject({
              status: 429,
              code: 'texts_busy',
              headers: { 'retry-after': '60' },
            });
            refused.push(name);
          },
        ),
      ),
    );
  };
  const all = Promise.all([send('a', 40), send('b', 2), send('c', 1)]);
  const open = new Int32Array(gate);
  Atomics.store(open, 0, 1);
  Atomics.notify(open, 0);
  await all;
  expect(answered.slice(0, 7)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  expect(answered).toHaveLength(1 + 32 + 2 + 1);
  expect(refused).toHaveLength(7);
  expect(refused[0]).toBe('a34');
});
