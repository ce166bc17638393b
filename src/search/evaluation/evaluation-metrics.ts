/** Measures how well prompts lead to the tools that were meant, and compares two runs. Pure. */

/** One row of a data set. */
export interface Expectation {
  readonly prompt: string;
  /** Names of the tools that should be found. */
  readonly expect: readonly string[];
  /** Names of tools that must not be. */
  readonly forbid?: readonly string[];
}

/** The outcome of one row. */
export interface Result {
  readonly prompt: string;
  readonly expect: readonly string[];
  /** Up to ten names found, best first. */
  readonly found: readonly string[];
  /** Place of the first that was meant, from 1; null where none is among those found. */
  readonly rank: number | null;
  /** The forbidden names that were found. */
  readonly forbidden: readonly string[];
}

export interface Metrics {
  readonly prompts: number;
  /** Share of prompts whose first find was meant. */
  readonly hit1: number;
  /** Share of the tools meant that are among the first k. */
  readonly recall: { readonly 1: number; readonly 3: number; readonly 5: number; readonly 10: number };
  /** Mean of 1/rank among the first ten. */
  readonly mrr: number;
  readonly ndcg10: number;
  readonly forbiddenHits: number;
}

/** A tool that was found in first place instead of another. */
export interface Confusion {
  readonly expected: string;
  readonly found: string;
  readonly times: number;
  /** One of the prompts. */
  readonly prompt: string;
}

/** Judges what was found; names count once. */
export function resultOf({ prompt, forbid = [], ...row }: Expectation, found: readonly string[]): Result {
  const expect = [...new Set(row.expect)];
  const place = found.findIndex((name) => expect.includes(name));
  const forbidden = [...new Set(forbid)].filter((name) => found.includes(name));
  return { prompt, expect, found, rank: place < 0 ? null : place + 1, forbidden };
}

export function metricsOf(results: readonly Result[]): Metrics {
  const mean = (measure: (result: Result) => number): number => {
    const total = results.reduce((sum, result) => sum + measure(result), 0);
    return Math.round((total / (results.length || 1)) * 1e4) / 1e4;
  };
  const recall = (k: number) => mean(({ expect, found }) => share(expect, found.slice(0, k)));
  return {
    prompts: results.length,
    hit1: mean(({ rank }) => Number(rank === 1)),
    recall: { 1: recall(1), 3: recall(3), 5: recall(5), 10: recall(10) },
    mrr: mean(({ rank }) => (rank === null ? 0 : 1 / rank)),
    ndcg10: mean(ndcg),
    forbiddenHits: results.reduce((sum, { forbidden }) => sum + forbidden.length, 0),
  };
}

function share(expect: readonly string[], found: readonly string[]): number {
  return expect.filter((name) => found.includes(name)).length / expect.length;
}

/** nDCG@10: gain of the names found against that of the best order. A name counts once, however many tools bear it. */
export function ndcg({ expect, found }: Pick<Result, 'expect' | 'found'>): number {
  const gain = (place: number): number => 1 / Math.log2(place + 2);
  const best = expect.slice(0, 10).reduce((sum, _, place) => sum + gain(place), 0);
  const places = expect.map((name) => found.indexOf(name)).filter((place) => place >= 0);
  return places.reduce((sum, place) => sum + gain(place), 0) / best;
}

/** Counts confusions, the most frequent first. */
export function confusionsOf(results: readonly Result[], limit: number): Confusion[] {
  const known = new Map<string, Confusion>();
  for (const { prompt, expect, found, rank } of results) {
    const [first] = found;
    const [expected = ''] = expect;
    if (rank === 1 || first === undefined) continue;
    const key = `${expected}\n${first}`;
    const times = (known.get(key)?.times ?? 0) + 1;
    known.set(key, { expected, found: first, prompt: known.get(key)?.prompt ?? prompt, times });
  }
  const order = (a: Confusion, b: Confusion): number =>
    b.times - a.times || (a.expected < b.expected ? -1 : 1);
  return [...known.values()].sort(order).slice(0, limit);
}

/** A question of both runs with different results. */
interface Moved {
  readonly prompt: string;
  /** Place of the first tool that was meant; null where none is among the ten found. */
  readonly before: number | null;
  readonly now: number | null;
  /** Where several tools were meant: those whose place has changed. */
  readonly tools?: readonly {
    readonly name: string;
    readonly before: number | null;
    readonly now: number | null;
  }[];
  /** Forbidden tools found before and now, where the two differ. */
  readonly forbidden?: { readonly before: readonly string[]; readonly now: readonly string[] };
}

/** A question of both runs: the same prompt for the same tools. */
export interface Pair {
  readonly before: Result;
  readonly now: Result;
}

export function pairsOf(before: readonly Result[], now: readonly Result[]): Pair[] {
  const earlier = new Map(before.map((result) => [questionOf(result), result]));
  return now.flatMap((result) => {
    const then = earlier.get(questionOf(result));
    return then === undefined ? [] : [{ before: then, now: result }];
  });
}

interface Comparison {
  /** Questions that both runs asked: the same prompt for the same tools. */
  readonly compared: number;
  readonly better: readonly Moved[];
  readonly worse: readonly Moved[];
}

/**
 * Compares two runs. A question is worse where it has lost in any respect: a later place of the first tool meant,
 * less nDCG of all that are meant, or a forbidden tool that was not found before.
 */
export function comparisonOf(before: readonly Result[], now: readonly Result[]): Comparison {
  const pairs = pairsOf(before, now).map((pair) => ({ ...pair, ...changesOf(pair.before, pair.now) }));
  const moved = (some: typeof pairs): Moved[] => some.map((pair) => movedOf(pair.before, pair.now));
  return {
    compared: pairs.length,
    better: moved(pairs.filter(({ gains, loses }) => gains && !loses)),
    worse: moved(pairs.filter(({ loses }) => loses)),
  };
}

const questionOf = ({ prompt, expect }: Result): string => JSON.stringify([prompt, [...expect].sort()]);

const placeOf = (rank: number | null): number => rank ?? Infinity;

/** Differences below this are rounding. */
const nothing = 1e-9;

function changesOf(then: Result, now: Result): { gains: boolean; loses: boolean } {
  const places = placeOf(then.rank) - placeOf(now.rank);
  const gain = ndcg(now) - ndcg(then);
  const { before, now: found } = forbiddenIn(then, now);
  return {
    gains: places > 0 || gain > nothing || before.length > 0,
    loses: places < 0 || gain < -nothing || found.length > 0,
  };
}

/** Forbidden tools that were found in one of the runs alone. */
function forbiddenIn(then: Result, now: Result): { before: string[]; now: string[] } {
  return {
    before: then.forbidden.filter((name) => !now.found.includes(name)),
    now: now.forbidden.filter((name) => !then.found.includes(name)),
  };
}

function movedOf(then: Result, now: Result): Moved {
  const place = ({ found }: Result, name: string): number | null =>
    found.includes(name) ? found.indexOf(name) + 1 : null;
  const places = now.expect.map((name) => ({ name, before: place(then, name), now: place(now, name) }));
  const tools = places.filter((one) => one.before !== one.now);
  const forbidden = forbiddenIn(then, now);
  return {
    prompt: now.prompt,
    before: then.rank,
    now: now.rank,
    ...(now.expect.length > 1 && tools.length > 0 && { tools }),
    ...(forbidden.before.length + forbidden.now.length > 0 && { forbidden }),
  };
}
