import { Inject, Injectable } from '@nestjs/common';
import { Invalid, NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database, type Sql } from '../eventsourcing/sql.js';
import { assembleCatalog, type CatalogQuestion, type MadeCatalog } from './catalog-cache.service.js';
import { readPastCatalog } from './effective-catalog.queries.js';
import { pastCatalogStatement } from './past-catalog.statement.js';

/** A position of the host's log, or an RFC 3339 time. */
export type Moment = number | string;

/** A moment as requests name it: digits are a position. */
export function momentOf(asOf: string): Moment {
  return /^\d+$/.test(asOf) ? Number(asOf) : asOf;
}

/** Catalogs as they were. Nothing is kept: who asks for the past is a person, and seldom. */
@Injectable()
export class PastCatalogs {
  private statement: Promise<string> | undefined;

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * What the agent would have been given then, judged by the token of today. Throws NotFound where there was no such
   * agent, Invalid where the log has not come so far.
   */
  async read(question: CatalogQuestion, asOf: Moment): Promise<MadeCatalog> {
    const sql = this.database.of(question.hostId);
    const at = await positionOf(sql, question.hostId, asOf);
    this.statement ??= pastCatalogStatement(sql).catch((error: unknown) => {
      this.statement = undefined;
      throw error;
    });
    const { version, rows } = await readPastCatalog(sql, await this.statement, question, at);
    if (version === null || rows === undefined) throw new NotFound('agent', question.agentDefId);
    return assembleCatalog(question, rows, version);
  }
}

async function positionOf(sql: Sql, hostId: string, asOf: Moment): Promise<number> {
  if (typeof asOf === 'string') {
    const [row] = await sql.query<{ at: number }>('SELECT position_at($1, $2) AS at', [hostId, asOf]);
    return row?.at ?? 0;
  }
  const [head] = await sql.query<{ position: number }>(
    'SELECT position FROM host_head_t WHERE host_id = $1',
    [hostId],
  );
  const end = head?.position ?? 0;
  if (asOf <= end) return asOf;
  throw new Invalid('invalid_query', `The log of this host ends at position ${String(end)}.`, [
    { pointer: '/asOf', detail: `must be at most ${String(end)}` },
  ]);
}
