/** Statements that find what is one step away from a set of nodes, and that read nodes by their ids. Pure. */
import { Bound, boundedSql, longText, type Statement } from './statement.sql.js';
import { conditionSql, valueSql, type Compiling } from './conditions.sql.js';
import type { GraphScope } from '../graph-scopes.service.js';
import type { NodeType, Property } from '../ontology.types.js';
import { nodesSql } from './kept-nodes.sql.js';
import { nodeAt, nodeSource, type Source, stepSource, whereSql } from './pattern.sql.js';
import type { Condition, NodePattern } from '../reading/query.ast.js';
import { columnOf, idOf, type Step } from '../ontology.js';

/** A step from several nodes. */
export interface Expansion {
  readonly step: Step;
  readonly ids: readonly string[];
}

/** An edge: its expansion, start and end. */
export interface EdgeRow {
  readonly step: number;
  readonly start_id: string;
  readonly end_id: string;
}

export function expansionStatement(
  expansions: readonly Expansion[],
  scope: GraphScope,
  most: number,
): Statement {
  const bound = new Bound();
  const selects = expansions.map((expansion, index) => expansionSelect(expansion, index, { scope, bound }));
  return limited(selects, most, bound);
}

/** One node by its id, and the steps that are taken from it. */
export interface Nearby {
  readonly node: NodePattern;
  readonly id: string;
  readonly steps: readonly Step[];
}

/** A row for each edge, and one for the node itself with step -1; `shown` has the columns of the end, as in detailStatement. */
export interface NearbyRow extends EdgeRow {
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Reads a node and all that is one step away in one statement. The columns must be JSON: no times. */
export function nearbyStatement(
  { node, id, steps }: Nearby,
  scope: GraphScope,
  most: number,
  columnsOf: (type: NodeType) => readonly Property[],
): Statement {
  const bound = new Bound();
  const compiling = { scope, bound };
  const { tables, where } = nodeAt([node], 0, compiling);
  const shown = shownSql('n0', node.columns, compiling);
  const own = `SELECT -1 AS step, n0.id::text AS start_id, n0.id::text AS end_id, ${shown}
    FROM ${tables.join(', ')} ${whereSql(where)}`;
  const selects = steps.map((step, index) =>
    expansionSelect({ step, ids: [id] }, index, compiling, columnsOf(step.end)),
  );
  return limited([own, ...selects], most, bound);
}

function limited(selects: readonly string[], most: number, bound: Bound): Statement {
  const text = `SELECT * FROM (${selects.join('\n    UNION ALL ')}) q LIMIT ${bound.add(most + 1, 'integer')}`;
  return { text, values: bound.values };
}

function expansionSelect(
  { step, ids }: Expansion,
  index: number,
  compiling: Compiling,
  shown?: readonly Property[],
): string {
  const start = `n${index}`;
  const sources = [
    startSource({ step, ids }, start, compiling),
    stepSource(step, { start, end: 'e', link: 'l' }, [], compiling),
    nodeSource(step.end, 'e', compiling),
  ];
  const tables = sources.flatMap((source) => source.tables).join(', ');
  const where = whereSql(sources.flatMap((source) => source.where));
  const more = shown === undefined ? '' : `, ${shownSql('e', shown, compiling)}`;
  return `SELECT ${index} AS step, ${start}.id::text AS start_id, e.id::text AS end_id${more} FROM ${tables} ${where}`;
}

function shownSql(alias: string, columns: readonly Property[], compiling: Compiling): string {
  const pairs = columns.map(
    (property) => `, 'n0_${columnOf(property)}', ${valueSql(alias, property, compiling)}`,
  );
  return `jsonb_build_object('n0_id', ${alias}.id::text${pairs.join('')}) AS shown`;
}

/** Starts of a step, which are visible; their rows are read only where the step needs a column. */
function startSource({ step, ids }: Expansion, alias: string, { scope, bound }: Compiling): Source {
  const { start, forward, link } = step;
  const { sqlType } = idOf(start);
  const [first, ...others] = ids;
  // The planner carries a single id on to joined columns, also into a view that groups.
  const one = first !== undefined && others.length === 0 ? bound.add(first, sqlType) : undefined;
  if ('reference' in link.pair && !forward) {
    const wanted = one === undefined ? `ANY (${idsOf(bound, start, ids)})` : one;
    return { tables: [nodesSql(start, alias, scope, bound)], where: [`${alias}.id = ${wanted}`] };
  }
  if (one !== undefined) return { tables: [`(SELECT ${one} AS id) ${alias}`], where: [] };
  return { tables: [`unnest(${idsOf(bound, start, ids)}) ${alias} (id)`], where: [] };
}

function idsOf(bound: Bound, type: NodeType, ids: readonly string[]): string {
  return bound.once(ids, `${idOf(type).sqlType}[]`);
}

/** Reads the nodes of a selector: `n0_id`, `n0_<column>`. */
export function selectorStatement(
  node: NodePattern,
  columns: readonly Property[],
  scope: GraphScope,
  most: number,
): Statement {
  const bound = new Bound();
  const compiling = { scope, bound };
  const { tables, where } = nodeAt([node], 0, compiling);
  const select = `SELECT ${nodeColumns(node.type, columns, compiling)} FROM ${tables.join(', ')} ${whereSql(where)}
    ORDER BY n0.id LIMIT ${bound.add(most + 1, 'integer')}`;
  return { text: boundedNodes(select, node.type, columns, bound), values: bound.values };
}

/** Reads nodes by their ids, or those of them that meet the conditions: `n0_id`, `n0_<column>`. */
export function detailStatement(
  type: NodeType,
  columns: readonly Property[],
  { ids, conditions = [] }: { readonly ids: readonly string[]; readonly conditions?: readonly Condition[] },
  scope: GraphScope,
): Statement {
  const bound = new Bound();
  const compiling = { scope, bound };
  const { tables, where } = nodeSource(type, 'n0', compiling);
  const named: Condition = { property: idOf(type), operator: 'in', value: ids };
  const wanted = [named, ...conditions].map((condition) => conditionSql('n0', condition, compiling));
  const select = `SELECT ${nodeColumns(type, columns, compiling)} FROM ${tables.join(', ')} ${whereSql([...where, ...wanted])}`;
  return { text: boundedNodes(select, type, columns, bound), values: bound.values };
}

function boundedNodes(select: string, type: NodeType, columns: readonly Property[], bound: Bound): string {
  const selected = [idOf(type), ...columns].map((each) => ({
    as: `n0_${columnOf(each)}`,
    ...longText(each),
  }));
  return boundedSql(select, selected, bound);
}

function nodeColumns(type: NodeType, columns: readonly Property[], compiling: Compiling): string {
  return [idOf(type), ...columns]
    .map((property) => `${valueSql('n0', property, compiling)} AS n0_${columnOf(property)}`)
    .join(', ');
}

/** Counts the nodes of each kind that the caller sees: `name`, `count`. */
export function countStatement(types: readonly NodeType[], scope: GraphScope): Statement {
  const bound = new Bound();
  const selects = types.map((type) => {
    const { tables, where } = nodeSource(type, 'n0', { scope, bound });
    return `SELECT '${type.name}' AS name, count(*) AS count FROM ${tables.join(', ')} ${whereSql(where)}`;
  });
  return { text: selects.join('\n    UNION ALL '), values: bound.values };
}
