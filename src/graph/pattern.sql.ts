/** The nodes and relationships of a query as one FROM and WHERE: node 0 is `n0`, relationship 0 is `r0`. Pure. */
import { conditionSql, type Compiling } from './conditions.sql.js';
import type { Absence, NodePattern, Pattern, RelationshipPattern } from './query.ast.js';
import { nodeSource, reversed, stepSource, walkSelect, type Source } from './walk.sql.js';

/** What a pattern compiles to. */
export interface Match {
  /** Without FROM. */
  readonly from: string;
  /** All must hold. */
  readonly where: readonly string[];
  /** For each relationship the alias that has `walk` and `walk_ids`; absent where there is one walk of one step. */
  readonly walkAliases: readonly (string | undefined)[];
}

export function isPlain({ walks }: RelationshipPattern): boolean {
  return walks.length === 1 && walks[0]?.length === 1;
}

export function matchOf({ nodes, relationships }: Pattern, compiling: Compiling): Match {
  const first = firstOf(nodes);
  const bound = new Set([first]);
  const sources: Source[] = [nodeAt(nodes, first, compiling)];
  const walkAliases: (string | undefined)[] = [];
  const open = new Set(relationships.keys());
  while (open.size > 0) {
    const next = [...open].find((index) => {
      const { from, to } = relationships[index] ?? { from: -1, to: -1 };
      return bound.has(from) || bound.has(to);
    });
    const relationship = relationships[next ?? -1];
    if (next === undefined || relationship === undefined) throw new Error('A pattern hangs together.');
    open.delete(next);
    const { source, walkAlias } = relationshipSource(nodes, { relationship, index: next, bound }, compiling);
    sources.push(source);
    walkAliases[next] = walkAlias;
    bound.add(relationship.from).add(relationship.to);
  }
  const tables = sources.flatMap((source) => source.tables);
  return { from: tables.join(', '), where: sources.flatMap((source) => source.where), walkAliases };
}

/** Walks of several steps start where the least is to be expected. */
function firstOf(nodes: readonly NodePattern[]): number {
  const weight = ({ conditions }: NodePattern): number => {
    const narrow = conditions.some(
      ({ property, operator }) => property.kind === 'id' && operator !== 'is_not_null',
    );
    return narrow ? 100 : conditions.length;
  };
  const weights = nodes.map(weight);
  return weights.indexOf(Math.max(...weights));
}

interface Joining {
  readonly relationship: RelationshipPattern;
  readonly index: number;
  /** Places of the nodes that are in the FROM clause already. */
  readonly bound: ReadonlySet<number>;
}

function relationshipSource(
  nodes: readonly NodePattern[],
  { relationship, index, bound }: Joining,
  compiling: Compiling,
): { readonly source: Source; readonly walkAlias?: string } {
  const { from, to, walks, conditions } = relationship;
  const [start, end] = bound.has(from) ? [from, to] : [to, from];
  const [step] = walks[0] ?? [];
  if (isPlain(relationship) && step !== undefined) {
    const ends = { start: `n${from}`, end: `n${to}`, link: `r${index}` };
    const link = stepSource(step, ends, conditions, compiling);
    return { source: bound.has(end) ? link : joined(link, nodeAt(nodes, end, compiling)) };
  }
  const backward = start !== from;
  const selects = walks.map((walk, number) =>
    walkSelect(backward ? reversed(walk) : walk, `n${start}`, { number, conditions, backward }, compiling),
  );
  const known = bound.has(end);
  const walkAlias = known ? `r${index}` : `n${end}`;
  const lateral: Source = {
    tables: [`LATERAL (${selects.join('\n    UNION ALL ')}) ${walkAlias}`],
    where: [],
  };
  const rest: Source = known
    ? { tables: [], where: [`${walkAlias}.id = n${end}.id`] }
    : { tables: [], where: nodeConditions(nodes, end, compiling) };
  return { source: joined(lateral, rest), walkAlias };
}

function joined(a: Source, b: Source): Source {
  return { tables: [...a.tables, ...b.tables], where: [...a.where, ...b.where] };
}

export function nodeAt(nodes: readonly NodePattern[], index: number, compiling: Compiling): Source {
  const node = nodes[index];
  if (node === undefined) throw new Error(`The pattern has no node ${index}.`);
  const { tables, where } = nodeSource(node.type, `n${index}`, compiling);
  return { tables, where: [...where, ...nodeConditions(nodes, index, compiling)] };
}

function nodeConditions(nodes: readonly NodePattern[], index: number, compiling: Compiling): string[] {
  const { conditions = [], absences = [] } = nodes[index] ?? {};
  return [
    ...conditions.map((condition) => conditionSql(`n${index}`, condition, compiling)),
    ...absences.map((absence) => absenceSql(absence, `n${index}`, compiling)),
  ];
}

/** One step from each node: not timed, since a clock in it would keep it from being an anti-join. */
function absenceSql({ steps }: Absence, start: string, { scope, bound }: Compiling): string {
  const selects = steps.map((step, number) =>
    walkSelect([step], start, { number, conditions: [], backward: false }, { scope, bound }),
  );
  return selects.map((select) => `NOT EXISTS (${select})`).join(' AND ');
}

/** `WHERE a AND b`, or nothing. */
export function whereSql(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}
