/** How well prompts led to the tools that were meant. Pure. */

/** One row of a data set. */
export interface Expectation {
  readonly prompt: string;
  /** Names of the tools that should be found. */
  readonly expect: readonly string[];
  /** Names of tools that must not be. */
  readonly forbid?: readonly string[];
}

/** What a row led to. */
export interface Result {
  readonly prompt: string;
  readonly expect: readonly string[];
  /** Names found, best first, ten at most. */
  readonly found: readonly string[];
  /** Place of the first that was meant, from 1; null where none is among those found. */
  readonly rank: number | null;
  /** Of the names forbidden, those found. */
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

/** A tool that took the first place of another. */
export interface Confusion {
  readonly expected: string;
  readonly found: string;
  readonly times: number;
  /** One of the prompts. */
  readonly prompt: string;
}

/** A name that is said twice is meant once. */
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

/** The worst first. */
export function confusionsOf(results: readonly Result[], most: number): Confusion[] {
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
  return [...known.values()].sort(order).slice(0, most);
}
