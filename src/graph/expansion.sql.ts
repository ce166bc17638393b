/** From a set of nodes to all that are one step away, and from ids to what the nodes say. Pure. */
import { conditionSql } from './conditions.sql.js';
import type { GraphScope } from './graph.scope.js';
import type { NodeType, Property } from './ontology.types.js';
import { nodeAt, whereSql } from './pattern.sql.js';
import type { NodePattern } from './query.ast.js';
import { Bound, type Statement } from './statement.sql.js';
import { columnOf, idOf, type Step } from './vocabulary.js';
import { nodeSource, stepSource } from './walk.sql.js';

/** A step from each of these nodes. */
export interface Expansion {
  readonly step: Step;
  readonly ids: readonly string[];
}

/** One edge found: by which expansion, from where, to where. */
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
  const selects = expansions.map(({ step, ids }, index) => {
    const compiling = { scope, bound };
    const start = `n${index}`;
    const sources = [
      {
        tables: [`${step.start.view} ${start}`],
        where: [`${start}.id = ANY (${idsOf(bound, step.start, ids)})`],
      },
      stepSource(step, { start, end: 'e', link: 'l' }, [], compiling),
      nodeSource(step.end, 'e', compiling),
    ];
    const tables = sources.flatMap((source) => source.tables).join(', ');
    const where = whereSql(sources.flatMap((source) => source.where));
    return `SELECT ${index} AS step, ${start}.id::text AS start_id, e.id::text AS end_id FROM ${tables} ${where}`;
  });
  const text = `SELECT * FROM (${selects.join('\n    UNION ALL ')}) q LIMIT ${bound.add(most + 1, 'integer')}`;
  return { text, values: bound.values };
}

function idsOf(bound: Bound, type: NodeType, ids: readonly string[]): string {
  return bound.once(ids, `${idOf(type).sqlType}[]`);
}

/** The ids of the nodes that a selector means. */
export function selectorStatement(node: NodePattern, scope: GraphScope, most: number): Statement {
  const bound = new Bound();
  const { tables, where } = nodeAt([node], 0, { scope, bound });
  const text = `SELECT n0.id::text AS id FROM ${tables.join(', ')} ${whereSql(where)}
    ORDER BY n0.id LIMIT ${bound.add(most + 1, 'integer')}`;
  return { text, values: bound.values };
}

/** Properties of nodes that were found: `n0_id`, `n0_<column>`. */
export function detailStatement(
  type: NodeType,
  columns: readonly Property[],
  ids: readonly string[],
  scope: GraphScope,
): Statement {
  const bound = new Bound();
  const { tables, where } = nodeSource(type, 'n0', { scope, bound });
  const id = idOf(type);
  const wanted = conditionSql('n0', { property: id, operator: 'in', value: ids }, bound);
  const select = [id, ...columns].map(columnOf).map((column) => `n0.${column} AS n0_${column}`);
  return {
    text: `SELECT ${select.join(', ')} FROM ${tables.join(', ')} ${whereSql([...where, wanted])}`,
    values: bound.values,
  };
}

/** How many nodes of each kind the caller sees: `name`, `count`. */
export function countStatement(types: readonly NodeType[], scope: GraphScope): Statement {
  const bound = new Bound();
  const selects = types.map((type) => {
    const { tables, where } = nodeSource(type, 'n0', { scope, bound });
    return `SELECT '${type.name}' AS name, count(*) AS count FROM ${tables.join(', ')} ${whereSql(where)}`;
  });
  return { text: selects.join('\n    UNION ALL '), values: bound.values };
}
