import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { analyse, documentOf, statisticsOf } from '../packages/ranking/document.js';
import { lexicalVector } from '../packages/ranking/lexical-vector.js';
import { rank } from '../packages/ranking/rank.js';
import { toolSearchable } from '../packages/ranking/tool-texts.js';
import {
  metricsOf,
  resultOf,
  type Metrics,
  type Result,
} from '../src/search/evaluation/evaluation-metrics.js';
import { plainBm25 } from './plain-bm25.js';
import { progress, report } from './harness.js';

interface Tool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schema?: object;
  readonly examples?: readonly string[];
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
    reportMetrics(`retrieval ${set}`, own, plain);
    for (const most of [1, 3, 10]) {
      const { taught, asked } = teach(tools, queries, most);
      const appended = taught.map(({ examples, ...tool }) => ({
        ...tool,
        description: [tool.description, ...examples].join(' '),
      }));
      reportMetrics(
        `retrieval ${set}, up to ${most} examples a tool`,
        metricsOf(resultsOf(asked, ownSearch(taught))),
        metricsOf(resultsOf(asked, plainBm25(appended))),
      );
    }
  }
}

function reportMetrics(bench: string, own: Metrics, plain: Metrics): void {
  for (const measure of ['hit1', 'mrr', 'ndcg10'] as const) {
    report({ bench: `${bench}: ${measure}`, figure: own[measure], unit: '', baseline: plain[measure] });
  }
}

/** Of the prompts of each tool that has several, the first half are examples, so many at most; the others are asked. */
function teach(tools: readonly Tool[], queries: readonly Query[], most: number) {
  const prompts = new Map<string, Query[]>();
  for (const query of queries) {
    const [id = ''] = query.relevantToolIds;
    prompts.set(id, [...(prompts.get(id) ?? []), query]);
  }
  const halves = [...prompts].map(([id, own]) => ({ id, own, half: Math.ceil(own.length / 2) }));
  const examples = new Map(
    halves
      .filter(({ own }) => own.length > 1)
      .map(({ id, own, half }) => [id, own.slice(0, Math.min(half, most)).map(({ query }) => query)]),
  );
  return {
    taught: tools.map((tool) => ({ ...tool, examples: examples.get(tool.id) ?? [] })),
    asked: halves.flatMap(({ own, half }) => own.slice(half)),
  };
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
  const searchables = tools.map(({ id, name, description, schema, examples = [] }) =>
    toolSearchable({
      ...{ toolId: id, name, description, inputSchema: schema },
      ...{ routingMetadata: {}, examplePrompts: examples },
    }),
  );
  const candidates = searchables.map((searchable) => {
    const text = Object.values(searchable.texts).slice(0, 4).join('\n');
    return {
      document: documentOf(searchable.id, analyse(searchable)),
      vectors: [text, ...(searchable.examples ?? [])].map(lexicalVector),
    };
  });
  const statistics = statisticsOf(candidates.map(({ document }) => document));
  return (prompt) => {
    const asked = lexicalVector(prompt);
    const cosine = (vector: Float32Array): number =>
      vector.reduce((sum, each, index) => sum + each * (asked[index] ?? 0), 0);
    const compared = candidates.map(({ document, vectors }) => ({
      document,
      cosine: Math.max(...vectors.map(cosine)),
    }));
    return rank(prompt, compared, statistics)
      .slice(0, 10)
      .map(({ candidate }) => candidate.document.id);
  };
}
