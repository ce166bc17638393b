import { setImmediate as immediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { momentOf, pastStatement, positionOf } from '../../effective-catalog/public.js';
import { Invalid, RuleBroken } from '../../kernel/errors.js';
import { FollowerRunner } from '../../kernel/follower-runner.js';
import { Heads } from '../../kernel/heads.js';
import { Pace } from '../../kernel/pace.js';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import { ImportDryRun } from '../../importers/public.js';
import type { Caller } from '../../platform/auth/caller.js';
import { requireScope } from '../../platform/auth/claims.js';
import { visibilityOf } from '../../platform/auth/visibility.js';
import type { Conditions } from '../../platform/database/conditions.js';
import { SlowReads } from '../../platform/work/slow-reads.js';
import { AgentSearch } from '../catalog-search.lookup.js';
import type { EvaluationBody } from './evaluation.schemas.js';
import { HostSearch } from '../host-search/host-search.service.js';
import { toolDocument, type ToolSource } from '../documents/search-document.js';
import { askedDocuments, visibleDocuments } from '../documents/search-documents.filter.js';
import { patience, searchDocuments } from '../documents/search-documents.follower.js';
import { toolSources } from '../documents/search-documents.statement.js';
import type { SearchAnswer, SearchBody } from '../search.schemas.js';
import { type Finds, rankedColumns, type RankedRow, rankedRow } from './paged-ranking.js';
import { RankingPool } from './paged-ranking.pool.js';
import { pagesOf, type Ranking } from './ranking-portions.js';

/** Tools of a host that are searched in memory. */
const MAX_TOOLS = 20_000;

/** The catalog that an evaluation searches. */
export interface EvaluatedCatalog {
  /** Position of the log that it is made of. */
  readonly position: number;
  /** The names of the best tools of each prompt. */
  readonly ask: (prompts: readonly string[]) => Promise<Finds>;
  /** Tools that may be found, for their own prompts. */
  readonly tools: () => readonly ToolSource[] | Promise<readonly ToolSource[]>;
}

/**
 * Finds the catalog that an evaluation searches: of one agent or the host; of now, of a past moment, or as an import would leave it.
 */
@Injectable()
export class EvaluatedCatalogs {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly heads: Heads,
    private readonly followers: FollowerRunner,
    private readonly slowReads: SlowReads,
    private readonly rankings: RankingPool,
    private readonly imports: ImportDryRun,
    private readonly agents: AgentSearch,
    private readonly hosts: HostSearch,
  ) {}

  /**
   * Gives what `work` makes of the catalog. That of a whole host in the past, or after an import, is ranked apart, and not even made
   * before it is the host's turn.
   *
   * Throws what the search in question or the import throws, Invalid where both a moment and an import are named or the log
   * has not come so far, RuleBroken `too_many_tools`; and what {@link RankingPool.run} throws.
   */
  async asked<Result>(
    caller: Caller,
    body: EvaluationBody,
    work: (catalog: EvaluatedCatalog) => Promise<Result>,
  ): Promise<Result> {
    const { agentDefId, asOf, import: imported } = body;
    if (imported !== undefined) {
      requireScope(caller, 'catalog:write');
      if (asOf !== undefined) throw eitherPastOrFuture();
    }
    if (agentDefId !== undefined) return work(await this.ofAgent(caller, agentDefId, body));
    if (asOf !== undefined) {
      requireScope(caller, 'catalog:admin');
      const then = (ranking: Ranking) => this.ofHostThen(caller, { ...body, asOf }, ranking);
      return this.rankings.run(caller.hostId, async (ranking) =>
        work(await this.slowReads.run(caller, () => then(ranking))),
      );
    }
    if (imported === undefined) return work(await this.ofHost(caller, body));
    return this.rankings.run(caller.hostId, async (ranking) => {
      const within = (sql: Sql) => this.hostWithin(sql, caller, body, ranking);
      return work(await this.afterImport(caller, { ...body, import: imported }, within));
    });
  }

  private async ofHost(caller: Caller, body: EvaluationBody): Promise<EvaluatedCatalog> {
    const { serviceId, envTag } = body;
    return {
      position: await this.heads.position(caller.hostId),
      ask: oneByOne({ serviceId, envTag }, (question) => this.hosts.search(caller, question)),
      tools: async () => {
        await this.followers.reach(searchDocuments, caller.hostId, { patience });
        const where = toolsAsked(caller, body);
        const rows = await this.database
          .of(caller.hostId)
          .query<{ id: string }>(
            `SELECT d.entity_id AS id FROM search_document_t d ${where.sql()}`,
            where.values,
          );
        return this.toolsOf(
          caller.hostId,
          rows.map(({ id }) => id),
        );
      },
    };
  }

  private async ofHostThen(
    caller: Caller,
    body: EvaluationBody & { readonly asOf: string | number },
    ranking: Ranking,
  ): Promise<EvaluatedCatalog> {
    const { hostId } = caller;
    const sql = this.database.of(hostId);
    const position = await positionOf(sql, hostId, momentOf(String(body.asOf)));
    const where = toolsAsked(caller, body);
    const visible = `SELECT d.tool_id FROM (SELECT t.*, 'tool' AS kind FROM tool_read t) d ${where.sql()}
       AND d.active LIMIT ${String(MAX_TOOLS + 1)}`;
    const statement = await pastStatement(sql, visible, `$${String(where.values.length + 1)}`);
    const rows = await sql.query<{ tool_id: string }>(statement, [...where.values, position]);
    refuseTooMany(rows);
    const ids = rows.map(({ tool_id: id }) => id);
    const tools = await this.toolsThen(hostId, ids, position);
    const documents: RankedRow[] = [];
    const pace = new Pace();
    for (const tool of tools) {
      documents.push(rankedRow(toolDocument(hostId, tool)));
      await pace.step();
    }
    return { position, ask: inMemory(ranking, documents), tools: () => tools };
  }

  private async ofAgent(caller: Caller, agentDefId: string, body: EvaluationBody): Promise<EvaluatedCatalog> {
    const { serviceId, envTag, asOf, import: imported } = body;
    const options = { serviceId, envTag };
    if (imported !== undefined)
      return this.afterImport(caller, { ...body, import: imported }, (sql) =>
        this.agentWithin(sql, caller, agentDefId, options),
      );
    if (asOf !== undefined) return this.ofAgentThen(caller, agentDefId, { ...options, asOf: String(asOf) });
    return {
      position: await this.heads.position(caller.hostId),
      ask: oneByOne(options, (question) => this.agents.search(caller, agentDefId, question)),
      // The catalog is the agent's, whichever services its tools are provided by.
      tools: async () => this.toolsOf(caller.hostId, await this.agents.toolIds(caller, agentDefId, options)),
    };
  }

  private async ofAgentThen(
    caller: Caller,
    agentDefId: string,
    { serviceId, envTag, asOf }: Within & { readonly asOf: string },
  ): Promise<EvaluatedCatalog> {
    const { version, toolIds, search } = await this.agents.searchable(caller, agentDefId, {
      serviceId,
      envTag,
      asOf,
    });
    return {
      position: version,
      ask: oneByOne({ serviceId, envTag }, search),
      tools: () => this.toolsThen(caller.hostId, toolIds, version),
    };
  }

  /** Makes the import in a transaction that is rolled back. */
  private async afterImport(
    caller: Caller,
    { import: imported, self }: EvaluationBody & { readonly import: object },
    within: (sql: Sql) => Promise<Pick<EvaluatedCatalog, 'ask'> & { readonly toolIds: readonly string[] }>,
  ): Promise<EvaluatedCatalog> {
    const { hostId } = caller;
    const position = await this.heads.position(hostId);
    return this.imports.dryRun(caller, imported, async (sql) => {
      await this.followers.followWithin(sql, searchDocuments, hostId);
      const { toolIds, ask } = await within(sql);
      // Read before the transaction is rolled back.
      const tools = self ? await sql.query<ToolSource>(toolSources, [hostId, toolIds]) : [];
      return { position, ask, tools: () => tools };
    });
  }

  private async hostWithin(sql: Sql, caller: Caller, body: EvaluationBody, ranking: Ranking) {
    const where = toolsAsked(caller, body);
    const rows = await sql.query<RankedRow>(
      `SELECT ${rankedColumns} FROM search_document_t d ${where.sql()} LIMIT ${String(MAX_TOOLS + 1)}`,
      where.values,
    );
    refuseTooMany(rows);
    return { toolIds: rows.map(({ id }) => id), ask: inMemory(ranking, rows) };
  }

  private async agentWithin(sql: Sql, caller: Caller, agentDefId: string, options: Within) {
    const { toolIds, search } = await this.agents.searchable(caller, agentDefId, options, sql);
    return { toolIds, ask: oneByOne(options, search) };
  }

  private toolsOf(hostId: string, ids: readonly string[]): Promise<ToolSource[]> {
    return this.database.of(hostId).query(toolSources, [hostId, ids]);
  }

  /** Reads tools as they were at a position. */
  private async toolsThen(hostId: string, ids: readonly string[], position: number): Promise<ToolSource[]> {
    const sql = this.database.of(hostId);
    return sql.query(await pastStatement(sql, toolSources, '$3'), [hostId, ids, position]);
  }
}

