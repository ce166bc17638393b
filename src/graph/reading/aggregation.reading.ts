/** Reads what an aggregation counts and groups by. Pure. */
import { type Faults, unknownProperty } from './filter.reading.js';
import type { Property } from '../ontology.types.js';
import type {
  Aggregate,
  AggregateFunction,
  Aggregation,
  GroupKey,
  NodePattern,
  Page,
  Pattern,
} from './query.ast.js';
import type { QueryText } from './query.schema.js';
import { propertyOf } from '../ontology.js';

const functions: readonly AggregateFunction[] = ['count', 'sum', 'avg', 'min', 'max', 'collect'];
/** Functions of numbers alone. */
const arithmetic: readonly AggregateFunction[] = ['sum', 'avg'];

type AggregateText = Exclude<QueryText['aggregations'], undefined>[number];
type GroupText = QueryText['group_by'][number];

export function readAggregation(
  text: QueryText,
  pattern: Pattern,
  page: Page,
  faults: Faults,
): Aggregation | null {
  if (text.aggregations === undefined) {
    return faults.add('/aggregations', 'is missing; [{"count": "alias"}] counts nodes');
  }
  const aggregates = text.aggregations.flatMap((each, index) => {
    const aggregate = aggregateOf(each, pattern.nodes, `/aggregations/${index}`, faults);
    return aggregate === null ? [] : [aggregate];
  });
  const groups = text.group_by.flatMap((each, index) => {
    const key = groupKeyOf(each, pattern.nodes, `/group_by/${index}`, faults);
    return key === null ? [] : [key];
  });
  refuseTwice([...groups, ...aggregates], faults);
  refuseMixedSums(aggregates, faults);
  const sort = sortOf(
    text.aggregation_sort,
    [...groups.filter(({ property }) => property !== undefined), ...aggregates],
    faults,
  );
  return {
    kind: 'aggregation',
    ...pattern,
    aggregates,
    groups,
    ...page,
    ...(sort !== null && { sort }),
  };
}

function aggregateOf(
  text: AggregateText,
  nodes: readonly NodePattern[],
  pointer: string,
  faults: Faults,
): Aggregate | null {
  const named = functions.filter((name) => text[name] !== undefined);
  const [fn] = named;
  if (fn === undefined || named.length > 1) {
    return faults.add(pointer, `must name one function of ${functions.join(', ')}, and as at most`);
  }
  const at = `${pointer}/${fn}`;
  const target = targetOf(text[fn] ?? '', nodes, at, faults);
  if (target === null) return null;
  const { property } = target;
  if (property === undefined) {
    if (fn !== 'count') return faults.add(at, `needs a property: alias.property`);
  } else if (arithmetic.includes(fn) && !['integer', 'number'].includes(property.kind)) {
    return faults.add(at, `needs a number; ${property.name} is of kind ${property.kind}`);
  } else if (property.kind === 'list' && fn !== 'count') {
    return faults.add(at, `can’t be asked of ${property.name}: it is a list`);
  }
  return { name: text.as ?? defaultName(fn, text[fn] ?? ''), fn, ...target };
}

function groupKeyOf(
  text: GroupText,
  nodes: readonly NodePattern[],
  pointer: string,
  faults: Faults,
): GroupKey | null {
  const { key, truncate, as } = typeof text === 'string' ? { key: text } : text;
  const target = targetOf(key, nodes, pointer, faults);
  if (target === null) return null;
  if (target.property?.kind === 'list') return faults.add(pointer, `can’t be ${key}: it is a list`);
  if (truncate !== undefined && target.property?.kind !== 'datetime') {
    return faults.add(pointer, `can’t be truncated: ${key} is no time`);
  }
  return { name: as ?? key, ...target, ...(truncate !== undefined && { truncate }) };
}

function targetOf(
  text: string,
  nodes: readonly NodePattern[],
  pointer: string,
  faults: Faults,
): { readonly node: number; readonly property?: Property } | null {
  const [alias = '', name] = text.split('.');
  const node = nodes.findIndex((each) => each.alias === alias);
  const type = nodes[node]?.type;
  if (type === undefined) return faults.add(pointer, `names no node: ${alias} is no alias`);
  if (name === undefined) return { node };
  const property = propertyOf(type, name);
  return property === undefined ? faults.add(pointer, unknownProperty(type, name)) : { node, property };
}

function defaultName(fn: AggregateFunction, target: string): string {
  return `${fn}_${target.replace('.', '_')}`;
}

function refuseTwice(columns: readonly { readonly name: string }[], faults: Faults): void {
  const names = columns.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) < index);
  for (const name of new Set(twice))
    faults.add('/aggregations', `gives two columns the name ${name}; set as`);
}

/** Refuses figures of two nodes where one is a sum: a node may be in several matches, and a sum must count it once. */
function refuseMixedSums(aggregates: readonly Aggregate[], faults: Faults): void {
  const sums = aggregates.some(({ fn }) => arithmetic.includes(fn));
  if (sums && new Set(aggregates.map(({ node }) => node)).size > 1) {
    faults.add('/aggregations', 'must all be about one node where sum or avg is among them');
  }
}

function sortOf(
  text: string | undefined,
  columns: readonly { readonly name: string }[],
  faults: Faults,
): Exclude<Aggregation['sort'], undefined> | null {
  if (text === undefined) return null;
  const column = text.replace(/^-/, '');
  const names = columns.map(({ name }) => name);
  if (!names.includes(column)) {
    return faults.add('/aggregation_sort', `is no column of the answer; it has ${names.join(', ')}`);
  }
  return { column, descending: text.startsWith('-') };
}
