import { isUniqueViolation, type Domain } from './domain.js';
import { NewerEvent, readEvent } from './envelope.js';
import { readStored } from './event-store.js';
import type { Migration } from './migrations.js';
import { asHost, asOwner, type Database, type Sql, type Transaction } from './sql.js';

/** How large the steps are: each aims at so many milliseconds, within the other limits. */
interface Stride {
  readonly milliseconds: number;
  readonly events: number;
  readonly bytes: number;
}

const strides = {
  embedded: { milliseconds: 25, events: 500, bytes: 500_000 },
  server: { milliseconds: 60, events: 1_000, bytes: 1_000_000 },
} as const;

/** Most bytes of a write that must be replayed in one step. */
const MAX_WRITE_BYTES = 2 ** 31 - 1;

/** Schema of the tables that are being made. */
export const BUILDING = 'catalog_next';
const REPLACED = 'catalog_old';

/** A second set of the projections' tables, beside the live one, filled from the log alone. */
export class Generation {
  /** Events replayed so far. */
  events = 0;
  /** Hosts that can't be rebuilt, with the event of a newer program that prevents it: they keep their rows. */
  readonly kept = new Map<string, NewerEvent>();
  private readonly positions = new Map<string, number>();
  private readonly stride: Stride;
  /** Events of a step that aren't too many, however long it takes. */
  private fewest = 20;
  private limit = this.fewest;

  constructor(
    private readonly database: Database,
    private readonly domain: Domain,
    private readonly tables: () => Promise<readonly Pick<Migration, 'text'>[]>,
  ) {
    this.stride = strides[database.embedded ? 'embedded' : 'server'];
  }

  /** Creates the empty tables, and removes what an interrupted rebuild left. */
  async create(): Promise<void> {
    await this.removeReplaced();
    const migrations = await this.tables();
    await this.database.asOwner.transaction(async (tx) => {
      await tx.query(`DROP SCHEMA IF EXISTS ${BUILDING} CASCADE; CREATE SCHEMA ${BUILDING}`);
      await this.enter(tx);
      for (const { text } of migrations) await tx.query(text);
      await tx.query('SELECT raise_walls($1)', [BUILDING]);
    });
  }

  /** Replays what the logs hold beyond this generation. Calls `onStep` after each step. */
  async catchUp(onStep: () => void): Promise<void> {
    for (const { hostId, position } of await this.behind(this.database.acrossHosts)) {
      while (this.positionOf(hostId) < position && !this.kept.has(hostId)) {
        await this.step(hostId);
        onStep();
      }
    }
  }

  /** Takes larger steps from now on, since where each costs much, small ones never catch up with writers. */
  hasten(): void {
    this.fewest = Math.min(this.stride.events, this.fewest * 2);
  }

  /** Events that the logs hold beyond this generation. */
  async lag(sql: Sql): Promise<number> {
    const behind = await this.behind(sql);
    return behind.reduce((sum, { hostId, position }) => sum + position - this.positionOf(hostId), 0);
  }

  /** Replays the rest and replaces the live generation, in an owner's transaction that holds all heads. */
  async replaceLive(tx: Transaction): Promise<void> {
    await this.enter(tx);
    for (const { hostId, position } of await this.behind(tx)) {
      await tx.query(asHost(hostId));
      let at = this.positionOf(hostId);
      while (at < position) at = await this.take(tx, hostId, at, this.stride);
    }
    for (const hostId of this.kept.keys()) await this.copyLive(tx, hostId);
    await tx.query(
      `${asOwner}; ALTER SCHEMA catalog RENAME TO ${REPLACED}; ALTER SCHEMA ${BUILDING} RENAME TO catalog`,
    );
  }

