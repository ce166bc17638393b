import type { GraphAnswer } from '../../../src/graph/answering/response-format.js';
import type { QueryText } from '../../../src/graph/reading/query.schema.js';
import { columnsOf, expectTotal, limitOf, shownAs } from './agreement.js';
import { compare } from './evaluated-filter.js';
import type { Evaluator, Match } from './evaluator.js';
import type { WorldNode } from './graph-world.js';

type Json = Readonly<Record<string, unknown>>;

interface Key {
  readonly name: string;
  readonly alias: string;
  readonly property: string | undefined;
  readonly truncate: string | undefined;
}

/** Groups and figures, in their order. */
export function expectAggregation(query: QueryText, answer: GraphAnswer, evaluator: Evaluator): void {
  const keys = (query.group_by as readonly (string | { key: string; as?: string; truncate?: string })[]).map(
    keyOf,
  );
  const groups = new Map<string, Match[]>();
  for (const match of evaluator.matches(query)) {
    const key = JSON.stringify(keys.map((each) => plainValue(query, match, each)));
    groups.set(key, [...(groups.get(key) ?? []), match]);
  }
  if (keys.length === 0 && groups.size === 0) groups.set('[]', []);
  const rows = [...groups].map(([text, matches]) => ({
    values: JSON.parse(text) as unknown[],
    row: {
      ...Object.fromEntries(keys.map((key) => [key.name, shownValue(query, matches[0], key)])),
      ...figures(query, matches),
    },
  }));
  const sort = query.aggregation_sort;
  const sorted = rows.sort((a, b) => {
    const name = sort?.replace('-', '') ?? '';
    const sign = sort?.startsWith('-') === true ? -1 : 1;
    const first = sort === undefined ? 0 : nullsLast(a.row[name], b.row[name], sign);
    return first || (a.values.map((value, at) => nullsLast(value, b.values[at])).find(Boolean) ?? 0);
  });
  const limit = limitOf(query);
  expectTotal(answer, rows.length, Math.min(rows.length, limit));
  const given = JSON.parse(JSON.stringify(answer.rows)) as Json[];
  expect(given.map(roundedRow)).toEqual(sorted.slice(0, limit).map(({ row }) => roundedRow(row)));
}

function keyOf(
  text: string | { readonly key: string; readonly as?: string; readonly truncate?: string },
): Key {
  const { key, as, truncate } = typeof text === 'string' ? { key: text } : text;
  const [alias = '', property] = key.split('.');
  return { name: as ?? key, alias, property, truncate };
}

function nullsLast(a: unknown, b: unknown, sign = 1): number {
  const [left, right] = [a ?? null, b ?? null];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return sign * compare(left, right);
}

const at = ({ nodes }: QueryText, match: Match, alias: string) =>
  match.nodes[nodes.findIndex(({ id }) => id === alias)] as WorldNode;

/** What makes a group: of a node its id. */
function plainValue(query: QueryText, match: Match, { alias, property = 'id', truncate }: Key): unknown {
  const value = at(query, match, alias)[property] ?? null;
  return truncate === undefined || value === null ? value : truncated(value as string, truncate);
}

function shownValue(query: QueryText, match: Match | undefined, key: Key): unknown {
  if (match === undefined || key.property !== undefined) {
    return match === undefined ? null : plainValue(query, match, key);
  }
  const node = at(query, match, key.alias);
  const selector = query.nodes.find(({ id }) => id === key.alias) as Json;
  const { type, id, ...properties } = shownAs(
    node,
    columnsOf(selector).filter((name) => name !== 'id'),
  );
  return { type, id, properties };
}

/** Where the minute, hour, … of a time begins, in UTC; weeks begin on Mondays. */
function truncated(text: string, truncate: string): string {
  const [year, month, day, hour, minute] = (text.match(/\d+/g) ?? []).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const places: Readonly<Record<string, readonly [number, number, number?, number?, number?]>> = {
    minute: [year, month - 1, day, hour, minute],
    hour: [year, month - 1, day, hour],
    day: [year, month - 1, day],
    week: [year, month - 1, day - ((new Date(text).getUTCDay() + 6) % 7)],
    month: [year, month - 1],
    quarter: [year, Math.floor((month - 1) / 3) * 3],
    year: [year, 0],
  };
  return new Date(Date.UTC(...(places[truncate] ?? [year, 0]))).toISOString();
}

function figures(query: QueryText, matches: readonly Match[]): Json {
  return Object.fromEntries(
    (query.aggregations ?? []).map(({ as = '', ...aggregate }) => {
      const [fn, reference] = Object.entries(aggregate as Record<string, string>)[0] ?? ['', ''];
      const [alias = '', property = 'id'] = reference.split('.');
      const nodes = [...new Set(matches.map((match) => at(query, match, alias)))];
      const values = nodes.map((node) => node[property] ?? null).filter((value) => value !== null);
      return [as, figure(fn, values)];
    }),
  );
}

function figure(fn: string, values: readonly unknown[]): unknown {
  const sorted = [...values].sort(compare);
  const sum = values.reduce((total: number, value) => total + Number(value), 0);
  switch (fn) {
    case 'count':
      return values.length;
    case 'collect':
      return [...new Set(sorted)].slice(0, 100);
    case 'min':
      return sorted.at(0) ?? null;
    case 'max':
      return sorted.at(-1) ?? null;
    default:
      return values.length === 0 ? null : fn === 'sum' ? sum : sum / values.length;
  }
}

function roundedRow(row: Json): Json {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'number' ? Number(value.toFixed(6)) : value,
  ]);
  return Object.fromEntries(entries) as Json;
}
