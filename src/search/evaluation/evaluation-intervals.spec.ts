import { differencesOf, firstPlacesOf, intervalsOf } from './evaluation-intervals.js';
import { pairsOf, resultOf } from './evaluation-metrics.js';

/** A run of so many prompts, of which every so many-th finds what is meant. */
const run = (prompts: number, every: number) =>
  Array.from({ length: prompts }, (_, at) =>
    resultOf({ prompt: `prompt ${String(at)}`, expect: ['x'] }, at % every === 0 ? ['x'] : ['y']),
  );

test('an interval holds the figure, narrows with the number of prompts, and is the same each time', async () => {
  const [few, many] = [await intervalsOf(run(20, 2)), await intervalsOf(run(2_000, 2))];
  for (const { low, high } of [few.hit1, many.hit1, many.mrr, many.ndcg10]) {
    expect(low).toBeLessThan(0.5);
    expect(high).toBeGreaterThan(0.5);
  }
  // ± 1.96 · √(p(1 − p) / n)
  expect(many.hit1.high - many.hit1.low).toBeCloseTo(2 * 1.96 * Math.sqrt(0.25 / 2_000), 2);
  expect(few.hit1.high - few.hit1.low).toBeCloseTo(2 * 1.96 * Math.sqrt(0.25 / 20), 1);
  expect(await intervalsOf(run(20, 2))).toEqual(few);
});

test('an interval of no prompts, or of prompts that all do as well, has no width', async () => {
  expect((await intervalsOf([])).hit1).toEqual({ low: 0, high: 0 });
  expect((await intervalsOf(run(9, 1))).ndcg10).toEqual({ low: 1, high: 1 });
});

test('a gain of a few prompts among many is not told from noise, one of many is', async () => {
  const change = async (before: ReturnType<typeof run>, now: ReturnType<typeof run>) =>
    (await differencesOf(pairsOf(before, now))).hit1;
  const small = await change(run(200, 3), [...run(4, 1), ...run(200, 3).slice(4)]);
  expect(small.difference).toBeCloseTo(0.01);
  expect(small.low).toBeLessThanOrEqual(0);
  const great = await change(run(200, 3), run(200, 1));
  expect(great.difference).toBeCloseTo(2 / 3, 1);
  expect(great.low).toBeGreaterThan(0.5);
});

test('prompts that win and lose the first place are counted apart', () => {
  const before = run(6, 2);
  const now = run(6, 3);
  expect(firstPlacesOf(pairsOf(before, now))).toEqual({ gained: 1, lost: 2 });
});
