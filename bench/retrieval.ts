import { differencesOf, intervalsOf } from '../src/search/evaluation/evaluation-intervals.js';
import { metricsOf, pairsOf, type Result } from '../src/search/evaluation/evaluation-metrics.js';
import { learningFrom, learnt, nothingLearnt } from './learnt-worths.js';
import { ownRanking } from './own-ranking.js';
import { plainBm25 } from './plain-bm25.js';
import { progress, report } from './harness.js';
import { resultsOf, type RetrievalSet, setsIn, taught, type Tool } from './retrieval-sets.js';

/**
 * How well prompts find their tools, over every set of a folder, beside BM25 over names and descriptions, over schemas as well,
 * and over examples appended to descriptions; and what worths are learnt on the other sets, and do on the one left out.
 *
 * @param folder with `<name>.tools.jsonl` and `<name>.queries.jsonl`
 */
export async function benchRetrieval(folder: string | undefined): Promise<void> {
  if (folder === undefined) {
    progress('retrieval: left out, it needs RETRIEVAL, a folder of data sets');
    return;
  }
  const sets = await setsIn(folder);
  for (const set of sets) {
    await reportSet(`retrieval ${set.name}`, set);
    for (const most of [1, 3, 10, 30]) {
      const some = taught(set, most);
      if (some.queries.length > 0)
        await reportSet(`retrieval ${set.name}, up to ${most} examples a tool`, some);
    }
  }
  reportLearnt(sets);
}

/** Texts that BM25 is given. */
const variants: Readonly<Record<string, (tool: Tool) => Tool>> = {
  'names and descriptions': ({ schema: _, examples: __, ...tool }) => tool,
  'schemas, too': ({ examples: _, ...tool }) => tool,
  'examples appended': ({ schema: _, ...tool }) => appended(tool),
  'schemas, and examples appended': appended,
};

function appended({ examples = [], ...tool }: Tool): Tool {
  return { ...tool, description: [tool.description, ...examples].join(' ') };
}

/** Beside each variant of BM25 that there is for such tools. */
async function reportSet(bench: string, { tools, queries }: RetrievalSet): Promise<void> {
  const own = resultsOf(queries, ownRanking(tools)());
  const some = (has: (tool: Tool) => boolean): boolean => tools.some(has);
  const examples = some((tool) => (tool.examples ?? []).length > 0);
  const schemas = some(({ schema }) => schema !== undefined);
  const plain = Object.entries(variants)
    .filter(([name]) => name.includes('appended') === examples && (schemas || !name.startsWith('schemas')))
    .flatMap(([name, textOf]) => [
      { name, results: resultsOf(queries, plainBm25(tools.map(textOf))) },
      { name: `${name}, not stemmed`, results: resultsOf(queries, plainBm25(tools.map(textOf), false)) },
    ]);
  for (const { name, results } of plain) reportBeside(`${bench}, beside BM25 over ${name}`, own, results);
  const best = plain.reduce((most, each) => (ndcg(each.results) > ndcg(most.results) ? each : most));
  const { difference, low, high } = (await differencesOf(pairsOf(best.results, own))).ndcg10;
  const { ndcg10 } = await intervalsOf(own);
  progress(
    `  nDCG@10 between ${ndcg10.low} and ${ndcg10.high}; ${difference} above BM25 over ${best.name}, between ${low} and ${high}`,
  );
}

const ndcg = (results: readonly Result[]): number => metricsOf(results).ndcg10;

function reportBeside(bench: string, own: readonly Result[], plain: readonly Result[]): void {
  const [figures, baselines] = [metricsOf(own), metricsOf(plain)];
  for (const measure of ['hit1', 'mrr', 'ndcg10'] as const) {
    report({
      bench: `${bench}: ${measure}`,
      figure: figures[measure],
      unit: '',
      baseline: baselines[measure],
    });
  }
}

/** Leaves each set out: its nDCG@10 with what was learnt on the others, beside that with nothing learnt. */
function reportLearnt(sets: readonly RetrievalSet[]): void {
  if (sets.length < 2) {
    progress('  leaving one set out: left out, it needs several sets');
    return;
  }
  const learning = sets.map(learningFrom);
  for (const one of learning) {
    const worths = learnt(learning.filter((each) => each !== one));
    progress(`  without ${one.name}: ${JSON.stringify(worths)}`);
    for (const examples of one.hasExamples ? [false, true] : [false]) {
      const bench = `retrieval ${one.name}${examples ? ' with examples' : ''}, with what the other sets taught: ndcg10`;
      const baseline = one.quality(nothingLearnt, examples);
      report({ bench, figure: one.quality(worths, examples), unit: '', baseline });
    }
  }
}
