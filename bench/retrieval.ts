import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { analyse, documentOf } from '../packages/ranking/document.js';
import { lexicalVector } from '../packages/ranking/lexical-vector.js';
import { rank } from '../packages/ranking/rank.js';
import { statisticsOf } from '../packages/ranking/statistics.js';
import { toolSearchable } from '../packages/ranking/tool-texts.js';
import { metricsOf, resultOf, type Result } from '../src/search/evaluation-metrics.js';
import { plainBm25 } from './plain-bm25.js';
import { progress, report } from './harness.js';

interface Tool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schema?: object;
}

interface Query {
  readonly query: string;
  readonly relevantToolIds: readonly string[];
}

/**
 * How well prompts find their tools, beside plain BM25 over the same texts.
 *
 * @param folder with `<name>.tools.jsonl` and `<name>.queries.jsonl`
 */
export async function benchRetrieval(folder: string | undefined): Promise<void> {
  if (folder === undefined) {
    progress('retrieval: left out, it needs RETRIEVAL, a folder of data sets');
    return;
  }
  const ends = '.queries.jsonl';
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(ends))) {
    const set = file.slice(0, -ends.length);
    const tools = await linesOf<Tool>(join(folder, `${set}.tools.jsonl`));
    const queries = await linesOf<Query>(join(folder, file));
    const own = metricsOf(resultsOf(queries, ownSearch(tools)));
    const plain = metricsOf(resultsOf(queries, plainBm25(tools)));
    for (const measure of ['hit1', 'mrr', 'ndcg10'] as const) {
      report({
        bench: `retrieval ${set}: ${measure}`,
        figure: own[measure],
        unit: '',
        baseline: plain[measure],
      });
    }
  }
}

async function linesOf<T>(path: string): Promise<T[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

function resultsOf(queries: readonly Query[], search: (prompt: string) => readonly string[]): Result[] {
  return queries.map(({ query, relevantToolIds }) =>
    resultOf({ prompt: query, expect: relevantToolIds }, search(query)),
  );
}

/** Ids, best first: the ranking with the vectors that are built in. */
function ownSearch(tools: readonly Tool[]): (prompt: string) => readonly string[] {
  const searchables = tools.map(({ id, name, description, schema }) =>
    toolSearchable({ toolId: id, name, description, inputSchema: schema, routingMetadata: {} }),
  );
  const candidates = searchables.map((searchable) => ({
    document: documentOf(searchable.id, analyse(searchable)),
    vector: lexicalVector(Object.values(searchable.texts).slice(0, 4).join('\n')),
  }));
  const statistics = statisticsOf(candidates.map(({ document }) => document));
  return (prompt) => {
    const asked = lexicalVector(prompt);
    const cosine = (vector: Float32Array): number =>
      vector.reduce((sum, each, index) => sum + each * (asked[index] ?? 0), 0);
    const compared = candidates.map(({ document, vector }) => ({ document, cosine: cosine(vector) }));
    return rank(prompt, compared, statistics)
      .slice(0, 10)
      .map(({ candidate }) => candidate.document.id);
  };
}
