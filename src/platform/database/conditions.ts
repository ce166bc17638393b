import type { AgentScope, Visibility } from '../auth/visibility.js';

/** Gathers the conditions of a WHERE clause together with their parameters. */
export class Conditions {
  private readonly clauses: string[] = [];
  private readonly bound: unknown[] = [];

  /** `add('host_id = ?', hostId)`: each `?` stands for the next value. All conditions must hold. */
  add(clause: string, ...values: readonly unknown[]): this {
    let used = 0;
    const text = clause.replace(/\?/g, () => `$${String(this.bound.length + ++used)}`);
    if (used !== values.length)
      throw new Error(`${clause} takes ${String(used)} values, not ${String(values.length)}`);
    this.clauses.push(`(${text})`);
    this.bound.push(...values);
    return this;
  }

  /** Binds a value for another place of the statement, and names it: `$3::uuid[]`. */
  bind(value: unknown, sqlType: string): string {
    this.bound.push(value);
    return `$${String(this.bound.length)}::${sqlType}`;
  }

  /** `WHERE (…) AND (…)`, or nothing where nothing was added. */
  sql(): string {
    return this.clauses.length === 0 ? '' : `WHERE ${this.clauses.join(' AND ')}`;
  }

  get values(): readonly unknown[] {
    return this.bound;
  }

  /** The same conditions, to be added to without touching these. */
  copy(): Conditions {
    const copy = new Conditions();
    copy.clauses.push(...this.clauses);
    copy.bound.push(...this.bound);
    return copy;
  }
}

/** By what a token limits rows. */
type Limit = 'services' | 'environments' | 'tiers';

const columns = { services: 'service_id', environments: 'env_tag', tiers: 'sensitivity_tier' } as const;

/**
 * The rule of docs/contract.md, section 2, in SQL: a row is covered where it names no service, environment or tier, or one of those of the
 * token. `values` is SQL of a `text[]`; with `nullIsAll`, null covers every row.
 */
export function coveredSql(alias: string, limit: Limit, values: string, nullIsAll = false): string {
  const column = columnSql(alias, columns[limit]);
  return `(${nullIsAll ? `${values} IS NULL OR ` : ''}${column} IS NULL OR ${column} = ANY (${values}))`;
}

/** How rows of a table, view or subquery are limited. */
interface RowKind {
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

/** A clause with its values: that the text holds each word that was typed, whole or as a part, case aside, in any order. */
export function holdsEach(text: string, typed: string): [clause: string, ...values: string[]] {
  const parts = typed.split(/\s+/u).filter((part) => part !== '');
  const clause = parts.map(() => `${text} ILIKE ?`).join(' AND ') || 'true';
  return [clause, ...parts.map((part) => `%${part.replace(/[\\%_]/g, '\\$&')}%`)];
}
