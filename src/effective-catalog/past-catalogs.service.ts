import { Inject, Injectable } from '@nestjs/common';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { assembleCatalog, type CatalogQuestion, type MadeCatalog } from './catalog-cache.service.js';
import { readPastCatalog } from './effective-catalog.queries.js';
import { catalogStatement } from './effective-catalog.statement.js';
import { pastStatement, positionOf, type Moment } from './past-rows.lookup.js';

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
    this.statement ??= pastStatement(sql, catalogStatement, '$6').catch((error: unknown) => {
      this.statement = undefined;
      throw error;
    });
    const { version, rows } = await readPastCatalog(sql, await this.statement, question, at);
    if (version === null || rows === undefined) throw new NotFound('agent', question.agentDefId);
    return assembleCatalog(question, rows, version);
  }
}
