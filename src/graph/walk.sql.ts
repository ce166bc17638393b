/** Steps from node to node as tables and conditions. Pure. */
import { conditionSql, hostSql, visibleEdgeSql, visibleSql, type Compiling } from './conditions.sql.js';
import type { NodeType } from './ontology.types.js';
import type { Condition, Walk } from './query.ast.js';
import { propertyOf, type Step } from './vocabulary.js';

/** A part of a FROM clause, and what must hold for it. */
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

/** What makes two nodes that are both at hand neighbours by this step. */
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
 * Fails with a division by zero (22012), which nothing else in a query does, once `app.graph_until` is past. It names
 * both ends, so that it is asked of every pair of nodes that a join makes.
 */
function inTimeSql(start: string, end: string): string {
  const never = `(${start}.id IS NULL AND ${end}.id IS NULL)::integer`;
  return `(clock_timestamp() < current_setting('app.graph_until')::timestamptz OR 1 / ${never} = 0)`;
}

export function nodeSource(type: NodeType, alias: string, { scope, bound }: Compiling): Source {
  return { tables: [`${type.view} ${alias}`], where: visibleSql(alias, type, scope, bound) };
}

interface Walked {
  /** Which of the walks of its relationship it is. */
  readonly number: number;
  readonly conditions: readonly Condition[];
  /** It was turned around: what lies between is given in the order of the query all the same. */
  readonly backward: boolean;
}

/**
 * One walk from a node at hand: a SELECT of its last node, with the ids of those between (`walk_ids`) and which of
 * the walks it is (`walk`). A walk visits no node twice.
 */
export function walkSelect(
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

/** Of nodes that are not next to each other; the steps themselves see to the others. */
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
export function reversed(walk: Walk): Walk {
  return walk
    .toReversed()
    .map(({ link, forward, start, end }) => ({ link, forward: !forward, start: end, end: start }));
}
