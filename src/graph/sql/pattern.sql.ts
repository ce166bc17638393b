/**
 * Compiles the nodes and relationships of a query to FROM and WHERE: node 0 is `n0`, relationship 0 is `r0`. Pure.
 */
import { type Compiling, conditionSql, hostSql, visibleEdgeSql, visibleSql } from './conditions.sql.js';
import { nodesSql } from './kept-nodes.sql.js';
import type {
  Absence,
  Condition,
  NodePattern,
  Pattern,
  RelationshipPattern,
  Walk,
} from '../reading/query.ast.js';
import type { NodeType } from '../ontology.types.js';
import { propertyOf, type Step } from '../ontology.js';

/** A compiled pattern. */
interface Match {
  /** The FROM clause without its keyword. */
  readonly from: string;
  /** Conditions of the WHERE clause. */
  readonly where: readonly string[];
  /** Alias of each relationship with `walk` and `walk_ids`; absent where there is one walk of one step. */
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

/** The node to start from: the one with the narrowest conditions. */
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

/** Compiles an absence; without the time check, which would keep it from being an anti-join. */
function absenceSql({ steps }: Absence, start: string, { scope, bound }: Compiling): string {
  const selects = steps.map((step, number) =>
    walkSelect([step], start, { number, conditions: [], backward: false }, { scope, bound }),
  );
  return selects.map((select) => `NOT EXISTS (${select})`).join(' AND ');
}

/** `WHERE a AND b`, or an empty text. */
export function whereSql(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** A part of a FROM clause, with its conditions. */
export interface Source {
  readonly tables: readonly string[];
  readonly where: readonly string[];
}

/** Aliases of the two ends of a step, both tables or views of nodes, and of the link between them. */
interface Ends {
  readonly start: string;
  readonly end: string;
  readonly link: string;
}

/** Joins two nodes by a step. */
export function stepSource(
  step: Step,
  { start, end, link }: Ends,
  conditions: readonly Condition[],
  compiling: Compiling,
): Source {
  const { pair, type } = step.link;
  const [from, to] = step.forward ? [start, end] : [end, start];
  const apart = step.start === step.end ? [`${start}.id <> ${end}.id`] : [];
  const more = [...apart, ...(compiling.timed ? [inTimeSql(start, end)] : [])];
  if ('reference' in pair) return { tables: [], where: [`${to}.${pair.reference} = ${from}.id`, ...more] };
  const own = conditions.filter(({ property }) => propertyOf(type, property.name) === property);
  return {
    tables: [`${pair.link} ${link}`],
    where: [
      hostSql(link, compiling.scope, compiling.bound),
      `${link}.from_id = ${from}.id`,
      `${link}.to_id = ${to}.id`,
      ...more,
      ...own.map((condition) => conditionSql(link, condition, compiling)),
      ...visibleEdgeSql(link, step.link, compiling),
    ],
  };
}

/**
 * Fails with a division by zero (22012), which nothing else in a query does, once `app.graph_until` is past. Names
 * both ends, so that it is evaluated for every pair of nodes.
 */
function inTimeSql(start: string, end: string): string {
  const never = `(${start}.id IS NULL AND ${end}.id IS NULL)::integer`;
  return `(clock_timestamp() < current_setting('app.graph_until')::timestamptz OR 1 / ${never} = 0)`;
}

export function nodeSource(type: NodeType, alias: string, { scope, bound }: Compiling): Source {
  return { tables: [nodesSql(type, alias, scope, bound)], where: visibleSql(alias, type, scope, bound) };
}

interface Walked {
  /** Number of the walk in its relationship. */
  readonly number: number;
  readonly conditions: readonly Condition[];
  /** Whether it was turned around; the nodes between keep the order of the query. */
  readonly backward: boolean;
}

/**
 * Compiles a walk to a SELECT of its last node, with the ids of the nodes between (`walk_ids`) and its number
 * (`walk`). A walk visits no node twice.
 */
function walkSelect(
  walk: Walk,
  start: string,
  { number, conditions, backward }: Walked,
  compiling: Compiling,
): string {
  const aliases = walk.map((_, index) => (index === walk.length - 1 ? 'e' : `p${index}`));
  const sources = walk.flatMap((step, index) => {
    const end = aliases[index] ?? 'e';
    const ends = { start: aliases[index - 1] ?? start, end, link: `l${index}` };
    return [stepSource(step, ends, conditions, compiling), nodeSource(step.end, end, compiling)];
  });
  const ids = aliases.slice(0, -1).map((alias) => `${alias}.id::text`);
  const between = backward ? ids.reverse() : ids;
  const tables = sources.flatMap((source) => source.tables);
  const where = [...sources.flatMap((source) => source.where), ...apartSql(walk, [start, ...aliases])];
  return `SELECT e.*, ${number} AS walk, ARRAY[${between.join(', ')}]::text[] AS walk_ids
    FROM ${tables.join(', ')} WHERE ${where.join(' AND ')}`;
}

/** Keeps nodes apart that are not next to each other; steps do so for the others. */
function apartSql(walk: Walk, aliases: readonly string[]): string[] {
  const types = [walk[0]?.start, ...walk.map(({ end }) => end)];
  return aliases.flatMap((alias, index) =>
    aliases.slice(index + 2).flatMap((later, distance) => {
      const same = types[index] === types[index + 2 + distance];
      return same ? [`${alias}.id <> ${later}.id`] : [];
    }),
  );
}

/** The same walk from its other end. */
function reversed(walk: Walk): Walk {
  return walk
    .toReversed()
    .map(({ link, forward, start, end }) => ({ link, forward: !forward, start: end, end: start }));
}
