import { resultOf } from '../../search/shared.js';
import { type AskedTwice, flipsOf, type Terms, verdictOf } from './version-gate.js';

const tool = 'getBalance';

/** A prompt that means `expect`, and what it finds before and now. */
function asked(
  expect: string,
  found: { readonly before: readonly string[]; readonly now: readonly string[] },
  more: Partial<Pick<AskedTwice, 'forbid' | 'configured'>> = {},
): AskedTwice {
  const { forbid = [], configured = false } = more;
  const row = { prompt: `for ${expect}`, expect: [expect], forbid };
  return { before: resultOf(row, found.before), now: resultOf(row, found.now), forbid, configured };
}

const times = (count: number, one: AskedTwice): readonly AskedTwice[] =>
  Array.from({ length: count }, () => one);
const same = (expect: string) => asked(expect, { before: [expect, tool], now: [expect, tool] });
const stolen = asked('listTransfers', { before: ['listTransfers', tool], now: [tool, 'listTransfers'] });
const gained = asked(tool, { before: ['listTransfers', tool], now: [tool, 'listTransfers'] });

const judged = (prompts: readonly AskedTwice[], terms: Partial<Terms> = {}) =>
  verdictOf(prompts, { tool, margin: 0.02, thresholds: {}, ...terms });
const rulesOf = (prompts: readonly AskedTwice[], terms: Partial<Terms> = {}) =>
  judged(prompts, terms).reasons.map(({ rule }) => rule);

test('a version that changes no answer passes', () => {
  const verdict = judged(times(5, same(tool)));
  expect(verdict).toMatchObject({ passed: true, reasons: [], prompts: 5, concerned: 5 });
  expect(verdict.metrics.hitAt1).toEqual({ before: 1, now: 1, difference: 0, low: 0, high: 0 });
});

test('one that takes the first place of another does not, and the interval says how sure that is', () => {
  const verdict = judged([...times(2, stolen), ...times(6, same('listTransfers'))]);
  expect(verdict.passed).toBe(false);
  // By hand: mean −2/8, variance (2·0.75² + 6·0.25²)/7, 1.645 · √(0.2143/8) = 0.2692.
  expect(verdict.metrics.hitAt1).toEqual({ before: 1, now: 0.75, difference: -0.25, low: -0.5192, high: 0 });
  expect(verdict.metrics.hitAt5).toMatchObject({ difference: 0, low: 0, high: 0 });
  expect(verdict.reasons.map(({ rule }) => rule)).toEqual(['worse', 'worse']);
  expect(verdict.reasons[0]?.detail).toBe(
    'Over 8 prompts that it concerns, hitAt1 goes from 1 to 0.75 (-0.25, between -0.5192 and 0): a greater loss ' +
      'than the margin of 0.02.',
  );
});

test('thousands of prompts that have nothing to do with it hide no loss', () => {
  const others = times(5_000, asked('other', { before: ['other'], now: ['other'] }));
  const verdict = judged([...others, ...times(3, stolen)]);
  expect(verdict).toMatchObject({ passed: false, prompts: 5_003, concerned: 3 });
  expect(verdict.metrics.hitAt1).toMatchObject({ before: 1, now: 0 });
});

test('a prompt whose answer changes concerns it, although it is not found there', () => {
  const shifted = asked('other', { before: ['other', 'more'], now: ['more', 'other'] });
  expect(judged([shifted])).toMatchObject({ concerned: 1, passed: false });
});

test('gains and losses that are even are no pass until enough prompts show it', () => {
  expect(rulesOf([stolen, gained, ...times(8, same(tool))])).toContain('not_shown');
  expect(judged([stolen, gained, ...times(400, same(tool))]).passed).toBe(true);
});

test('where no prompt loses, unlike gains are a pass', () => {
  const low = asked(tool, { before: [], now: ['other', 'more', tool] });
  expect(judged([gained, low]).metrics.hitAt1).toMatchObject({ difference: 0.5, low: 0, high: 1 });
  expect(judged([gained, low]).passed).toBe(true);
});

test('a loss within the margin passes, and a wider margin lets more through', () => {
  expect(judged([stolen, ...times(399, same(tool))]).passed).toBe(true);
  const some = [...times(4, stolen), ...times(36, same(tool))];
  expect(judged(some).passed).toBe(false);
  expect(judged(some, { margin: 0.2 }).passed).toBe(true);
});

test('a forbidden tool in first place fails it; of other people’s prompts only where that is new', () => {
  const already = { before: [tool, 'listTransfers'], now: [tool, 'listTransfers'] };
  const late = { before: ['listTransfers', tool], now: ['listTransfers', tool] };
  const forbid = [tool];
  expect(rulesOf([asked('listTransfers', already, { forbid })])).toEqual([]);
  expect(rulesOf([asked('listTransfers', already, { forbid, configured: true })])).toEqual([
    'forbidden_first',
  ]);
  expect(rulesOf([asked('listTransfers', late, { forbid, configured: true })])).toEqual([]);
  const fresh = { before: [], now: [tool] };
  expect(rulesOf([asked('listTransfers', fresh, { forbid })])).toEqual(['forbidden_first']);
});

test('thresholds are about the prompts of its config alone', () => {
  const missed = asked(tool, { before: [], now: ['other', tool] }, { configured: true });
  const hit = asked(tool, { before: [], now: [tool] }, { configured: true });
  const terms = { thresholds: { hitAt1: 0.8, mrrAt10: 0.7 } };
  expect(rulesOf([missed, hit, ...times(9, gained)], terms)).toEqual(['below_threshold']);
  expect(rulesOf([hit, missed], { thresholds: { hitAt1: 0.5, hitAt5: 1, mrrAt10: 0.75 } })).toEqual([]);
  expect(rulesOf(times(2, same(tool)), terms)).toEqual([]);
});

test('the same prompts give the same verdict', () => {
  const prompts = [stolen, gained, ...times(20, same(tool))];
  expect(judged(prompts)).toEqual(judged([...prompts]));
});

test('says which prompts flip, and to whom', () => {
  const prompts = [same(tool), stolen, gained];
  const [before, now] = [prompts.map((one) => one.before), prompts.map((one) => one.now)];
  const first = { before: 'listTransfers', now: tool };
  expect(flipsOf(before, now)).toEqual({
    better: [{ prompt: `for ${tool}`, expect: [tool], before: 2, now: 1, first }],
    worse: [{ prompt: 'for listTransfers', expect: ['listTransfers'], before: 1, now: 2, first }],
  });
});
