/**
 * Compiles an aggregation to one statement: groups are `g0`, `g1`, …, figures `a0`, `a1`, …, the number of groups
 * `total`. Pure.
 */
import { Bound, boundedSql, longText, type Statement, type SelectedColumn } from './statement.sql.js';
import { comparable, valueSql, type Compiling } from './conditions.sql.js';
import { offsetOf } from './cursor.js';
import type { GraphScope } from '../graph-scopes.service.js';
import type { Property } from '../ontology.types.js';
import { isPlain, matchOf, whereSql } from './pattern.sql.js';
import type { Aggregate, Aggregation, GroupKey } from '../reading/query.ast.js';
import { columnOf, idOf } from '../ontology.js';

const MAX_COLLECTED = 100;

/** A column of the inner statement: a property of a node, under a generated name. */
interface Column extends SelectedColumn {
  readonly sql: string;
}

export function aggregationStatement(query: Aggregation, scope: GraphScope, timed = false): Statement {
  const bound = new Bound();
  const compiling = { scope, bound, timed };
  const match = matchOf(query, compiling);
  const groups = query.groups.flatMap((key, index) => groupColumns(query, { key, index }, compiling));
  const inner = [...groups, ...query.aggregates.flatMap((each) => valueColumns(each, compiling))];
  const once = isSumOverMatches(query) ? 'DISTINCT ' : '';
  const names = groups.map(({ as }) => as);
  const figures = query.aggregates.map(
    (aggregate, index) => `${figureSql(aggregate, countsRows(query, aggregate))} AS a${index}`,
  );
  const grouped = names.length === 0 ? '' : `GROUP BY ${names.map((name) => `q.${name}`).join(', ')}`;
  const select = [...names.map((name) => `q.${name}`), ...figures].join(', ');
  const distinctInner = [...new Map(inner.map((column) => [column.as, column])).values()];
  const rows = `SELECT *, count(*) OVER () AS total FROM (
    SELECT ${select} FROM (
      SELECT ${once}${distinctInner.map(({ sql, as }) => `${sql} AS ${as}`).join(', ')}
      FROM ${match.from} ${whereSql(match.where)}) q ${grouped}) r
    ORDER BY ${orderSql(query).join(', ')}
    LIMIT ${bound.add(query.limit + 1, 'integer')} OFFSET ${bound.add(offsetOf(query), 'integer')}`;
  const selected = [...groups, ...query.aggregates.map(figureColumn), { as: 'total' }];
  return { text: boundedSql(rows, selected, bound), values: bound.values };
}

function figureColumn({ fn, property }: Aggregate, index: number): SelectedColumn {
  const isText = property?.long && fn !== 'count';
  return { as: `a${index}`, ...(isText && { long: fn === 'collect' ? 'list' : 'text' }) };
}

/** A node as a group: its id as `g0`, then its properties `g0_name`. */
function groupColumns(
  { nodes }: Aggregation,
  { key, index }: { readonly key: GroupKey; readonly index: number },
  compiling: Compiling,
): Column[] {
  const { node, property, truncate } = key;
  const pattern = nodes[node];
  if (pattern === undefined) throw new Error('A group key names a node.');
  if (property === undefined) {
    const more = pattern.columns.map((each) => ({
      sql: valueSql(`n${node}`, each, compiling),
      as: `g${index}_${columnOf(each)}`,
      ...longText(each),
    }));
    return [{ sql: `n${node}.id`, as: `g${index}` }, ...more];
  }
  const column = valueSql(`n${node}`, property, compiling);
  const sql = truncate === undefined ? column : `date_trunc('${truncate}', ${column})`;
  return [{ sql, as: `g${index}`, ...longText(property) }];
}

function valueColumns({ node, property }: Aggregate, compiling: Compiling): Column[] {
  const id = { sql: `n${node}.id`, as: `v${node}` };
  return property === undefined
    ? [id]
    : [id, { sql: valueSql(`n${node}`, property, compiling), as: valueName(node, property) }];
}

function valueName(node: number, property: Property): string {
  return `v${node}_${columnOf(property)}`;
}

function figureSql({ fn, node, property }: Aggregate, countsRows: boolean): string {
  if (property === undefined) return countsRows ? 'count(*)' : `count(DISTINCT q.v${node})`;
  const column = `q.${valueName(node, property)}`;
  switch (fn) {
    case 'count':
      return `count(DISTINCT q.v${node}) FILTER (WHERE ${column} IS NOT NULL)`;
    case 'sum':
      return `sum(${column})`;
    case 'avg':
      return `avg(${column})::double precision`;
    case 'min':
    case 'max':
      return extremeSql(fn, property, column);
    case 'collect': {
      const value = extremeOperand(property, column);
      return `(array_agg(DISTINCT ${value} ORDER BY ${value}) FILTER (WHERE ${column} IS NOT NULL))[1:${MAX_COLLECTED}]`;
    }
  }
}

function extremeSql(fn: 'min' | 'max', property: Property, column: string): string {
  if (property.kind === 'boolean') return `${fn === 'min' ? 'bool_and' : 'bool_or'}(${column})`;
  return `${fn}(${extremeOperand(property, column)})`;
}

function extremeOperand(property: Property, column: string): string {
  return property.sqlType === 'uuid' ? `${column}::text COLLATE "C"` : comparable(property, column);
}

/** Whether a node may be in several matches, and must be summed once. */
function isSumOverMatches({ aggregates, nodes }: Aggregation): boolean {
  return nodes.length > 1 && aggregates.some(({ fn }) => fn === 'sum' || fn === 'avg');
}

/** Whether a group can’t hold a node twice: every other node of the pattern is a key of the group. */
function countsRows({ nodes, groups, relationships, aggregates }: Aggregation, { node }: Aggregate): boolean {
  const fixed = new Set(groups.filter(({ property }) => property === undefined).map((key) => key.node));
  const alone = aggregates.every((each) => each.node === node);
  return (
    alone && relationships.every(isPlain) && nodes.every((_, index) => index === node || fixed.has(index))
  );
}

function orderSql({ groups, aggregates, sort }: Aggregation): string[] {
  const order: string[] = [];
  if (sort !== undefined) {
    const group = groups.findIndex(({ name }) => name === sort.column);
    const figure = aggregates.findIndex(({ name }) => name === sort.column);
    const column = group >= 0 ? groupOrder(groups[group], group) : figureOrder(aggregates[figure], figure);
    order.push(`${column}${sort.descending ? ' DESC' : ''} NULLS LAST`);
  }
  return [...order, ...groups.map((key, index) => `${groupOrder(key, index)} NULLS LAST`), '1'];
}

function groupOrder(key: GroupKey | undefined, index: number): string {
  const isText = key?.property?.sqlType === 'text';
  return isText ? `r.g${index} COLLATE "C"` : `r.g${index}`;
}

function figureOrder(aggregate: Aggregate | undefined, index: number): string {
  const isText = aggregate?.property?.sqlType === 'text' && ['min', 'max'].includes(aggregate.fn);
  return isText ? `r.a${index} COLLATE "C"` : `r.a${index}`;
}

/** Properties of a node that is a group. */
export function groupProperties(query: Aggregation, key: GroupKey): readonly Property[] {
  const node = query.nodes[key.node];
  return node === undefined ? [] : [idOf(node.type), ...node.columns];
}
