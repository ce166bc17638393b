import type { IdlePolicy } from './command-engine.js';
import type { RecordedEvent } from './event.js';
import type { Sql } from './sql.js';

/**
 * Does what may not hold up an append: follows each host's log from a checkpoint that is moved in the transaction
 * of its effect, so that on the database every event takes effect exactly once, also over a crash.
 */
export interface Follower {
  /** Stable: its checkpoints are kept under it. */
  readonly name: string;
  readonly handles: readonly string[];
  /**
   * Those of them whose data it looks at, all where it does not say; of the others it is given none (`{}`), which spares
   * reading documents of megabytes only to learn whom they are about.
   */
  readonly reads?: readonly string[];
  /** For how long it gives way to writes. What comes meanwhile it takes in together; who can't wait asks to reach it. */
  readonly idlePolicy?: IdlePolicy;
  /** Events of one host in order of position. All its SQL goes through `sql`; what it throws is tried again later. */
  handle(sql: Sql, events: readonly RecordedEvent[]): Promise<void>;
}
