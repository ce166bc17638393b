import { settledText } from '../../eventsourcing/canonical-json.js';
import { statementName } from '../../eventsourcing/prepared-sql.js';
import type { Transaction } from '../../eventsourcing/sql.js';
import { tableOf, type Table } from './table-metadata.js';

type Columns = Record<string, unknown>;

/** What became of one row: its key and the columns set. */
interface Change {
  readonly columns: Columns;
  complete: boolean;
}

/** Changes of distinct rows. */
type Round = Map<string, Change>;

/**
 * Changes of rows of one table, gathered from a batch of events and written with few statements: one per distinct
 * set of columns. The entity class of the row says what the table and its columns are.
 *
 * A row that changed at several positions is written once for each of them, in order: so a table that keeps its
 * history (`keep_history`) has the same one live and after a rebuild, however the events were batched.
 */
export class RowChanges<Row extends object> {
  private readonly table: Table;
  private readonly rounds: Round[] = [];
  /** By row: in how many rounds it takes part. */
  private readonly turns = new Map<string, number>();

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
    const change = this.changeOf(id, columns, patch);
    for (const [name, value] of Object.entries(patch)) if (value !== undefined) change.columns[name] = value;
    change.complete ||= complete;
    return this;
  }

  /** Sends what was gathered on its way, and forgets it. */
  write(tx: Transaction): void {
    this.turns.clear();
    for (const round of this.rounds.splice(0)) this.writeRound(tx, round);
  }

  /** The last change of the row; a new one where the patch is of another position. */
  private changeOf(id: string, key: Columns, { position }: Columns): Change {
    const turns = this.turns.get(id) ?? 0;
    const last = this.rounds[turns - 1]?.get(id);
    const before = last?.columns['position'];
    const moved = position !== undefined && before !== undefined && position !== before;
    if (last !== undefined && !moved) return last;
    const change = { columns: { ...key }, complete: false };
    (this.rounds[turns] ??= new Map<string, Change>()).set(id, change);
    this.turns.set(id, turns + 1);
    return change;
  }

  private writeRound(tx: Transaction, round: Round): void {
    const groups = new Map<string, Change[]>();
    for (const change of round.values()) {
      const kind = [change.complete, ...Object.keys(change.columns).sort()].join();
      const group = groups.get(kind);
      if (group === undefined) groups.set(kind, [change]);
      else group.push(change);
    }
    // Updates first: they make room for what a unique rule would refuse to a new row.
    const ordered = [...groups.values()].sort((a, b) => Number(a[0]?.complete) - Number(b[0]?.complete));
    for (const group of ordered) this.writeGroup(tx, group);
  }

  private writeGroup(tx: Transaction, group: readonly Change[]): void {
    const [first] = group;
    const names = Object.keys(first?.columns ?? {}).sort();
    const nothingNew = !first?.complete && names.length === this.table.key.length;
    if (first === undefined || nothingNew) return;
    const text = first.complete ? upsert(this.table, names) : update(this.table, names);
    const rows = `[${group.map(({ columns }) => rowText(columns)).join(',')}]`;
    // Only the insert is prepared. An update joins the table, and its plan must fit the table's size of the day.
    tx.send(text, [rows], first.complete ? statementName(text) : undefined);
  }
}

function upsert(table: Table, names: readonly string[]): string {
  const patched = names.filter((name) => !table.key.includes(name));
  const assignments = patched.map((name) => `"${name}" = excluded."${name}"`);
  const action = assignments.length === 0 ? 'NOTHING' : `UPDATE SET ${assignments.join(', ')}`;
  return `INSERT INTO ${table.name} (${list(names)}) SELECT ${list(names)} FROM ${given(table, names)}
    ON CONFLICT (${list(table.key)}) DO ${action}`;
}

function update(table: Table, names: readonly string[]): string {
  const patched = names.filter((name) => !table.key.includes(name));
  const assignments = patched.map((name) => `"${name}" = g."${name}"`);
  const sameKey = table.key.map((name) => `t."${name}" = g."${name}"`).join(' AND ');
  return `UPDATE ${table.name} AS t SET ${assignments.join(', ')} FROM ${given(table, names)} WHERE ${sameKey}`;
}

/** The rows, which travel as one JSON text: it is read once, and a JSON column takes its part of it as it is. */
function given(table: Table, names: readonly string[]): string {
  const columns = names.map((name) => `"${name}" ${table.typeOf(name)}`);
  return `json_to_recordset($1::json) AS g (${columns.join(', ')})`;
}

/** JSON, where what is settled is written as it was before. */
function rowText(columns: Columns): string {
  const settled: string[] = [];
  const rest: [string, unknown][] = [];
  for (const entry of Object.entries(columns)) {
    const text = settledText(entry[1]);
    if (text === undefined) rest.push(entry);
    else settled.push(`${JSON.stringify(entry[0])}:${text}`);
  }
  if (settled.length === 0) return JSON.stringify(columns);
  return `{${settled.join(',')},${JSON.stringify(Object.fromEntries(rest)).slice(1)}`;
}

const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
