import { createHash } from 'node:crypto';
import type { Sql } from '../../eventsourcing/sql.js';
import { tableOf, type Table } from './table-metadata.js';

type Columns = Record<string, unknown>;

/** What became of one row: its key and the columns set. */
interface Change {
  readonly columns: Columns;
  complete: boolean;
}

/**
 * Changes of rows of one table, gathered from a batch of events and written with few statements: one per distinct
 * set of columns. The entity class of the row says what the table and its columns are.
 */
export class RowChanges<Row extends object> {
  private readonly table: Table;
  private readonly changes = new Map<string, Change>();

  constructor(row: abstract new () => Row) {
    this.table = tableOf(row);
  }

  /**
   * Sets columns of the row with this key (all primary key columns). Later words win; `undefined` says nothing.
   * `complete`: the row may be new; every column without a default is among those set. Without it, a row that does
   * not exist stays so.
   */
  set(key: Partial<Row>, patch: Partial<Row>, complete = false): this {
    const columns: Columns = key;
    const id = JSON.stringify(this.table.key.map((name) => columns[name]));
    const change = this.changes.get(id) ?? { columns: { ...columns }, complete: false };
    for (const [name, value] of Object.entries(patch)) if (value !== undefined) change.columns[name] = value;
    change.complete ||= complete;
    this.changes.set(id, change);
    return this;
  }

  /** Writes what was gathered, and forgets it. */
  async write(sql: Sql): Promise<void> {
    const groups = new Map<string, Change[]>();
    for (const change of this.changes.values()) {
      const kind = JSON.stringify([change.complete, ...Object.keys(change.columns).sort()]);
      const group = groups.get(kind);
      if (group === undefined) groups.set(kind, [change]);
      else group.push(change);
    }
    this.changes.clear();
    // Updates first: they make room for what a unique rule would refuse to a new row.
    const ordered = [...groups.values()].sort((a, b) => Number(a[0]?.complete) - Number(b[0]?.complete));
    for (const group of ordered) await this.writeGroup(sql, group);
  }

  private async writeGroup(sql: Sql, group: readonly Change[]): Promise<void> {
    const [first] = group;
    const names = Object.keys(first?.columns ?? {}).sort();
    const nothingNew = !first?.complete && names.length === this.table.key.length;
    if (first === undefined || nothingNew) return;
    const text = first.complete ? upsert(this.table, names) : update(this.table, names);
    const parameters = names.map((name) => {
      const column = this.table.column(name);
      return group.map(({ columns }) => column.encode(columns[name]));
    });
    // Only the insert is prepared. An update joins the table, and its plan must fit the table's size of the day.
    await sql.query(text, parameters, first.complete ? nameOf(text) : undefined);
  }
}

function nameOf(statement: string): string {
  return `rows_${createHash('sha1').update(statement).digest('hex').slice(0, 20)}`;
}

function upsert(table: Table, names: readonly string[]): string {
  const patched = names.filter((name) => !table.key.includes(name));
  const assignments = patched.map((name) => `"${name}" = excluded."${name}"`);
  const action = assignments.length === 0 ? 'NOTHING' : `UPDATE SET ${assignments.join(', ')}`;
  return `INSERT INTO ${table.name} (${list(names)}) SELECT ${values(table, names)} FROM ${given(table, names)}
    ON CONFLICT (${list(table.key)}) DO ${action}`;
}

function update(table: Table, names: readonly string[]): string {
  const patched = names.filter((name) => !table.key.includes(name));
  const assignments = patched.map((name) => `"${name}" = ${table.column(name).decode(`g."${name}"`)}`);
  const sameKey = table.key.map((name) => `t."${name}" = g."${name}"`).join(' AND ');
  return `UPDATE ${table.name} AS t SET ${assignments.join(', ')} FROM ${given(table, names)} WHERE ${sameKey}`;
}

function given(table: Table, names: readonly string[]): string {
  const arrays = names.map((name, index) => `$${String(index + 1)}::${table.column(name).arrayType}`);
  return `unnest(${arrays.join(', ')}) AS g (${list(names)})`;
}

const values = (table: Table, names: readonly string[]): string =>
  names.map((name) => table.column(name).decode(`g."${name}"`)).join(', ');

const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
