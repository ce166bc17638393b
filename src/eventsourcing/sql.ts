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

export interface Database extends Sql {
  /** True for the embedded database: one process, one connection, transactions strictly one after another. */
  readonly embedded: boolean;
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. A deadlock or a
   * serialization failure runs it once more from the start, so it must not do anything outside of the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Opens a connection of its own outside the pool, for what lives as long as a connection does (session-level
   * advisory locks) or must not wait for the pool. The embedded database has none to give and throws.
   */
  session(): Promise<Session>;
}

/** A connection of its own. */
export interface Session extends Sql {
  /** Ends the connection, also one that hangs; what the server held for it is released. */
  close(): void;
  /** Called once when the connection ends for whatever reason. */
  onEnd(listener: () => void): void;
}

/** Nest token of the {@link Database}. */
export const DATABASE = Symbol('Database');
