import { comparisonOf, confusionsOf, metricsOf, resultOf } from './evaluation-metrics.js';

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

const asked = (prompt: string, expect: string[], found: string[], forbid: string[] = []) =>
  resultOf({ prompt, expect, forbid }, found);

test('the places of what both runs asked are compared', () => {
  const before = [
    asked('a', ['x'], ['x', 'y']),
    asked('b', ['x'], ['y', 'x', 'z']),
    asked('c', ['x'], ['y']),
    asked('d', ['x'], ['y']),
  ];
  const now = [
    asked('a', ['x'], ['y', 'x']),
    asked('b', ['x'], ['x']),
    asked('c', ['x'], ['z']),
    asked('d', ['x'], ['y', 'x']),
    asked('new', ['x'], []),
  ];
  expect(comparisonOf(before, now)).toEqual({
    compared: 4,
    better: [
      { prompt: 'b', before: 2, now: 1 },
      { prompt: 'd', before: null, now: 2 },
    ],
    worse: [{ prompt: 'a', before: 1, now: 2 }],
  });
});

test('a prompt that means other tools in another row is another question', () => {
  const run = [asked('a', ['x'], ['y', 'x']), asked('a', ['y'], ['y', 'x'])];
  expect(comparisonOf(run, run)).toEqual({ compared: 2, better: [], worse: [] });
  expect(comparisonOf(run, [asked('a', ['z'], [])])).toEqual({ compared: 0, better: [], worse: [] });
  const several = [asked('a', ['x', 'y'], ['x'])];
  expect(comparisonOf(several, [asked('a', ['y', 'x'], ['x'])]).compared).toBe(1);
});

test('a second tool that is lost makes a row worse, one that changes places with another does not', () => {
  const before = [asked('a', ['x', 'y'], ['x', 'y']), asked('b', ['x', 'y'], ['x', 'y'])];
  const now = [asked('a', ['x', 'y'], ['x', 'z']), asked('b', ['x', 'y'], ['y', 'x'])];
  expect(comparisonOf(before, now)).toEqual({
    compared: 2,
    better: [],
    worse: [{ prompt: 'a', before: 1, now: 1, tools: [{ name: 'y', before: 2, now: null }] }],
  });
});

test('a forbidden tool that comes up makes a row worse, whatever else it gains', () => {
  const before = [asked('a', ['x'], ['y', 'x'], ['f']), asked('b', ['x'], ['x', 'f'], ['f'])];
  const now = [asked('a', ['x'], ['x', 'f'], ['f']), asked('b', ['x'], ['x'], ['f'])];
  expect(comparisonOf(before, now)).toEqual({
    compared: 2,
    better: [{ prompt: 'b', before: 1, now: 1, forbidden: { before: ['f'], now: [] } }],
    worse: [{ prompt: 'a', before: 2, now: 1, forbidden: { before: [], now: ['f'] } }],
  });
  const later = [asked('c', ['x'], ['x', 'f'])];
  expect(comparisonOf(later, [asked('c', ['x'], ['x', 'f'], ['f'])]).worse).toEqual([]);
});
