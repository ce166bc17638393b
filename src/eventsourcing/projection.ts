import type { RecordedEvent } from './event.js';
import type { Transaction } from './sql.js';

/**
 * Keeps tables in step with the log. The same code runs in the appending transaction and on rebuild, where it
 * is given large batches; within a batch several events may concern one row, and all are of one host.
 */
export interface Projection {
  readonly name: string;
  /** Tables that it alone writes. */
  readonly tables: readonly string[];
  /** Event types that concern it. */
  readonly handles: readonly string[];
  /** Applies events of the types handled, in order of position. No clock, no randomness, no network. */
  apply(tx: Transaction, events: readonly RecordedEvent[]): Promise<void> | void;
}
