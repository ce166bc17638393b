/** Compiles conditions of a query and of the caller's scope to SQL over a generated alias. Pure. */
import { coveredSql } from '../../platform/database/conditions.js';
import type { GraphAgentScope, GraphScope } from '../graph-scopes.service.js';
import type { NodeType, Property } from '../ontology.types.js';
import type { Condition } from '../reading/query.ast.js';
import { nodesSql } from './kept-nodes.sql.js';
import type { Bound } from './statement.sql.js';
import {
  columnOf,
  idOf,
  knownNodeType,
  propertyOf,
  type Link,
  type NodeName,
  type RelationshipName,
} from '../ontology.js';

/** The scope and the values of a statement that is being compiled. */
export interface Compiling {
  readonly scope: GraphScope;
  readonly bound: Bound;
  /** Whether each step checks the time limit, for a database without a statement timeout. */
  readonly timed?: boolean;
}

const comparison = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
/** Characters between words (see `tokensOf`). */
const gaps = String.raw`[\u0001-/:-\u0060{-\u007f]+`;

/** Compares text by code points, the same on every database. */
export function comparable(property: Property, column: string): string {
  return property.sqlType === 'text' ? `${column} COLLATE "C"` : column;
}

/** Characters of a long text that it is ordered by, since a cursor holds them. */
const orderedCharacters = 1000;

/** The value that a property is ordered by. */
export function orderValue(property: Property, value: string): string {
  return property.long ? `left(${value}, ${orderedCharacters})` : value;
}

/** A property as the caller sees it. */
export function valueSql(alias: string, property: Property, { scope, bound }: Compiling): string {
  const column = `${alias}.${columnOf(property)}`;
  const type = hiddenBehind(property, scope);
  if (type === undefined) return column;
  const seen = [`x.id = ${column}`, ...visibleSql('x', type, scope, bound)];
  return `(SELECT x.id FROM ${nodesSql(type, 'x', scope, bound)} WHERE ${seen.join(' AND ')})`;
}

/**
 * The type of the node that a property names, where the caller may see the one and not the other. Services and
 * environments are the same for both: a tool has those of its endpoint, and that has those of its version.
 */
function hiddenBehind({ refersTo }: Property, { within, tiers }: GraphScope): NodeType | undefined {
  if (refersTo === undefined) return undefined;
  const type = knownNodeType(refersTo);
  return within !== undefined || (type.byTier && tiers !== 'all') ? type : undefined;
}

export function conditionSql(alias: string, condition: Condition, compiling: Compiling): string {
  const { property, operator } = condition;
  if (operator === 'is_null') return `${valueSql(alias, property, compiling)} IS NULL`;
  const holds = plainConditionSql(alias, condition, compiling.bound);
  if (hiddenBehind(property, compiling.scope) === undefined) return holds;
  // Compares the column itself, which has an index.
  return `${holds} AND ${valueSql(alias, property, compiling)} IS NOT NULL`;
}

function plainConditionSql(alias: string, { property, operator, value }: Condition, bound: Bound): string {
  const column = `${alias}.${columnOf(property)}`;
  const single = (): string => bound.add(value, property.sqlType === 'text[]' ? 'text' : property.sqlType);
  switch (operator) {
    case 'eq':
      return `${column} = ${single()}`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return `${comparable(property, column)} ${comparison[operator]} ${single()}`;
    case 'in':
      // The planner carries an equality on to joined columns, but not a list of one.
      if (Array.isArray(value) && value.length === 1)
        return `${column} = ${bound.add(value[0], property.sqlType)}`;
      return `${column} = ANY (${bound.add(value, `${property.sqlType}[]`)})`;
    case 'contains':
      return property.kind === 'list'
        ? `${single()} = ANY (${column})`
        : `strpos(${column}, ${single()}) > 0`;
    case 'starts_with':
      return `starts_with(${column}, ${single()})`;
    case 'ends_with': {
      const end = single();
      return `right(${column}, length(${end})) = ${end}`;
    }
    case 'token_match':
    case 'all_tokens':
      return `${tokens(column)} @> ${bound.add(value, 'text[]')}`;
    case 'any_tokens':
      return `${tokens(column)} && ${bound.add(value, 'text[]')}`;
    case 'is_null':
      return `${column} IS NULL`;
    case 'is_not_null':
      return `${column} IS NOT NULL`;
  }
}

function tokens(column: string): string {
  return `string_to_array(regexp_replace(lower(${column} COLLATE "C"), '${gaps}', ' ', 'g'), ' ')`;
}

/** Repeats the condition of the views, which would read a setting for every row. */
export function hostSql(alias: string, { hostId }: GraphScope, bound: Bound): string {
  return `${alias}.host_id = ${bound.once(hostId, 'uuid')}`;
}

/** Conditions for the nodes of a kind that the caller sees. */
export function visibleSql(alias: string, type: NodeType, scope: GraphScope, bound: Bound): string[] {
  const { services, environments, tiers, within, administers = false } = scope;
  const conditions: string[] = type.administered && !administers ? ['false'] : [];
  if (!type.shared) conditions.push(hostSql(alias, scope, bound));
  if (type.byService) {
    if (services !== 'all') conditions.push(coveredSql(alias, 'services', bound.once(services, 'text[]')));
    conditions.push(coveredSql(alias, 'environments', bound.once(environments, 'text[]')));
  }
  if (type.byTier && tiers !== 'all')
    conditions.push(coveredSql(alias, 'tiers', bound.once(tiers, 'text[]')));
  if (within !== undefined) conditions.push(confinedSql(alias, type, within, bound));
  return conditions;
}

const none: readonly string[] = [];

function confinedSql(alias: string, type: NodeType, { nodes }: GraphAgentScope, bound: Bound): string {
  const { node = type.name, property: name = 'id' } = type.belongsTo ?? {};
  const property = propertyOf(type, name) ?? idOf(type);
  const ids = nodes.get(node as NodeName) ?? none;
  return `${alias}.${columnOf(property)} = ANY (${bound.once(ids, `${property.sqlType}[]`)})`;
}

/** Conditions for the edges of a link view that the caller sees, beside those for the nodes. */
export function visibleEdgeSql(
  alias: string,
  { type, from, to }: Link,
  { scope, bound }: Compiling,
): string[] {
  const edges = scope.within?.edges.get(type.name as RelationshipName);
  if (edges === undefined) return [];
  const ends = (place: 0 | 1, node: NodeType): string =>
    bound.add(
      edges.map((edge) => edge[place]),
      `${idOf(node).sqlType}[]`,
    );
  return [`(${alias}.from_id, ${alias}.to_id) IN (SELECT * FROM unnest(${ends(0, from)}, ${ends(1, to)}))`];
}
