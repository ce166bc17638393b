import type { Table } from './table-metadata.js';

/** What is known of rows before they are written: that they are new, that they may be, or that only old ones are meant. */
export type Standing = 'born' | 'either' | 'old';

/** Columns of one row, by name. */
export type Columns = Readonly<Record<string, unknown>>;

/** Writes several rows of one table, of which the same columns are given: new ones, or changes of those that exist. */
export class RowStatement {
  private readonly texts = new Map<number, string>();
  private readonly types: readonly string[];
  private readonly patched: readonly string[];

  constructor(
    private readonly table: Table,
    private readonly names: readonly string[],
    private readonly standing: Standing,
  ) {
    this.types = names.map((name) => table.typeOf(name));
    this.patched = names.filter((name) => !table.key.includes(name));
  }

  /** SQL for so many rows. */
  text(rows: number): string {
    const text = this.texts.get(rows) ?? (this.standing === 'old' ? this.update(rows) : this.insert(rows));
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
    // Whatever the database has ready for the case that a row is there already costs it as much as the row.
    if (this.standing === 'born') return insert;
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
