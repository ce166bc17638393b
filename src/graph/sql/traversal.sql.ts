/** Compiles a traversal to one statement. Pure. */
import {
  Bound,
  boundedSql,
  longText,
  queryLimits,
  type Statement,
  type SelectedColumn,
} from './statement.sql.js';
import { comparable, orderValue, valueSql, type Compiling } from './conditions.sql.js';
import {
  progressLength,
  progressOf,
  progressValues,
  readCursor,
  writeCursor,
  type Progress,
} from './cursor.js';
import type { GraphScope } from '../graph-scopes.service.js';
import type { NodePattern, Traversal } from '../reading/query.ast.js';
import { isPlain, matchOf, whereSql } from './pattern.sql.js';
import { columnOf, idOf } from '../ontology.js';

/**
 * One match: `n0_id`, `n0_<column>`, …, and `r0_walk`, `r0_ids` of relationships that are more than one step. Long texts
 * of a node are in its first row.
 */
export type MatchRow = Readonly<Record<string, unknown>>;

/** A column that makes the order of matches unique. */
interface Tie {
  readonly sql: string;
  readonly sqlType: string;
  readonly column: string;
}

export function traversalStatement(query: Traversal, scope: GraphScope, timed = false): Statement {
  const bound = new Bound();
  const compiling = { scope, bound, timed };
  const match = matchOf(query, compiling);
  const ties = tiesOf(query, match.walkAliases);
  const order = orderSql(query, compiling);
  const columns: Column[] = [
    ...query.nodes.flatMap((node, index) => nodeColumns(node, index, compiling)),
    ...match.walkAliases.flatMap((alias, index) =>
      alias === undefined
        ? []
        : [
            { sql: `${alias}.walk`, as: `r${index}_walk` },
            { sql: `${alias}.walk_ids`, as: `r${index}_ids` },
          ],
    ),
    ...(order === undefined ? [] : [{ sql: order.column, as: 'order_key' }]),
  ];
  const after = query.after === undefined ? [] : [afterSql(query, query.after, ties, compiling)];
  const keys = [...(order === undefined ? [] : [order.sql]), ...ties.map(({ sql }) => sql)];
  const select = `SELECT ${columns.map(({ sql, as }) => `${sql} AS ${as}`).join(', ')}
    FROM ${match.from} ${whereSql([...match.where, ...after])}
    ORDER BY ${keys.join(', ')} LIMIT ${bound.add(query.limit + 1, 'integer')}`;
  const text = boundedSql(select, columns, bound);
  return { text, values: bound.values };
}

/** Counts all matches as `total`, up to one more than `queryLimits.countedRows`. */
export function totalStatement(query: Traversal, scope: GraphScope, timed = false): Statement {
  const bound = new Bound();
  const { from, where } = matchOf(query, { scope, bound, timed });
  const matches = `SELECT 1 FROM ${from} ${whereSql(where)} LIMIT ${queryLimits.countedRows + 1}`;
  return { text: `SELECT count(*) AS total FROM (${matches}) q`, values: bound.values };
}

/** The cursor behind this row. */
export function traversalCursor(query: Traversal, row: MatchRow, progress: Progress): string {
  const key = query.order === undefined ? [] : [row['order_key'] ?? null];
  const ties = tiesOf(query).map(({ column }) => row[column] ?? null);
  return writeCursor(query.digest, [...progressValues(progress), ...key, ...ties]);
}

/** Reads the progress of the cursor; undefined on the first page. Throws Invalid `invalid_cursor`. */
export function traversalProgress(query: Traversal): Progress | undefined {
  return query.after === undefined ? undefined : progressOf(cursorValues(query, query.after));
}

function cursorValues(query: Traversal, after: string): readonly unknown[] {
  const keys = tiesOf(query).length + (query.order === undefined ? 0 : 1);
  return readCursor(after, query.digest, progressLength + keys);
}

interface Column extends SelectedColumn {
  readonly sql: string;
}

function nodeColumns({ columns, type }: NodePattern, index: number, compiling: Compiling): Column[] {
  return [idOf(type), ...columns].map((property) => ({
    sql: valueSql(`n${index}`, property, compiling),
    as: `n${index}_${columnOf(property)}`,
    ...longText(property),
    of: `n${index}_id`,
  }));
}

function tiesOf(
  { nodes, relationships }: Traversal,
  walkAliases: readonly (string | undefined)[] = relationships.map((each, index) =>
    isPlain(each) ? undefined : `r${index}`,
  ),
): Tie[] {
  const ids = nodes.map(({ type }, index) => ({
    sql: `n${index}.id`,
    sqlType: idOf(type).sqlType,
    column: `n${index}_id`,
  }));
  const walks = relationships.flatMap((_, index): Tie[] => {
    const alias = walkAliases[index];
    if (alias === undefined) return [];
    return [
      { sql: `${alias}.walk`, sqlType: 'integer', column: `r${index}_walk` },
      { sql: `${alias}.walk_ids COLLATE "C"`, sqlType: 'text[]', column: `r${index}_ids` },
    ];
  });
  return [...ids, ...walks];
}

function orderSql(
  { order }: Traversal,
  compiling: Compiling,
): { readonly sql: string; readonly column: string } | undefined {
  if (order === undefined) return undefined;
  const column = orderValue(order.property, valueSql(`n${order.node}`, order.property, compiling));
  return {
    column,
    sql: `${comparable(order.property, column)}${order.descending ? ' DESC' : ''} NULLS LAST`,
  };
}

/** Condition for rows behind the last one of the page before (keyset). */
function afterSql(query: Traversal, after: string, ties: readonly Tie[], compiling: Compiling): string {
  const { bound } = compiling;
  const { order } = query;
  const values = cursorValues(query, after).slice(progressLength);
  const rest = order === undefined ? values : values.slice(1);
  const placeholders = ties.map(({ sqlType }, index) => bound.add(rest[index], sqlType));
  const behind = `(${ties.map(({ sql }) => sql).join(', ')}) > (${placeholders.join(', ')})`;
  if (order === undefined) return behind;
  const column = orderValue(order.property, valueSql(`n${order.node}`, order.property, compiling));
  const [key] = values;
  if (key === null) return `(${column} IS NULL AND ${behind})`;
  const value = bound.add(key, order.property.sqlType);
  const beyond = `${comparable(order.property, column)} ${order.descending ? '<' : '>'} ${value}`;
  return `(${beyond} OR ${column} IS NULL OR (${column} = ${value} AND ${behind}))`;
}