  /** Gives the planner figures of the new tables. */
  async analyze(): Promise<void> {
    const tables = await this.database.asOwner.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1`,
      [BUILDING],
    );
    for (const { name } of tables) await this.database.asOwner.query(`ANALYZE ${name}`);
  }

  /** Removes the tables that were replaced. Fails with 55P03 where a reader still holds one of them. */
  async removeReplaced(): Promise<void> {
    await this.database.asOwner.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout TO '100ms'; DROP SCHEMA IF EXISTS ${REPLACED} CASCADE`);
    });
  }

  /** Replays one batch in a transaction, and fits the size of the next to the time that it took. */
  private async step(hostId: string): Promise<void> {
    const from = this.positionOf(hostId);
    const before = performance.now();
    try {
      const to = await this.database.of(hostId).transaction(async (tx) => {
        await this.enter(tx);
        return this.take(tx, hostId, from, { events: this.limit, bytes: this.stride.bytes });
      });
      this.positions.set(hostId, to);
      this.events += to - from;
      const elapsed = Math.max(performance.now() - before, 1);
      const next = Math.round(((to - from) * this.stride.milliseconds) / elapsed);
      this.limit = Math.min(this.stride.events, Math.max(this.fewest, next), this.limit * 2);
    } catch (error) {
      if (error instanceof NewerEvent) return this.keep(error);
      // One statement may break a unique rule that each event kept: one record gave up a name that another took. Smaller
      // steps end at one event each.
      if (!isUniqueViolation(error)) throw error;
      if (this.limit === 1) await this.finishWrite(hostId, from);
      else this.limit = Math.ceil(this.limit / 4);
    }
  }

  /** Replays the rest of a write in one step: version 0.1.0 may have written who takes a name before who gives it up. */
  private async finishWrite(hostId: string, from: number): Promise<void> {
    const to = await this.database.of(hostId).transaction(async (tx) => {
      await this.enter(tx);
      const [write] = await tx.query<{ end: number }>(
        `SELECT coalesce(
           (SELECT e.position - 1 FROM event_store_t e
            WHERE e.host_id = $1 AND e.position > $2 AND (e.time, e.correlation_id) <> (f.time, f.correlation_id)
            ORDER BY e.position LIMIT 1),
           (SELECT position FROM host_head_t WHERE host_id = $1)) AS end
         FROM event_store_t f WHERE f.host_id = $1 AND f.position = $2 + 1`,
        [hostId, from],
      );
      return this.take(tx, hostId, from, { events: (write?.end ?? from + 1) - from, bytes: MAX_WRITE_BYTES });
    });
    this.positions.set(hostId, to);
    this.events += to - from;
  }

  /** Removes what was rebuilt of a host so far, which keeps its live rows instead. */
  private async keep(newer: NewerEvent): Promise<void> {
    await this.database.of(newer.hostId).transaction(async (tx) => {
      for (const { name } of await tablesOfHosts(tx))
        await tx.query(`DELETE FROM ${BUILDING}.${name} WHERE host_id = $1`, [newer.hostId]);
    });
    this.kept.set(newer.hostId, newer);
  }

  /** Copies the live rows of a host. */
  private async copyLive(tx: Transaction, hostId: string): Promise<void> {
    await tx.query(asHost(hostId));
    for (const { name, columns } of await tablesOfHosts(tx)) {
      await tx.query(
        `INSERT INTO ${BUILDING}.${name} (${columns}) SELECT ${columns} FROM catalog.${name} WHERE host_id = $1`,
        [hostId],
      );
    }
  }

  /** Replays the next events of a host; gives the position of the last of them. */
  private async take(
    tx: Transaction,
    hostId: string,
    after: number,
    limits: Pick<Stride, 'events' | 'bytes'>,
  ): Promise<number> {
    const rows = await readStored(tx, hostId, after, limits);
    const last = rows.at(-1);
    if (last === undefined) throw new Error(`The log of host ${hostId} ends before its head: verify it.`);
    const read = rows.map((row) => readEvent(this.domain.types, row));
    await this.domain.project(tx, read);
    return last.position;
  }

  /** Lets the transaction work on this generation, whose tables grow too fast for kept plans. */
  private async enter(tx: Sql): Promise<void> {
    await tx.query(
      `SET LOCAL search_path TO ${BUILDING}, public; SET LOCAL plan_cache_mode TO force_custom_plan;
       SET LOCAL synchronous_commit TO off`,
    );
  }

  private behind(sql: Sql): Promise<readonly { hostId: string; position: number }[]> {
    return sql
      .query<{ hostId: string; position: number }>(
        'SELECT host_id AS "hostId", position FROM host_head_t ORDER BY 1',
      )
      .then((heads) =>
        heads.filter(({ hostId, position }) => position > this.positionOf(hostId) && !this.kept.has(hostId)),
      );
  }

  private positionOf(hostId: string): number {
    return this.positions.get(hostId) ?? 0;
  }
}

/** Lists the tables with rows of hosts, with their columns except generated ones. */
function tablesOfHosts(sql: Sql): Promise<readonly { readonly name: string; readonly columns: string }[]> {
  return sql.query(
    `SELECT quote_ident(c.relname) AS name,
            string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'r'
      GROUP BY c.relname HAVING bool_or(a.attname = 'host_id')`,
    [BUILDING],
  );
}
