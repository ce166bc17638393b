import type { Command, Outcome, WriteContext } from './command.js';
import type { Sql } from './sql.js';

/**
 * What a write does: commands of which all or none are carried out, in one transaction on one host, and what its caller
 * is given. Each member throws the kernel's errors to refuse.
 */
export interface UnitOfWork<Result, Prepared = undefined> {
  readonly context: WriteContext;
  /** Does everything but commit: refusals are the same, and the result says what would be. */
  readonly isDryRun?: boolean;
  /**
   * Does what takes long before the host's lock is taken. It is done again, at most twice and the last time under the
   * lock, where {@link commands} finds it outdated, a stream of the write has moved meanwhile, or a unique rule refuses it.
   */
  prepare?(sql: Sql): Promise<Prepared>;
  /** Reads under the lock what the commands must know: nothing that it reads can be raced. `outdated`: see {@link prepare}. */
  commands(
    sql: Sql,
    prepared: Prepared,
  ): Promise<readonly Command[] | 'outdated'> | readonly Command[] | 'outdated';
  /** `outcomes` in the order of the commands; `position` of the last event that the write is about. */
  result(outcomes: readonly Outcome[], position: number, written: Written): Result | Promise<Result>;
  /** Comes last in the transaction. */
  beforeCommit?(sql: Sql, result: Result): Promise<void>;
}

/** What a write, also one of a dry run, has left behind: its rows are written. */
export interface Written {
  readonly sql: Sql;
  /** Position of the log before the write. */
  readonly before: number;
}
