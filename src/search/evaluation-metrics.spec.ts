import { confusionsOf, metricsOf, resultOf } from './evaluation-metrics.js';

const row = (prompt: string, expect: readonly string[], forbid: readonly string[] = []) => ({
  prompt,
  expect,
  forbid,
});

const results = [
  resultOf(row('a', ['x']), ['x', 'y']),
  resultOf(row('b', ['x'], ['z']), ['y', 'x', 'z']),
  resultOf(row('c', ['x']), ['y']),
  resultOf(row('d', ['x', 'y']), ['x', 'z', 'y']),
];

test('a run is summed up', () => {
  expect(metricsOf(results)).toEqual({
    prompts: 4,
    hit1: 0.5,
    recall: { 1: 0.375, 3: 0.75, 5: 0.75, 10: 0.75 },
    mrr: 0.625,
    ndcg10: 0.6377,
    forbiddenHits: 1,
  });
  expect(metricsOf([])).toMatchObject({ prompts: 0, hit1: 0, ndcg10: 0 });
});

test('the tool that takes the place of another most often is named first', () => {
  expect(confusionsOf(results, 10)).toEqual([{ expected: 'x', found: 'y', times: 2, prompt: 'b' }]);
});

test('a name that is said twice is meant once', () => {
  const twice = [resultOf(row('a', ['x', 'x'], ['y', 'y']), ['x', 'y'])];
  expect(metricsOf(twice)).toMatchObject({ ndcg10: 1, recall: { 1: 1 }, forbiddenHits: 1 });
});
