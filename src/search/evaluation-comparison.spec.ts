import { comparisonOf } from './evaluation-comparison.js';
import { resultOf } from './evaluation-metrics.js';

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
