import type { RecordedEvent } from '../../kernel/event.js';
import type { Projection } from '../../kernel/slice.js';
import type { Sql } from '../../kernel/sql.js';
import { auditOf, RowChanges, type Table } from '../database/row-changes.js';
import { columnOf, toColumns } from './fields.js';
import { eventsOf, kindOf, laterOf, type Members, type RecordSpec, type Unique } from './record-spec.js';

/** A record of a host. */
export interface Place {
  readonly hostId: string;
  readonly id: string;
}

/** Keeps one row for each record, inactive where it was deleted. */
export function recordProjection(spec: RecordSpec, rows: Table): Projection {
  const { table, history, unique } = spec;
  return {
    name: table,
    tables: history === false ? [table] : [table, table.replace(/_t$/, '_history_t')],
    handles: eventsOf(spec).map(({ type }) => type),
    apply(tx, recorded) {
      const changes = new RowChanges(rows);
      for (const event of recorded) changeRow(changes, spec, event);
      // Records of one batch may hand a name on to each other, so the constraint is checked at the end.
      if (unique !== undefined && recorded.length > 1)
        tx.send(`SET CONSTRAINTS ${unique.constraint} DEFERRED`);
      changes.write(tx);
    },
  };
}

/** Adds what an event changes of the record's row. */
export function changeRow(changes: RowChanges, spec: RecordSpec, event: RecordedEvent): void {
  const { carries, active, stage } = kindOf(spec, event.type);
  const data = { ...(carries === 'all' && laterOf(spec)), ...(event.data as Members) };
  const derived = Object.entries(spec.derived ?? {})
    .filter(([, { from }]) => from in data)
    .map(([name, { from, of }]) => [name, of(data[from] as never)] as const);
  const row = {
    ...toColumns({ ...data, ...Object.fromEntries(derived) }),
    ...(active !== undefined && { active }),
    ...(stage !== undefined && { [columnOf(spec.stages?.field ?? '')]: stage }),
    ...auditOf(event),
  };
  changes.set({ host_id: event.host, [idColumn(spec)]: event.aggregateid }, row, carries === 'all');
}

export function idColumn({ id }: Pick<RecordSpec, 'id'>): string {
  return columnOf(Object.keys(id)[0] ?? '');
}

/** Finds the other record that has the values that must be unique; fields that are not given keep their present values. */
export async function holderOf(
  sql: Sql,
  spec: RecordSpec & { readonly unique: Unique },
  { hostId, id }: Place,
  given: Members,
): Promise<string | null> {
  const { by, among, folded } = spec.unique;
  const values: unknown[] = [hostId, id];
  const equal = (column: string, isGiven: boolean, value: unknown): string => {
    if (!isGiven) return `other.${column} IS NOT DISTINCT FROM this.${column}`;
    if (value === null) return `other.${column} IS NULL`;
    return `other.${column} = $${String(values.push(value))}`;
  };
  const same = by.map((name) => {
    const isGiven = name in given;
    const exactly = equal(columnOf(name), isGiven, given[name]);
    const derived = folded?.[name];
    const of = derived === undefined ? undefined : spec.derived?.[derived]?.of;
    if (derived === undefined || of === undefined) return exactly;
    // Rows that are older than the column have none until a rebuild.
    const alike = equal(columnOf(derived), isGiven, isGiven ? of(given[name] as never) : undefined);
    return `(${exactly} OR (other.${columnOf(derived)} IS NOT NULL AND ${alike}))`;
  });
  const key = idColumn(spec);
  const [row] = await sql.query<{ readonly id: string }>(
    `SELECT other.${key} AS id FROM ${spec.table} other
     LEFT JOIN ${spec.table} this ON this.host_id = other.host_id AND this.${key} = $2
     WHERE other.host_id = $1 AND other.${key} <> $2 AND ${same.join(' AND ')} ${among === 'active' ? 'AND other.active' : ''}`,
    values,
  );
  return row?.id ?? null;
}

/** The fields of a record and whether it is active; undefined where there never was one. */
export async function findRecord(
  sql: Sql,
  spec: RecordSpec,
  { hostId, id }: Place,
): Promise<Members | undefined> {
  const names = [...Object.keys({ ...spec.fixed, ...spec.fields }), 'active'];
  const [row] = await sql.query<Members>(
    `SELECT ${names.map((name) => `${columnOf(name)} AS "${name}"`).join(', ')} FROM ${spec.table}
     WHERE host_id = $1 AND ${idColumn(spec)} = $2`,
    [hostId, id],
  );
  return row;
}
