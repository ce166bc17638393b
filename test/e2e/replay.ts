import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readEvent } from '../../src/kernel/envelope.js';
import { Domain, isUniqueViolation } from '../../src/kernel/domain.js';
import { readStored } from '../../src/kernel/event-store.js';
import { BUILDING, Generation } from '../../src/kernel/generation.js';
import { readMigrations } from '../../src/kernel/migrations.js';
import { DATABASE, type Database, type Sql } from '../../src/kernel/sql.js';

/** Sizes of the batches that a log is replayed in: as a write came at the least, and as a rebuild takes them at the most. */
const batches = [1, 7, 1_000] as const;
/** Most rows of a table that are shown where it differs. */
const SHOWN = 3;

/**
 * Makes tables of the log alone, beside the live ones, and compares. They are kept for the next host.
 */
export class Replay {
  private made: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly domain: Domain,
  ) {}

  /** Rows of a host that only the live tables have (`-`), or only those that its log makes (`+`), in batches of each size. */
  async differences(hostId: string): Promise<readonly string[]> {
    this.made ??= new Generation(this.database, this.domain, () => readMigrations('catalog')).create();
    await this.made;
    if (await this.isNewer(hostId)) return [];
    const found: string[] = [];
    for (const size of batches) {
      const differing = await this.replayed(hostId, size);
      found.push(...differing.map((row) => `in batches of ${String(size)}: ${row}`));
    }
    return found;
  }

  /** Whether a test has appended what a newer version writes, so that no rebuild of this one takes the log. */
  private async isNewer(hostId: string): Promise<boolean> {
    const types = await this.database
      .of(hostId)
      .query<{ readonly type: string; readonly version: number }>(
        'SELECT DISTINCT event_type AS type, schema_version AS version FROM event_store_t WHERE host_id = $1',
        [hostId],
      );
    return types.some(({ type, version }) => !this.domain.types.knows(type, version));
  }

  private async replayed(hostId: string, size: number): Promise<readonly string[]> {
    const walled = this.database.of(hostId);
    const tables = this.domain.projections.flatMap((projection) => projection.tables);
    await walled.transaction(async (tx) => {
      for (const table of tables)
        await tx.query(`DELETE FROM ${BUILDING}.${table} WHERE host_id = $1`, [hostId]);
    });
    for (let at = 0, last = -1; at !== last;) {
      last = at;
      at = await this.step(hostId, at, size);
    }
    return walled.transaction(async (tx) => {
      const found: string[] = [];
      for (const table of tables) found.push(...(await differing(tx, table, hostId)));
      return found;
    });
  }

  /** Gives the position that it came to. As in a rebuild, a step in which one row takes a name before another gives it up is made smaller. */
  private step(hostId: string, after: number, size: number): Promise<number> {
    const done = this.database.of(hostId).transaction(async (tx) => {
      await tx.query(`SET LOCAL search_path TO ${BUILDING}, public`);
      const rows = await readStored(tx, hostId, after, { events: size, bytes: 1_000_000 });
      const events = rows.map((row) => readEvent(this.domain.types, row));
      await this.domain.project(tx, events);
      return events.at(-1)?.position ?? after;
    });
    return done.catch((error: unknown) => {
      if (size === 1 || !isUniqueViolation(error)) throw error;
      return this.step(hostId, after, Math.ceil(size / 4));
    });
  }
}

export function replayOf(app: NestFastifyApplication): Replay {
  return new Replay(app.get<Database>(DATABASE), app.get(Domain));
}

async function differing(sql: Sql, table: string, hostId: string): Promise<readonly string[]> {
  const [index] = await sql.query<{ columns: readonly string[] }>(
    `SELECT array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
      WHERE i.indrelid = $1::regclass AND i.indisprimary`,
    [`catalog.${table}`],
  );
  const key = (index?.columns ?? []).map((column) => `"${column}"`).join(', ');
  const rows = (schema: string) =>
    `(SELECT ${key}, to_jsonb(t) AS row FROM ${schema}.${table} t WHERE host_id = $1)`;
  const found = await sql.query<{ live: Row | null; made: Row | null }>(
    `SELECT l.row AS live, m.row AS made FROM ${rows('catalog')} l FULL JOIN ${rows(BUILDING)} m USING (${key})
      WHERE l.row IS DISTINCT FROM m.row ORDER BY ${key} LIMIT ${String(SHOWN)}`,
    [hostId],
  );
  const names = index?.columns ?? [];
  return found.map(({ live, made }) => `${table} ${shown(names, live, made)}`);
}

type Row = Readonly<Record<string, unknown>>;

/** The key of a row, and the columns that differ. */
function shown(key: readonly string[], live: Row | null, made: Row | null): string {
  const row = live ?? made ?? {};
  const named = JSON.stringify(Object.fromEntries(key.map((column) => [column, row[column]])));
  if (live === null) return `${named} is made of the log alone`;
  if (made === null) return `${named} is not made of the log`;
  const columns = Object.keys(row).filter(
    (column) => JSON.stringify(live[column]) !== JSON.stringify(made[column]),
  );
  const values = columns.map(
    (column) => `${column} ${JSON.stringify(live[column])}, of the log ${JSON.stringify(made[column])}`,
  );
  return `${named}: ${values.join('; ')}`;
}