/** The tools that a run over a host may find: conditions on `search_document_t d`, or on what has its columns. */
function toolsAsked(caller: Caller, { serviceId, envTag }: EvaluationBody): Conditions {
  return askedDocuments(visibleDocuments(visibilityOf(caller)), {
    ...{ prompt: '', kinds: ['tool'], limit: 10, explain: false },
    ...(serviceId !== undefined && { serviceId }),
    ...(envTag !== undefined && { envTag }),
  });
}

interface Within {
  readonly serviceId: string | undefined;
  readonly envTag: string | undefined;
}

/** Ranks by words alone: nothing in memory has a vector. */
function inMemory(ranking: Ranking, rows: readonly RankedRow[]): EvaluatedCatalog['ask'] {
  const pages = pagesOf(MAX_TOOLS + 1, () => Promise.resolve(rows));
  return async (prompts) => {
    await ranking.count(pages, [undefined]);
    const [finds = { found: [], times: [] }] = await ranking.ranked(pages, prompts);
    return finds;
  };
}

/** Asks a search one prompt after the other. */
function oneByOne(
  { serviceId, envTag }: Within,
  search: (question: SearchBody) => Promise<SearchAnswer>,
): EvaluatedCatalog['ask'] {
  return async (prompts) => {
    const [found, times]: [string[][], number[]] = [[], []];
    for (const prompt of prompts) {
      // A search in memory never awaits anything: this lets other requests run in between.
      await immediate();
      const started = performance.now();
      const { items } = await search({
        ...{ prompt, kinds: ['tool'], limit: 10, explain: false },
        ...(serviceId !== undefined && { serviceId }),
        ...(envTag !== undefined && { envTag }),
      });
      times.push(performance.now() - started);
      found.push(items.map(({ name }) => name));
    }
    return { found, times };
  };
}

function refuseTooMany(tools: readonly object[]): void {
  if (tools.length <= MAX_TOOLS) return;
  throw new RuleBroken(
    'too_many_tools',
    `There are more than ${String(MAX_TOOLS)} tools to ask. Name an agent (agentDefId), a serviceId or an envTag.`,
  );
}

function eitherPastOrFuture(): Invalid {
  return new Invalid('invalid_body', 'A catalog of the past takes no import.', [
    { pointer: '/import', detail: 'can’t be combined with asOf' },
  ]);
}
