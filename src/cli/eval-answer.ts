/** The service's answer to `eval`, and how it is told to people. Pure. */
import type { Row } from './data-set.js';

/** A tool's name with its API. */
type Naming = (name: string) => string;

export interface Evaluation {
  readonly id: string;
  readonly metrics: Readonly<Record<string, unknown>> & { readonly recall: Readonly<Record<string, number>> };
  readonly confusions: readonly {
    readonly expected: string;
    readonly found: string;
    readonly times: number;
  }[];
  readonly results: readonly (Row & { readonly found: readonly string[] })[];
  readonly comparison?: {
    readonly compared: number;
    readonly better: readonly Moved[];
    readonly worse: readonly Moved[];
  };
}

interface Places {
  readonly before: number | null;
  readonly now: number | null;
}

interface Moved extends Places {
  readonly prompt: string;
  readonly tools?: readonly (Places & { readonly name: string })[];
  readonly forbidden?: { readonly before: readonly string[]; readonly now: readonly string[] };
}

/** Names of the tools that stand in {@link described}. */
export function toolsIn({ confusions, comparison }: Evaluation): string[] {
  const moved = [...(comparison?.better ?? []), ...(comparison?.worse ?? [])];
  return [
    ...confusions.flatMap(({ expected, found }) => [expected, found]),
    ...moved.flatMap(({ tools = [], forbidden }) => [
      ...tools.map(({ name }) => name),
      ...(forbidden?.now ?? []),
      ...(forbidden?.before ?? []),
    ]),
  ];
}

export function described({ id, metrics, confusions, comparison }: Evaluation, named: Naming): string[] {
  const measures = ['prompts', 'hit1', 'mrr', 'ndcg10', 'forbiddenHits'].map(
    (name) => `${name} ${String(metrics[name])}`,
  );
  return [
    `${measures.join(', ')}, recall10 ${String(metrics.recall['10'])}`,
    `run ${id}`,
    ...(Number(metrics['unasked'] ?? 0) > 0 ? [`prompts not asked: ${String(metrics['unasked'])}`] : []),
    ...(confusions.length > 0 ? ['taken for another:'] : []),
    ...confusions.map(
      ({ expected, found, times }) => `  ${String(times)}×  ${named(expected)} → ${named(found)}`,
    ),
    ...(comparison === undefined
      ? []
      : [
          `compared: ${String(comparison.compared)}`,
          ...['better:', ...comparison.better.flatMap((moved) => movedLines(moved, named))],
          ...['worse:', ...comparison.worse.flatMap((moved) => movedLines(moved, named))],
        ]),
  ];
}

const place = (rank: number | null): string => (rank === null ? 'not found' : String(rank));
const way = ({ before, now }: Places): string => `${place(before)} → ${place(now)}`;

function movedLines({ prompt, tools = [], forbidden, ...places }: Moved, named: Naming): string[] {
  return [
    `  ${way(places)}  ${prompt}`,
    ...tools.map((tool) => `      ${way(tool)}  ${named(tool.name)}`),
    ...(forbidden?.now ?? []).map((name) => `      forbidden, and found now  ${named(name)}`),
    ...(forbidden?.before ?? []).map((name) => `      forbidden, and found no more  ${named(name)}`),
  ];
}
