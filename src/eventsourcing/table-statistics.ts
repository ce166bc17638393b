import { Logger } from '@nestjs/common';
import type { Database } from './sql.js';

/** Events after which the tables are looked at again. */
const EVERY = 200;

/** Own tables that are a quarter longer than when they were last analyzed; the smallest may grow by some pages more. */
const grownTables = `
SELECT format('%I.%I', n.nspname, c.relname) AS name
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind = 'r' AND n.nspname IN ('catalog', 'public') AND pg_has_role(c.relowner, 'USAGE')
   AND pg_relation_size(c.oid) / current_setting('block_size')::integer > greatest(c.relpages, 0) * 1.25 + 4`;

/**
 * Gives the planner figures of tables that have grown. On the embedded database nobody else does, and a server's
 * autovacuum comes up to a minute late, where it is on: until then an import's tables pass for empty, and a search in
 * what it brought may take minutes. A table is analyzed each time it has grown by a share, so seldom as it becomes large;
 * outside of any transaction, and not where somebody else is at it.
 */
export class TableStatistics {
  private readonly log = new Logger('Statistics');
  private events = 0;
  private running = false;

  constructor(private readonly database: Pick<Database, 'asOwner'>) {}

  /** Is told how many events were taken in; looks at the tables where these have become many. Never throws. */
  async tookIn(events: number): Promise<void> {
    this.events += events;
    if (this.events < EVERY || this.running) return;
    this.events = 0;
    this.running = true;
    try {
      const grown = await this.database.asOwner.query<{ name: string }>(grownTables, [], 'grown_tables');
      for (const { name } of grown) await this.database.asOwner.query(`ANALYZE (SKIP_LOCKED) ${name}`);
    } catch (error) {
      this.log.warn(`Tables that have grown could not be analyzed: ${String(error)}`);
    } finally {
      this.running = false;
    }
  }
}
