import type { AgentScope, Visibility } from '../auth/visibility.js';
import { Conditions } from './conditions.js';

/** By what a token limits rows. */
type Limit = 'services' | 'environments' | 'tiers';

const columns = { services: 'service_id', environments: 'env_tag', tiers: 'sensitivity_tier' } as const;

/**
 * The rule of contract 2 in SQL: a row is covered where it names no service, environment or tier, or one of those of the
 * token. `values` is SQL of a `text[]`; with `nullIsAll`, null covers every row.
 */
export function coveredSql(alias: string, limit: Limit, values: string, nullIsAll = false): string {
  const column = columnSql(alias, columns[limit]);
  return `(${nullIsAll ? `${values} IS NULL OR ` : ''}${column} IS NULL OR ${column} = ANY (${values}))`;
}

/** How rows of a table, view or subquery are limited. */
export interface RowKind {
  readonly alias?: string;
  /** Services and environments unless said otherwise; a host-wide record has none. */
  readonly limits?: readonly Limit[];
  /** The column that an agent's catalog lists, and its list. Without it a token with `agent_def_id` sees no row. */
  readonly confined?: readonly [column: string, idsOf: (within: AgentScope) => readonly string[]];
}

/** The rows of the reader's host that the token covers: the one place where this is decided for SQL. */
export function visibleRows(visibility: Visibility, kind: RowKind = {}): Conditions {
  const { alias = '', limits = ['services', 'environments'], confined } = kind;
  const where = new Conditions().add(`${columnSql(alias, 'host_id')} = ?`, visibility.hostId);
  for (const limit of limits) {
    const values = visibility[limit];
    if (values !== 'all') where.add(coveredSql(alias, limit, '?::text[]'), values);
  }
  if (visibility.within === undefined) return where;
  if (confined === undefined) return where.add('false');
  const [column, idsOf] = confined;
  const type = column === 'api_id' ? 'text' : 'uuid';
  return where.add(`${columnSql(alias, column)} = ANY (?::${type}[])`, idsOf(visibility.within));
}

function columnSql(alias: string, column: string): string {
  return alias === '' ? column : `${alias}.${column}`;
}

/** A text as part of a LIKE pattern that means just this text. */
export function likeText(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
