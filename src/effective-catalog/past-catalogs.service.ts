import { Inject, Injectable } from '@nestjs/common';
import { Invalid, NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { timedSql } from '../platform/database/timed-sql.js';
import { SlowReads } from '../platform/work/slow-reads.js';
import { assembleCatalog, type CatalogQuestion, type MadeCatalog } from './catalog-cache.service.js';
import { readPastCatalog } from './effective-catalog.queries.js';
import { catalogStatement } from './effective-catalog.statement.js';
import { pastStatement, positionOf, type Moment } from './past-rows.lookup.js';

/** Milliseconds that the database may take over one. */
const mostTime = 10_000;

/** Catalogs as they were. Nothing is kept: who asks for the past is a person, and seldom. */
@Injectable()
export class PastCatalogs {
  private statement: Promise<string> | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly slowReads: SlowReads,
  ) {}

  /**
   * What the agent would have been given then, judged by the token of today. Throws NotFound where there was no such
   * agent, Invalid where the log has not come so far or where it takes too long, Problem 429 where too many are read at once.
   */
  read(question: CatalogQuestion, asOf: Moment): Promise<MadeCatalog> {
    const asker = { hostId: question.hostId, fingerprint: `agent ${question.agentDefId}` };
    return this.slowReads.run(asker, () => this.readInTurn(question, asOf));
  }

  private async readInTurn(question: CatalogQuestion, asOf: Moment): Promise<MadeCatalog> {
    const sql = timedSql(this.database, question.hostId, mostTime, tooSlow);
    const at = await positionOf(sql, question.hostId, asOf);
    this.statement ??= pastStatement(sql, catalogStatement, '$6').catch((error: unknown) => {
      this.statement = undefined;
      throw error;
    });
    const { version, rows } = await readPastCatalog(sql, await this.statement, question, at);
    if (version === null || rows === undefined) throw new NotFound('agent', question.agentDefId);
    return assembleCatalog(question, rows, version);
  }
}

function tooSlow(): Invalid {
  return new Invalid(
    'past_too_slow',
    'The catalog of that time could not be read soon enough. Try a moment nearer to now.',
  );
}
