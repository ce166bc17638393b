import { faultsOf, gatesOf } from './eval.command.js';

const metrics = { hit1: 0.5, ndcg10: 0.7, recall: { '3': 0.6 } };
const moved = { prompt: 'a', before: 1, now: 2 };

test('a gate names a measure as people write it, or is a number of the first hit', () => {
  const { gates } = gatesOf(['hit@1=0.6', 'nDCG@10=.7', 'recall3=1', '0.4'], 'prompts.jsonl');
  expect(gates.map(({ measure, least }) => [measure, least])).toEqual([
    ['hit1', 0.6],
    ['ndcg10', 0.7],
    ['recall3', 1],
    ['hit1', 0.4],
  ]);
});

test('the file may follow the gates', () => {
  const named = gatesOf(['hit1=0.6', 'prompts.jsonl'], undefined);
  expect(named).toEqual({ gates: [{ measure: 'hit1', least: 0.6 }], file: 'prompts.jsonl' });
  expect(gatesOf(['0.6'], 'prompts.jsonl').file).toBe('prompts.jsonl');
  expect(gatesOf([], undefined)).toEqual({ gates: [], file: undefined });
});

test.each(['luck=1', 'hit1=', 'hit1=x', 'hit1=1=2', 'hit1', 'hit1=7', 'latency=1', 'prompts'])(
  '%s is no gate',
  (word) => {
    expect(() => gatesOf([word], undefined)).toThrow('--fail-under');
    expect(() => gatesOf([word, 'hit1=1'], undefined)).toThrow('--fail-under');
  },
);

test('what is under a gate, has become worse or can’t be compared is told', () => {
  const faults = (words: string[], comparison?: { compared: number; worse: (typeof moved)[] }) =>
    faultsOf(
      { metrics, ...(comparison && { comparison: { better: [], ...comparison } }) },
      gatesOf(words, 'prompts.jsonl').gates,
      comparison !== undefined,
    );
  expect(faults(['hit1=0.5', 'recall3=0.6'])).toEqual([]);
  expect(faults(['0.6', 'recall3=0.7'])).toEqual([
    'hit1 is 0.5, less than 0.6',
    'recall3 is 0.6, less than 0.7',
  ]);
  expect(faults([], { compared: 1, worse: [] })).toEqual([]);
  expect(faults([], { compared: 1, worse: [moved] })).toEqual(['1 prompt has become worse']);
  expect(faults([], { compared: 0, worse: [] })).toEqual([expect.stringContaining('nothing was asked')]);
});
