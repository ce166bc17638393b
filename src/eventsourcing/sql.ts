/** What the ground needs of a database: a place to send SQL to, and transactions. No driver is named here. */

/** A place to send SQL to: the pool, or one transaction. Inside a transaction use only that transaction's. */
export interface Sql {
  /** Sends one statement with bound parameters ($1, $2, …) and gives its rows. `name` makes it a prepared one. */
  query<Row extends object>(text: string, parameters?: readonly unknown[], name?: string): Promise<Row[]>;
}

/** One transaction. */
export interface Transaction extends Sql {
  /**
   * Sends a statement of whose answer nothing is wanted: it is not waited for, and where it fails the transaction fails
   * with its error.
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
