import { Pace } from '../../eventsourcing/pace.js';
import { statementName } from '../../eventsourcing/prepared-sql.js';
import type { Transaction } from '../../eventsourcing/sql.js';
import { RowStatement, type Columns, type Standing } from './row-statement.js';
import { tableOf, type Table } from './table-metadata.js';

/** What became of one row: its key and the columns set. */
interface Change {
  readonly columns: Record<string, unknown>;
  complete: boolean;
}

/** Changes of distinct rows. */
type Round = Map<string, Change>;

/**
 * Changes of rows of one table, gathered from a batch of events and written with few statements: rows of which the same
 * columns are set go together, up to 64 at a time. The entity class of the row says what the table and its columns are.
 *
 * A row that changed at several positions is written once for each of them, in order: so a table that keeps its
 * history (`keep_history`) has the same one live and after a rebuild, however the events were batched.
 */
export class RowChanges<Row extends object = Columns> {
  private readonly table: Table;
  private readonly rounds: Round[] = [];
  /** By row: in how many rounds it takes part. */
  private readonly turns = new Map<string, number>();

  constructor(row: (abstract new () => Row) | Table) {
    this.table = typeof row === 'function' ? tableOf(row) : row;
  }

  /**
   * Sets columns of the row with this key (all primary key columns). Later words win; `undefined` says nothing.
   * `complete`: the row may be new; every column without a default is among those set. Without it, a row that does
   * not exist stays so.
   */
  set(key: Partial<Row>, patch: Partial<Row>, complete = false): this {
    const columns: Columns = key;
    // No text of a database holds a NUL.
    const id = this.table.key.map((name) => columns[name]).join('\0');
    const change = this.changeOf(id, columns, patch);
    for (const name of Object.keys(patch)) {
      const value = (patch as Columns)[name];
      if (value !== undefined) change.columns[name] = value;
    }
    change.complete ||= complete;
    return this;
  }

  /** Sends what was gathered on its way, and forgets it. */
  write(tx: Transaction): void {
    for (const statement of this.statements()) tx.send(...statement);
  }

  /** The same for many rows, giving way to others between its statements. */
  async writeMany(tx: Transaction): Promise<void> {
    const pace = new Pace();
    for (const statement of this.statements()) {
      tx.send(...statement);
      await pace.step();
    }
  }

  private *statements(): Generator<Parameters<Transaction['send']>> {
    this.turns.clear();
    for (const round of this.rounds.splice(0)) yield* statementsOf(this.table, round);
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
}

function* statementsOf(table: Table, round: Round): Generator<Parameters<Transaction['send']>> {
  const groups = new Map<string, Change[]>();
  for (const change of round.values()) {
    const kind = kindOf(change);
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [change]);
    else group.push(change);
  }
  // Updates first: they make room for what a unique rule would refuse to a new row.
  const ordered = [...groups].sort(([, [a]], [, [b]]) => Number(a?.complete) - Number(b?.complete));
  for (const [kind, group] of ordered) yield* statementsOfKind(table, kind, group);
}

function* statementsOfKind(
  table: Table,
  kind: string,
  group: readonly Change[],
): Generator<Parameters<Transaction['send']>> {
  const [first] = group;
  const nothingNew = !first?.complete && Object.keys(first?.columns ?? {}).length === table.key.length;
  if (first === undefined || nothingNew) return;
  const statement = statementOf(table, kind, first);
  for (const some of runsOf(group)) {
    const text = statement.text(some.length);
    const parameters = statement.parameters(some.map(({ columns }) => columns));
    // Only the insert is prepared. An update joins the table, and its plan must fit the table's size of the day.
    yield [text, parameters, first.complete ? statementName(text) : undefined];
  }
}

/** How many rows a statement takes. Few choices: each is a statement of its own, which every connection has to plan. */
const RUNS = [64, 16, 4, 1] as const;

function* runsOf<Each>(all: readonly Each[]): Generator<readonly Each[]> {
  let from = 0;
  for (const run of RUNS) for (; from + run <= all.length; from += run) yield all.slice(from, from + run);
}

/** With the first event of a stream its row comes into being: there can be none yet. */
function standingOf({ complete, columns }: Change): Standing {
  if (!complete) return 'old';
  return columns['aggregate_version'] === 1 ? 'born' : 'either';
}

/** By names of columns in whatever order: the same names sorted. */
const sorted = new Map<string, string>();

/** The same for all rows that one statement may write. */
function kindOf(change: Change): string {
  const names = Object.keys(change.columns);
  const written = names.join();
  let kind = sorted.get(written);
  if (kind === undefined) sorted.set(written, (kind = names.sort().join()));
  return `${standingOf(change)} ${kind}`;
}

const statements = new WeakMap<Table, Map<string, RowStatement>>();

function statementOf(table: Table, kind: string, change: Change): RowStatement {
  const ofTable = statements.get(table) ?? new Map<string, RowStatement>();
  statements.set(table, ofTable);
  const names = Object.keys(change.columns).sort();
  const statement = ofTable.get(kind) ?? new RowStatement(table, names, standingOf(change));
  ofTable.set(kind, statement);
  return statement;
}
