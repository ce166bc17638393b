import { pauseAfter } from './webhook-pause.js';

test('pauses grow twofold up to an hour, and are never all the same', () => {
  const attempts = [1, 2, 3, 4, 11, 12, 13, 5_000];
  expect(attempts.map((attempt) => pauseAfter(attempt, 0.5))).toEqual([2, 4, 8, 16, 2048, 3600, 3600, 3600]);
  expect([pauseAfter(2, 0), pauseAfter(2, 1)]).toEqual([3, 5]);
});
