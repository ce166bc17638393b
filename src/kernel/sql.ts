/** What the kernel needs of a database: a place to send SQL to, transactions, and whose rows they may touch. Names no driver. */
import { createHash } from 'node:crypto';

/** A place to send SQL to: the pool, or one transaction. Inside a transaction use only that transaction's. */
export interface Sql {
  /** Sends one statement with bound parameters ($1, $2, …) and gives its rows. `name` makes it a prepared one. */
  query<Row extends object>(text: string, parameters?: readonly unknown[], name?: string): Promise<Row[]>;
}

/** One transaction. */
export interface Transaction extends Sql {
  /**
   * Sends a statement without waiting for it; where it fails, the transaction fails with its error.
   */
  send(text: string, parameters?: readonly unknown[], name?: string): void;
}

/** Where single statements and transactions may touch the same rows. */
export interface Walled extends Sql {
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. A deadlock or a
   * serialization failure runs it once more from the start, so it must not do anything outside of the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** Ways to the rows: none without saying whose (docs/decisions/0025-tenant-walls.md). */
export interface Ways<Way extends Sql> {
  /**
   * The rows of one host. Throws where `hostId` is no UUID.
   *
   * @param limit milliseconds that a statement may take, where that is less than usual; the embedded database has no clock
   *   for it
   */
  of(hostId: string, limit?: number): Way;
  /** The few columns by which many hosts are looked after at once. What uses it is listed in a test. */
  readonly acrossHosts: Way;
  /** Tables, locks and figures; rows only where the user of the connection is a superuser. */
  readonly asOwner: Way;
}

export interface Database extends Ways<Walled> {
  /** True for the embedded database: one process, one connection, transactions strictly one after another. */
  readonly embedded: boolean;
  /** Whether no connection is free now: long work in steps lets others go first. */
  isBusy(): boolean;
  /**
   * Opens a connection of its own outside the pool, for what lives as long as a connection does (session-level
   * advisory locks) or must not wait for the pool. The embedded database has none to give and throws.
   */
  session(): Promise<Session>;
}

/** A connection of its own. */
export interface Session extends Ways<Sql> {
  /** Ends the connection, also one that hangs; what the server held for it is released. */
  close(): void;
  /** Called once when the connection ends for whatever reason. */
  onEnd(listener: () => void): void;
}

/** Nest token of the {@link Database}. */
export const DATABASE = Symbol('Database');

/** Names of prepared statements by text; texts beyond the limit are planned each time. */
const names = new Map<string, string>();
const MAX_NAMES = 500;

/**
 * Prepares each text once a connection instead of planning every statement. For the writing side: its texts are few, and
 * each finds its rows by key.
 */
export function prepared(sql: Sql): Sql {
  return {
    query: (text, parameters, name) =>
      sql.query(text, parameters, name ?? (parameters === undefined ? undefined : statementName(text))),
  };
}

/** The name of a prepared statement, made of its text; none beyond the limit. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size === MAX_NAMES) return known;
  const name = `s_${createHash('sha1').update(text).digest('hex').slice(0, 20)}`;
  names.set(text, name);
  return name;
}

/**
 * The SQLSTATE of an error that the database reported; undefined where the connection failed, also where a proxy says so
 * (class 08): the commit may have been made then. Errors of the embedded database have a class of their own, so they are known
 * by their members.
 */
export function sqlState(error: unknown): string | undefined {
  const reported = error instanceof Error && 'severity' in error && 'code' in error;
  if (!reported || typeof error.code !== 'string' || error.code.startsWith('08')) return undefined;
  return error.code;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Lets a transaction touch the rows of one host alone, until its end or until it says something else: every table is walled
 * off by row level security (docs/decisions/0025-tenant-walls.md), with the roles of `migrations/ground/0010_tenant_walls.sql`.
 * Throws where `hostId` is no UUID in lower case: it becomes part of the statement, and of what is hashed.
 */
export function asHost(hostId: string): string {
  if (!uuid.test(hostId)) throw new Error('The id of a host is a UUID in lower case.');
  return `SET LOCAL ROLE portal_catalog_host; SET LOCAL app.host TO '${hostId}'`;
}

/** Lets a transaction read the few columns that are granted across hosts. */
export const asAllHosts = 'SET LOCAL ROLE portal_catalog_all_hosts';

/** Lets a transaction work on tables, not their rows, as the user of the connection. */
export const asOwner = 'SET LOCAL ROLE NONE';

/** Limits how long each statement may take. */
export function atMost(milliseconds: number): string {
  return `SET LOCAL statement_timeout TO ${String(Math.ceil(milliseconds))}`;
}
