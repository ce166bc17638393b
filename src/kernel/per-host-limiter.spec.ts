import fc from 'fast-check';
import { turns } from '../../test/turns.js';
import { PerHostLimiter } from './per-host-limiter.js';
import { many } from '../../test/soak.js';

test('never lets in more than its bounds, serves a host in turn, and leaves nobody standing', async () => {
  const work = fc.array(
    fc.record({ host: fc.constantFrom('a', 'b', 'c'), wait: fc.nat(3), fails: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(
      work,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      async (pieces, perHost, inAll) => {
        const limiter = new PerHostLimiter(perHost, inAll);
        const running: string[] = [];
        const begun = new Map<string, number[]>();
        const done = pieces.map(({ host, wait, fails }, index) =>
          limiter.run(host, async () => {
            running.push(host);
            begun.set(host, [...(begun.get(host) ?? []), index]);
            expect(running.length).toBeLessThanOrEqual(inAll);
            expect(running.filter((one) => one === host).length).toBeLessThanOrEqual(perHost);
            await turns(wait);
            running.splice(running.indexOf(host), 1);
            if (fails) throw new Error('refused');
            return index;
          }),
        );
        const settled = await Promise.allSettled(done);
        expect(settled.map(({ status }) => status === 'rejected')).toEqual(pieces.map(({ fails }) => fails));
        for (const order of begun.values())
          expect(order).toEqual([...order].sort((one, other) => one - other));
        await limiter.idle();
      },
    ),
    many(50),
  );
});

test('is idle only when nothing runs or waits', async () => {
  const limiter = new PerHostLimiter(1, 1);
  const ended: number[] = [];
  for (const index of [1, 2, 3]) {
    void limiter.run('a', async () => {
      await turns(2);
      ended.push(index);
    });
  }
  await limiter.idle();
  expect(ended).toEqual([1, 2, 3]);
});
