import { sqlState } from '../../eventsourcing/sql-state.js';
import type { Database, Sql } from '../../eventsourcing/sql.js';

/** SQLSTATE of a statement that PostgreSQL ended when its time was over. */
const ENDED = '57014';

/**
 * Statements on a host's rows that have so many milliseconds together. The embedded database ends none: there the next
 * one is refused. Throws what `tooSlow` makes.
 */
export function timedSql(database: Database, hostId: string, most: number, tooSlow: () => Error): Sql {
  let left = most;
  return {
    query: async (...statement) => {
      if (left <= 0) throw tooSlow();
      const sent = performance.now();
      try {
        return await database.of(hostId, left).query(...statement);
      } catch (error) {
        throw sqlState(error) === ENDED ? tooSlow() : error;
      } finally {
        left -= performance.now() - sent;
      }
    },
  };
}
