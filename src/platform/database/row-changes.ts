import type { RecordedEvent } from '../../kernel/event.js';
import { Pace } from '../../kernel/pace.js';
import { statementName, type Transaction } from '../../kernel/sql.js';

/** What became of one row: its key and the columns set. */
interface Change {
  readonly columns: Record<string, unknown>;
  complete: boolean;
}

/** Changes of distinct rows. */
type Round = Map<string, Change>;

/**
 * Changes of rows of one table, gathered from a batch of events and written with few statements: rows of which the same
 * columns are set go together, up to 64 at a time. {@link Table} says what its columns are.
 *
 * A row that changed at several positions is written once for each of them, in order: so a table that keeps its
 * history (`keep_history`) has the same one live and after a rebuild, however the events were batched.
 */
export class RowChanges<Row extends object = Columns> {
  private readonly rounds: Round[] = [];
  /** By row: in how many rounds it takes part. */
  private readonly turns = new Map<string, number>();

  constructor(private readonly table: Table) {}

  /**
   * Sets columns of the row with this key (all primary key columns). Later values win; `undefined` changes nothing.
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

  /** Sends the gathered changes, and forgets them. */
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

/** The first event of a stream makes its row: there can be none before. */
function expectedRow({ complete, columns }: Change): Expected {
  if (!complete) return 'present';
  return columns['aggregate_version'] === 1 ? 'absent' : 'either';
}

/** By names of columns in whatever order: the same names sorted. */
const sorted = new Map<string, string>();

/** The same for all rows that one statement may write. */
function kindOf(change: Change): string {
  const names = Object.keys(change.columns);
  const written = names.join();
  let kind = sorted.get(written);
  if (kind === undefined) sorted.set(written, (kind = names.sort().join()));
  return `${expectedRow(change)} ${kind}`;
}

const statements = new WeakMap<Table, Map<string, RowStatement>>();

function statementOf(table: Table, kind: string, change: Change): RowStatement {
  const ofTable = statements.get(table) ?? new Map<string, RowStatement>();
  statements.set(table, ofTable);
  const names = Object.keys(change.columns).sort();
  const statement = ofTable.get(kind) ?? new RowStatement(table, names, expectedRow(change));
  ofTable.set(kind, statement);
  return statement;
}

/** Whether rows are there before they are written; of `present` ones a missing row stays missing. */
type Expected = 'absent' | 'either' | 'present';

/** Columns of one row, by name. */
type Columns = Readonly<Record<string, unknown>>;

/** Writes several rows of one table, of which the same columns are given: new ones, or changes of those that exist. */
class RowStatement {
  private readonly texts = new Map<number, string>();
  private readonly types: readonly string[];
  private readonly patched: readonly string[];

  constructor(
    private readonly table: Table,
    private readonly names: readonly string[],
    private readonly expected: Expected,
  ) {
    this.types = names.map((name) => table.typeOf(name));
    this.patched = names.filter((name) => !table.key.includes(name));
  }

  /** SQL for so many rows. */
  text(rows: number): string {
    const text =
      this.texts.get(rows) ?? (this.expected === 'present' ? this.update(rows) : this.insert(rows));
    this.texts.set(rows, text);
    return text;
  }

  /** The parameters of {@link text}. */
  parameters(rows: readonly Columns[]): unknown[] {
    const parameters: unknown[] = [];
    for (const columns of rows) {
      this.names.forEach((name, index) => {
        const value = columns[name];
        const isJson = this.types[index] === 'jsonb' && value !== null;
        parameters.push(isJson ? JSON.stringify(value) : value);
      });
    }
    return parameters;
  }

  private insert(rows: number): string {
    const insert = `INSERT INTO ${this.table.name} (${list(this.names)}) ${this.values(rows)}`;
    // Without ON CONFLICT, which costs the database as much again as the row.
    if (this.expected === 'absent') return insert;
    const patches = this.patched.map((name) => `"${name}" = excluded."${name}"`);
    const action = patches.length === 0 ? 'NOTHING' : `UPDATE SET ${patches.join(', ')}`;
    return `${insert} ON CONFLICT (${list(this.table.key)}) DO ${action}`;
  }

  private update(rows: number): string {
    const patches = this.patched.map((name) => `"${name}" = g."${name}"`).join(', ');
    const sameKey = this.table.key.map((name) => `t."${name}" = g."${name}"`).join(' AND ');
    return `UPDATE ${this.table.name} AS t SET ${patches}
      FROM (${this.values(rows)}) AS g (${list(this.names)}) WHERE ${sameKey}`;
  }

  /** `VALUES ($1::uuid, $2::text), ($3::uuid, $4::text)`. */
  private values(rows: number): string {
    let parameter = 0;
    const row = (): string =>
      `(${this.types.map((type) => `$${String((parameter += 1))}::${type}`).join(', ')})`;
    return `VALUES ${Array.from({ length: rows }, row).join(', ')}`;
  }
}

const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

export interface Table {
  readonly name: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** The SQL type of a column: `uuid`, `text[]`. */
  typeOf(column: string): string;
}

/** Declares the table of rows by its name, its primary key and the SQL types of its columns. */
export function tableOf<Row extends object>(
  name: string,
  key: readonly (string & keyof Row)[],
  types: Readonly<Record<keyof Row, string>>,
): Table {
  const known = new Map<string, string>(Object.entries(types));
  return {
    name,
    key,
    typeOf(column) {
      const type = known.get(column);
      if (type === undefined) throw new Error(`${name} has no column ${column}.`);
      return type;
    },
  };
}

/** The tail of every projection's row: which event changed it last, when, and by whom. */
interface AuditColumns {
  readonly position: number;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
}

export function auditOf(event: RecordedEvent): AuditColumns {
  return {
    position: event.position,
    aggregate_version: event.aggregateversion,
    update_ts: event.time,
    update_user: event.user,
  };
}
