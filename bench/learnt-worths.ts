import type { Worths } from '../packages/ranking/worths.js';
import { metricsOf } from '../src/search/evaluation/evaluation-metrics.js';
import { ownRanking } from './own-ranking.js';
import { resultsOf, type RetrievalSet, taught } from './retrieval-sets.js';

/** Values that are tried of each worth. */
const tried = {
  request: [0.3, 0.5, 0.7, 1],
  named: [0, 0.25, 0.5, 0.75, 1],
  example: [0.2, 0.3, 0.4, 0.5, 0.7],
} as const satisfies Record<keyof Worths, readonly number[]>;

/** What learning begins with: words around a request are words, and the name is a field. */
export const nothingLearnt: Worths = { request: 1, named: 0, example: 0.3 };

/** Examples of a tool, with which it is learnt what they are worth. */
const EXAMPLES = 10;

/** nDCG@10 of one set for any worths, without examples and with them; each is asked once. */
export type Learning = ReturnType<typeof learningFrom>;

export function learningFrom(set: RetrievalSet) {
  const known = new Map<string, number>();
  const ranked = ([set, taught(set, EXAMPLES)] as const).map(({ tools, queries }) => ({
    queries,
    ranking: ownRanking(tools),
  }));
  return {
    name: set.name,
    hasExamples: (ranked[1]?.queries.length ?? 0) > 0,
    quality(worths: Worths, examples: boolean): number {
      const key = JSON.stringify([worths, examples]);
      const { queries, ranking } = ranked[Number(examples)] ?? { queries: [], ranking: ownRanking([]) };
      const quality = known.get(key) ?? metricsOf(resultsOf(queries, ranking(worths))).ndcg10;
      known.set(key, quality);
      return quality;
    },
  };
}

/** The worths that are best on the average of these sets, tried one after the other. */
export function learnt(sets: readonly Learning[]): Worths {
  let worths = nothingLearnt;
  for (const name of Object.keys(tried) as (keyof Worths)[]) {
    const average = (value: number): number =>
      sets.reduce(
        (sum, each) => sum + each.quality({ ...worths, [name]: value }, name === 'example') / sets.length,
        0,
      );
    const qualities = tried[name].map((value) => ({ value, quality: average(value) }));
    const best = qualities.reduce((most, each) => (each.quality > most.quality ? each : most));
    worths = { ...worths, [name]: best.value };
  }
  return worths;
}
