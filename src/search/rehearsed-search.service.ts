import { Injectable } from '@nestjs/common';
import { rank } from '../../packages/ranking/rank.js';
import { statisticsOf } from '../../packages/ranking/statistics.js';
import { RuleBroken } from '../eventsourcing/errors.js';
import { FollowerRunner } from '../eventsourcing/follower-runner.js';
import type { Sql } from '../eventsourcing/sql.js';
import { ImportRehearsal } from '../importers/import-rehearsal.port.js';
import type { Caller } from '../platform/auth/caller.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import { AgentSearch } from './agent-search.service.js';
import { candidateColumns, findable, type CandidateRow } from './candidate-rows.js';
import { neighbourhoodOf } from './catalog-documents.js';
import type { Expectation } from './evaluation-metrics.js';
import type { EvaluationBody } from './evaluation.schemas.js';
import { foundItem } from './found.js';
import { ownPrompts } from './own-prompts.queries.js';
import { askedDocuments, visibleDocuments } from './search-documents.filter.js';
import { searchDocuments } from './search-documents.follower.js';
import type { SearchAnswer, SearchBody } from './search.schemas.js';

/** Tools of a host that are taken into memory to be searched. */
const mostTools = 20_000;

/** What an import would leave to be searched. */
export interface Rehearsed {
  /** By words alone: nothing of it has a vector. */
  readonly search: (question: SearchBody) => Promise<SearchAnswer>;
  /** What its tools say that they should be found by. */
  readonly own: readonly Expectation[];
}

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
    const { agentDefId } = body;
    return this.imports.rehearse(caller, imported, async (sql) => {
      await this.followers.followWithin(sql, searchDocuments, caller.hostId);
      if (agentDefId === undefined) return this.ofHost(sql, caller, body);
      const { toolIds, search } = await this.agents.within(sql, caller, agentDefId, body);
      return { search, own: await ownPrompts(sql, visibilityOf(caller), toolIds) };
    });
  }

  private async ofHost(sql: Sql, caller: Caller, body: EvaluationBody): Promise<Rehearsed> {
    const visibility = visibilityOf(caller);
    const { serviceId, envTag } = body;
    const asked = { ...everyTool, ...(serviceId && { serviceId }), ...(envTag && { envTag }) };
    const where = askedDocuments(visibleDocuments(visibility), asked);
    const rows = await sql.query<CandidateRow>(
      `SELECT ${candidateColumns} FROM search_document_t d ${where.sql()} LIMIT ${String(mostTools + 1)}`,
      where.values,
    );
    if (rows.length > mostTools) throw tooMany();
    const tools = rows.map((row) => findable(row, undefined));
    const statistics = statisticsOf(tools.map(({ document }) => document));
    const search = ({ prompt, limit, explain }: SearchBody): Promise<SearchAnswer> => {
      const best = rank(prompt, tools, statistics).slice(0, limit);
      const items = best.map((ranked) => foundItem(ranked, neighbourhoodOf([]), explain));
      return Promise.resolve({ items, degraded: ['vectors'] });
    };
    return { search, own: await ownPrompts(sql, visibility, undefined) };
  }
}

const everyTool: SearchBody = { prompt: '', kinds: ['tool'], limit: 10, explain: false };

function tooMany(): RuleBroken {
  return new RuleBroken(
    'too_many_tools',
    `After the import there are more than ${String(mostTools)} tools to ask. Name an agent (agentDefId), a serviceId or an envTag.`,
  );
}
