import { Logger } from '@nestjs/common';
import type { Database } from './sql.js';

/** Events between two checks of the tables. */
const EVERY = 200;

/**
 * Own tables that are half as long again as when they were last analyzed, the smallest some pages more, or that have pages and no
 * rows, as where the transaction that filled them had yet to commit; and the columns by which their rows are found in order: to
 * analyze documents and lists as well takes four times as long, and no plan hangs on them.
 */
const grownTables = `
SELECT format('%I.%I', n.nspname, c.relname) AS name, string_agg(DISTINCT format('%I', a.attname), ', ') AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_index i ON i.indrelid = c.oid
  JOIN pg_class ic ON ic.oid = i.indexrelid JOIN pg_am am ON am.oid = ic.relam AND am.amname = 'btree'
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey::int2[])
 WHERE c.relkind = 'r' AND n.nspname IN ('catalog', 'public') AND pg_has_role(c.relowner, 'USAGE')
   AND (pg_relation_size(c.oid) / current_setting('block_size')::integer > greatest(c.relpages, 0) * 1.5 + 4
        OR (c.reltuples = 0 AND c.relpages > 4))
 GROUP BY 1`;

/**
 * Analyzes tables that have grown, for the planner. The embedded database has no autovacuum, and that of a server comes up to a
 * minute late: until then the planner takes an import's tables for empty, and a search in them may take minutes. A table is
 * analyzed each time it has grown by a share, so seldom as it becomes large; outside of any transaction, and not where somebody
 * else is at it.
 */
export class TableStatistics {
  private readonly log = new Logger('Statistics');
  private events = 0;
  private running = false;

  constructor(private readonly database: Pick<Database, 'asOwner'>) {}

  /**
   * Counts events that were projected; after many, analyzes the tables that have grown. What is counted meanwhile is looked at
   * before it ends: nobody else may count again for long. Never throws.
   */
  async counted(events: number): Promise<void> {
    this.events += events;
    if (this.running) return;
    this.running = true;
    try {
      while (this.events >= EVERY) {
        this.events = 0;
        await this.analyzeGrown();
      }
    } catch (error) {
      this.log.warn(`Tables that have grown could not be analyzed: ${String(error)}`);
    } finally {
      this.running = false;
    }
  }

  private async analyzeGrown(): Promise<void> {
    const sql = this.database.asOwner;
    const grown = await sql.query<{ name: string; columns: string }>(grownTables, [], 'grown_tables');
    for (const { name, columns } of grown) await sql.query(`ANALYZE (SKIP_LOCKED) ${name} (${columns})`);
  }
}
