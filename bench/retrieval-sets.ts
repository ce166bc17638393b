import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { resultOf, type Result } from '../src/search/evaluation/evaluation-metrics.js';

export interface Tool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schema?: object;
  readonly examples?: readonly string[];
}

export interface Query {
  readonly query: string;
  readonly relevantToolIds: readonly string[];
}

/** Tools, and prompts with what they should find. */
export interface RetrievalSet {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly queries: readonly Query[];
}

/** Ids of tools, best first. */
export type Search = (prompt: string) => readonly string[];

/** Reads every set of a folder: `<name>.tools.jsonl` with `<name>.queries.jsonl`. */
export async function setsIn(folder: string): Promise<RetrievalSet[]> {
  const ends = '.queries.jsonl';
  const files = (await readdir(folder)).filter((file) => file.endsWith(ends)).sort();
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -ends.length);
      const tools = await linesOf<Tool>(join(folder, `${name}.tools.jsonl`));
      return { name, tools, queries: await linesOf<Query>(join(folder, file)) };
    }),
  );
}

async function linesOf<T>(path: string): Promise<T[]> {
  const text = await readFile(path, 'utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line) as T);
}

/**
 * Of the prompts of each tool that has several, the first half are examples, so many at most; the others are asked, and
 * none that a tool without examples is meant by.
 */
export function taught({ name, tools, queries }: RetrievalSet, most: number): RetrievalSet {
  const prompts = new Map<string, Query[]>();
  for (const query of queries) {
    const [id = ''] = query.relevantToolIds;
    const known = prompts.get(id);
    if (known === undefined) prompts.set(id, [query]);
    else known.push(query);
  }
  const several = [...prompts].filter(([, own]) => own.length > 1);
  const halves = several.map(([id, own]) => ({ id, own, half: Math.ceil(own.length / 2) }));
  const examples = new Map(
    halves.map(({ id, own, half }) => [id, own.slice(0, Math.min(half, most)).map(({ query }) => query)]),
  );
  return {
    name,
    tools: tools.map((tool) => ({ ...tool, examples: examples.get(tool.id) ?? [] })),
    queries: halves.flatMap(({ own, half }) => own.slice(half)),
  };
}

export function resultsOf(queries: readonly Query[], search: Search): Result[] {
  return queries.map(({ query, relevantToolIds }) =>
    resultOf({ prompt: query, expect: relevantToolIds }, search(query)),
  );
}
