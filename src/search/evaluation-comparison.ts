/** What two runs have in common, and what has changed between them. Pure. */
import { ndcg, type Result } from './evaluation-metrics.js';

/** A question that both runs asked, and that is answered otherwise. */
export interface Moved {
  readonly prompt: string;
  /** Place of the first tool that was meant; null where none is among the ten found. */
  readonly before: number | null;
  readonly now: number | null;
  /** Of several tools meant those whose place has changed. */
  readonly tools?: readonly {
    readonly name: string;
    readonly before: number | null;
    readonly now: number | null;
  }[];
  /** Forbidden tools that were found then or are now, where these are others. */
  readonly forbidden?: { readonly before: readonly string[]; readonly now: readonly string[] };
}

export interface Comparison {
  /** Questions that both runs asked: the same prompt for the same tools. */
  readonly compared: number;
  readonly better: readonly Moved[];
  readonly worse: readonly Moved[];
}

/**
 * Worse is what has lost in any respect, whatever it has gained in another: a later place of the first tool meant, less
 * nDCG of all that are meant, or a forbidden tool that was not found before.
 */
export function comparisonOf(before: readonly Result[], now: readonly Result[]): Comparison {
  const earlier = new Map(before.map((result) => [questionOf(result), result]));
  const pairs = now.flatMap((result) => {
    const then = earlier.get(questionOf(result));
    return then === undefined ? [] : [{ then, result, ...changesOf(then, result) }];
  });
  const moved = (some: typeof pairs): Moved[] => some.map(({ then, result }) => movedOf(then, result));
  return {
    compared: pairs.length,
    better: moved(pairs.filter(({ gains, loses }) => gains && !loses)),
    worse: moved(pairs.filter(({ loses }) => loses)),
  };
}

const questionOf = ({ prompt, expect }: Result): string => JSON.stringify([prompt, [...expect].sort()]);

const placeOf = (rank: number | null): number => rank ?? Infinity;

/** Less than this is a matter of the order of a sum. */
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

/** Forbidden tools found in one run alone. What was found then and is forbidden only now has not changed. */
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
