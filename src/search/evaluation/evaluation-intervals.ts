/** How far a figure of a run may be from that of other prompts like these: bootstrap over the prompts. Pure. */
import { Pace } from '../../kernel/pace.js';
import { ndcg, type Pair, type Result } from './evaluation-metrics.js';

const measures = {
  hit1: ({ rank }: Result) => Number(rank === 1),
  mrr: ({ rank }: Result) => (rank === null ? 0 : 1 / rank),
  ndcg10: ndcg,
};
type Measure = keyof typeof measures;
const names = Object.keys(measures) as readonly Measure[];

/** Of 95 in 100 samples of the prompts the figure lies between these. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface Difference extends Interval {
  readonly difference: number;
}

/** Samples that are drawn: as many prompts each as there are, some of them several times. */
const SAMPLES = 1_000;
/** Share of the samples that is left out on either side. */
const TAIL = 0.025;

/** Of each measure the interval: the same for the same results. */
export function intervalsOf(results: readonly Result[]): Promise<Record<Measure, Interval>> {
  return byMeasure((measure) => intervalOf(results.map(measure)));
}

/** Of each measure how much it has changed, prompt by prompt, and between what that lies: a gain is told from noise where 0 does not lie between. */
export function differencesOf(pairs: readonly Pair[]): Promise<Record<Measure, Difference>> {
  return byMeasure(async (measure) => {
    const changes = pairs.map(({ before, now }) => measure(now) - measure(before));
    return { difference: rounded(sum(changes) / (changes.length || 1)), ...(await intervalOf(changes)) };
  });
}

/** How many prompts have found what was meant first in one of the runs alone. */
export function firstPlacesOf(pairs: readonly Pair[]): { readonly gained: number; readonly lost: number } {
  const only = (first: 'before' | 'now', other: 'before' | 'now'): number =>
    pairs.filter((pair) => pair[first].rank === 1 && pair[other].rank !== 1).length;
  return { gained: only('now', 'before'), lost: only('before', 'now') };
}

async function byMeasure<T>(
  of: (measure: (result: Result) => number) => Promise<T>,
): Promise<Record<Measure, T>> {
  const figures: [Measure, T][] = [];
  for (const name of names) figures.push([name, await of(measures[name])]);
  return Object.fromEntries(figures) as Record<Measure, T>;
}

async function intervalOf(values: readonly number[]): Promise<Interval> {
  if (values.length === 0) return { low: 0, high: 0 };
  const place = placesBelow(values.length);
  const means = new Float64Array(SAMPLES);
  const pace = new Pace();
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    let total = 0;
    for (let drawn = 0; drawn < values.length; drawn += 1) total += values[place()] ?? 0;
    means[sample] = total / values.length;
    await pace.step();
  }
  means.sort();
  const least = Math.floor(SAMPLES * TAIL);
  return { low: rounded(means[least] ?? 0), high: rounded(means[SAMPLES - 1 - least] ?? 0) };
}

/** Places that look drawn by chance, the same each time (mulberry32). */
function placesBelow(length: number): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * length);
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 || 0;
