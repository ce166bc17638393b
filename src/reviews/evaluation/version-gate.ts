/** Decides whether a version of a tool may take the place of the one before it, by what prompts find with either. Pure. */
import type { EvalConfig } from '../../registry/shared.js';
import { comparisonOf, type Result } from '../../search/shared.js';

/** One prompt, asked of the catalog without the version and with it. */
export interface AskedTwice {
  readonly before: Result;
  readonly now: Result;
  /** Names of tools that it must not find first. */
  readonly forbid: readonly string[];
  /** Whether it is of the version's own config, whose thresholds are about it. */
  readonly configured: boolean;
}

export type Measure = keyof EvalConfig['thresholds'];

const measures: Readonly<Record<Measure, (result: Result) => number>> = {
  hitAt1: ({ rank }) => Number(rank === 1),
  hitAt5: ({ rank }) => Number(rank !== null && rank <= 5),
  mrrAt10: ({ rank }) => (rank === null ? 0 : 1 / rank),
};
const names = Object.keys(measures) as readonly Measure[];

/** A measure over the prompts that the version concerns. */
export interface Change {
  readonly before: number;
  readonly now: number;
  readonly difference: number;
  /** Between these the difference lies for prompts like these, with a confidence of 95 % on either side. */
  readonly low: number;
  readonly high: number;
}

export interface GateReason {
  readonly rule: 'worse' | 'not_shown' | 'forbidden_first' | 'below_threshold';
  readonly detail: string;
}

export interface Verdict {
  readonly passed: boolean;
  /** Why it has not passed. */
  readonly reasons: readonly GateReason[];
  readonly prompts: number;
  /** Prompts that mean the tool, find it, or find anything else than before. */
  readonly concerned: number;
  readonly metrics: Readonly<Record<Measure, Change>>;
}

/** What the version is held to. */
export interface Terms {
  readonly tool: string;
  /** How much less of any measure is let through. */
  readonly margin: number;
  readonly thresholds: EvalConfig['thresholds'];
}

/** Judges by the prompts that the version concerns: however many others there are, they can't hide a loss. */
export function verdictOf(asked: readonly AskedTwice[], { tool, margin, thresholds }: Terms): Verdict {
  const concerned = asked.filter(({ before, now }) => concerns(tool, before, now));
  const changes = names.map((name) => [name, changeOf(concerned, measures[name])] as const);
  const reasons = [
    ...changes.flatMap(([name, change]) => lossOf(name, change, concerned.length, margin)),
    ...forbiddenOf(asked),
    ...names.flatMap((name) => shortOf(name, asked, thresholds[name])),
  ];
  return {
    ...{ passed: reasons.length === 0, reasons },
    ...{ prompts: asked.length, concerned: concerned.length },
    metrics: Object.fromEntries(changes) as Record<Measure, Change>,
  };
}

function concerns(tool: string, before: Result, now: Result): boolean {
  if ([before.expect, before.found, now.found].some((list) => list.includes(tool))) return true;
  return before.found.join() !== now.found.join();
}

/** Deviations of the mean that leave 5 % on either side, by the normal distribution. */
const deviations = 1.645;

/** Mean of the differences, prompt by prompt, with the interval of a paired test. */
function changeOf(asked: readonly AskedTwice[], measure: (result: Result) => number): Change {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  const differences = asked.map(({ before, now }) => measure(now) - measure(before));
  const difference = mean(differences);
  const squares = differences.reduce((sum, each) => sum + (each - difference) ** 2, 0);
  const count = differences.length;
  const reach = count < 2 ? 0 : deviations * Math.sqrt(squares / (count - 1) / count);
  return {
    before: rounded(mean(asked.map(({ before }) => measure(before)))),
    now: rounded(mean(asked.map(({ now }) => measure(now)))),
    difference: rounded(difference),
    // A mean lies between the least and the greatest: where no prompt has lost, there is no loss.
    low: rounded(Math.max(least(differences), difference - reach)),
    high: rounded(-Math.max(least(differences.map((each) => -each)), -difference - reach)),
  };
}

const least = (values: readonly number[]): number =>
  values.reduce((low, each) => Math.min(low, each), values[0] ?? 0);

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 || 0;

function lossOf(
  name: Measure,
  { before, now, difference, low, high }: Change,
  prompts: number,
  margin: number,
): GateReason[] {
  if (low >= -margin) return [];
  const said =
    `Over ${counted(prompts)} that it concerns, ${name} goes from ${String(before)} to ${String(now)} ` +
    `(${String(difference)}, between ${String(low)} and ${String(high)})`;
  return difference < -margin
    ? [{ rule: 'worse', detail: `${said}: a greater loss than the margin of ${String(margin)}.` }]
    : [
        {
          rule: 'not_shown',
          detail: `${said}: a greater loss than the margin of ${String(margin)} can't be ruled out. Ask more prompts.`,
        },
      ];
}

/** Of prompts of others only those count that found something else first before. */
function forbiddenOf(asked: readonly AskedTwice[]): GateReason[] {
  const found = asked.filter(({ before, now, forbid, configured }) => {
    const [first = ''] = now.found;
    return forbid.includes(first) && (configured || before.found[0] !== first);
  });
  if (found.length === 0) return [];
  return [
    { rule: 'forbidden_first', detail: `${counted(found.length)} would find first what is forbidden.` },
  ];
}

function shortOf(name: Measure, asked: readonly AskedTwice[], threshold: number | undefined): GateReason[] {
  const own = asked.filter(({ configured }) => configured);
  if (threshold === undefined || own.length === 0) return [];
  const { now } = changeOf(own, measures[name]);
  if (now >= threshold) return [];
  const detail = `Over ${counted(own.length)} of its config, ${name} is ${String(now)}: less than the ${String(threshold)} asked for.`;
  return [{ rule: 'below_threshold', detail }];
}

const counted = (prompts: number): string => (prompts === 1 ? '1 prompt' : `${String(prompts)} prompts`);

/** A prompt whose answer the version changes. */
export interface Flip extends Moved {
  readonly expect: readonly string[];
  /** What was found first, and what is; null for nothing. */
  readonly first: { readonly before: string | null; readonly now: string | null };
}

type Moved = ReturnType<typeof comparisonOf>['worse'][number];

/** The prompts that the version makes better and worse: two runs of the same prompts in the same order. */
export function flipsOf(
  before: readonly Result[],
  now: readonly Result[],
): { readonly better: readonly Flip[]; readonly worse: readonly Flip[] } {
  const flips = now.flatMap((result, place) => {
    const earlier = before[place];
    if (earlier === undefined) return [];
    const first = { before: earlier.found[0] ?? null, now: result.found[0] ?? null };
    const { better, worse } = comparisonOf([earlier], [result]);
    const flip = (moved: Moved): Flip => ({ ...moved, expect: result.expect, first });
    return [{ better: better.map(flip), worse: worse.map(flip) }];
  });
  return { better: flips.flatMap(({ better }) => better), worse: flips.flatMap(({ worse }) => worse) };
}
