import { Injectable } from '@nestjs/common';
import { FollowerRunner } from '../eventsourcing/follower-runner.js';
import type { Sql } from '../eventsourcing/sql.js';
import { ImportRehearsal } from '../importers/import.port.js';
import type { Caller } from '../platform/auth/caller.js';
import { AgentSearch } from './agent-search.service.js';
import { candidateColumns, type CandidateRow } from './candidate-rows.js';
import type { EvaluatedCatalog } from './evaluated-catalog.js';
import type { EvaluationBody } from './evaluation.schemas.js';
import type { ToolSource } from './search-document.rows.js';
import { searchDocuments } from './search-documents.follower.js';
import { toolSources } from './search-documents.statement.js';
import { toolsAsked } from './tools-asked.filter.js';
import { mostTools, toolsInMemory, tooManyTools } from './tools-in-memory.js';

/** What an import would leave to be searched. */
type Rehearsed = Omit<EvaluatedCatalog, 'position'>;

/** Search in the catalog as it would be after an import that is not made. */
@Injectable()
export class RehearsedSearch {
  constructor(
    private readonly imports: ImportRehearsal,
    private readonly agents: AgentSearch,
    private readonly followers: FollowerRunner,
  ) {}

  /**
   * @param imported body of an import
   *
   * Throws what the import throws, what the agent's search throws, and RuleBroken `too_many_tools`.
   */
  async after(caller: Caller, imported: object, body: EvaluationBody): Promise<Rehearsed> {
    const { agentDefId, serviceId, envTag } = body;
    return this.imports.rehearse(caller, imported, async (sql) => {
      await this.followers.followWithin(sql, searchDocuments, caller.hostId);
      if (agentDefId === undefined) return this.ofHost(sql, caller, body);
      const { toolIds, search } = await this.agents.within(sql, caller, agentDefId, { serviceId, envTag });
      return { search, tools: await this.toolsOf(sql, toolIds, caller, body) };
    });
  }

  private async ofHost(sql: Sql, caller: Caller, body: EvaluationBody): Promise<Rehearsed> {
    const where = toolsAsked(caller, body);
    const rows = await sql.query<CandidateRow>(
      `SELECT ${candidateColumns} FROM search_document_t d ${where.sql()} LIMIT ${String(mostTools + 1)}`,
      where.values,
    );
    if (rows.length > mostTools) throw tooManyTools();
    const ids = rows.map(({ entity_id: id }) => id);
    return { search: toolsInMemory(rows), tools: await this.toolsOf(sql, ids, caller, body) };
  }

  /** Read while they are there, where they will be asked for. */
  private async toolsOf(
    sql: Sql,
    ids: readonly string[],
    { hostId }: Caller,
    { self }: EvaluationBody,
  ): Promise<Rehearsed['tools']> {
    const tools = self ? await sql.query<ToolSource>(toolSources, [hostId, ids]) : [];
    return () => tools;
  }
}
