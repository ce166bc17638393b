import type { Sql } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';

/** Carries an import out, lets somebody look at what has come of it, and undoes it. */
export abstract class ImportRehearsal {
  /**
   * @param body that of `POST …/imports`
   * @param look asks nothing but through `sql`, and not for long: the host's lock is held meanwhile
   *
   * Throws what the import throws.
   */
  abstract rehearse<Seen>(caller: Caller, body: object, look: (sql: Sql) => Promise<Seen>): Promise<Seen>;
}
