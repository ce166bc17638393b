import type { Sql } from '../../../src/kernel/sql.js';

/** What a column that must hold something holds where a test does not care. */
const neutral: Readonly<Record<string, unknown>> = {
  boolean: true,
  bigint: 1,
  integer: 0,
  real: 1,
  jsonb: '{}',
  ARRAY: [],
  'timestamp with time zone': '2026-01-01T00:00:00.000Z',
  uuid: '00000000-0000-7000-8000-000000000000',
};

/** Puts rows straight into the tables of the read side. */
export class Tables {
  private readonly defaults = new Map<string, Readonly<Record<string, unknown>>>();

  constructor(
    private readonly sql: Sql,
    readonly hostId: string,
  ) {}

  /** Inserts a row; columns not given that must hold something get a neutral value. Objects are written as JSON. */
  async add(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
    const full = { ...(await this.defaultsOf(table)), host_id: this.hostId, ...row };
    const columns = Object.keys(full);
    const places = columns.map((_, index) => `$${String(index + 1)}`);
    // Rows of tools bring their versions along.
    const again = table === 'tool_version_t' ? ' ON CONFLICT DO NOTHING' : '';
    await this.sql.query(
      `INSERT INTO ${table} (${columns.join()}) VALUES (${places.join()})${again}`,
      Object.values(full).map(written),
    );
  }

  async set(
    table: string,
    where: Readonly<Record<string, unknown>>,
    patch: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const bound: unknown[] = [];
    const equal = (values: Readonly<Record<string, unknown>>, glue: string): string =>
      Object.entries(values)
        .map(([column, value]) => `${column} = $${String(bound.push(written(value)))}`)
        .join(glue);
    const changes = equal(patch, ', ');
    const filter = equal({ host_id: this.hostId, ...where }, ' AND ');
    await this.sql.query(`UPDATE ${table} SET ${changes} WHERE ${filter}`, bound);
  }

  /** Moves the end of the host's log. */
  async head(position: number): Promise<void> {
    await this.sql.query(
      `INSERT INTO host_head_t (host_id, position) VALUES ($1, $2)
       ON CONFLICT (host_id) DO UPDATE SET position = $2`,
      [this.hostId, position],
    );
  }

  private async defaultsOf(table: string): Promise<Readonly<Record<string, unknown>>> {
    const known = this.defaults.get(table);
    if (known !== undefined) return known;
    const columns = await this.sql.query<{ column_name: string; data_type: string }>(
      `SELECT column_name, data_type FROM information_schema.columns
       WHERE table_name = $1 AND table_schema IN ('catalog', 'public') AND is_nullable = 'NO' AND column_default IS NULL`,
      [table],
    );
    const defaults = Object.fromEntries(
      columns.map((column) => [column.column_name, neutral[column.data_type] ?? '']),
    );
    this.defaults.set(table, defaults);
    return defaults;
  }
}

function written(value: unknown): unknown {
  const isJson = typeof value === 'object' && value !== null && !isTextArray(value);
  return isJson ? JSON.stringify(value) : value;
}

function isTextArray(value: object): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
