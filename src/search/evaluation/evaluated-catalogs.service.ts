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
import { pagesOf, rankingApart } from './paged-ranking.pool.js';

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
    private readonly imports: ImportDryRun,
    private readonly agents: AgentSearch,
    private readonly hosts: HostSearch,
  ) {}

  /**
   * Throws what the search in question or the import throws, Invalid where both a moment and an import are named or the log
   * has not come so far, RuleBroken `too_many_tools`; and when it is asked, of a host that is ranked in memory, Problem 429 `reads_busy`
   * while it has another long evaluation under way, Invalid `evaluation_too_expensive`.
   */
  async of(caller: Caller, body: EvaluationBody): Promise<EvaluatedCatalog> {
    const { agentDefId, import: imported } = body;
    const asOf = body.asOf === undefined ? undefined : String(body.asOf);
    const position = await this.heads.position(caller.hostId);
    if (imported !== undefined) {
      requireScope(caller, 'catalog:write');
      if (asOf !== undefined) throw eitherPastOrFuture();
      return { position, ...(await this.afterImport(caller, imported, body)) };
    }
    if (agentDefId === undefined) {
      if (asOf === undefined) return this.ofHost(caller, body, position);
      requireScope(caller, 'catalog:admin');
      return this.slowReads.run(caller, () => this.ofHostThen(caller, body, asOf));
    }
    return asOf === undefined
      ? this.ofAgent(caller, agentDefId, { ...body, position })
      : this.ofAgentThen(caller, agentDefId, { ...body, asOf });
  }

  private ofHost(caller: Caller, body: EvaluationBody, position: number): EvaluatedCatalog {
    const { serviceId, envTag } = body;
    return {
      position,
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

  private async ofHostThen(caller: Caller, body: EvaluationBody, asOf: string): Promise<EvaluatedCatalog> {
    const { hostId } = caller;
    const sql = this.database.of(hostId);
    const position = await positionOf(sql, hostId, momentOf(asOf));
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
    return { position, ask: this.inMemory(caller, documents), tools: () => tools };
  }

  private ofAgent(
    caller: Caller,
    agentDefId: string,
    { serviceId, envTag, position }: EvaluationBody & { readonly position: number },
  ): EvaluatedCatalog {
    const options = { serviceId, envTag };
    return {
      position,
      ask: oneByOne(options, (question) => this.agents.search(caller, agentDefId, question)),
      // The catalog is the agent's, whichever services its tools are provided by.
      tools: async () => this.toolsOf(caller.hostId, await this.agents.toolIds(caller, agentDefId, options)),
    };
  }

  private async ofAgentThen(
    caller: Caller,
    agentDefId: string,
    { serviceId, envTag, asOf }: EvaluationBody & { readonly asOf: string },
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
  private afterImport(
    caller: Caller,
    imported: object,
    body: EvaluationBody,
  ): Promise<Omit<EvaluatedCatalog, 'position'>> {
    const { agentDefId, serviceId, envTag, self } = body;
    return this.imports.dryRun(caller, imported, async (sql) => {
      await this.followers.followWithin(sql, searchDocuments, caller.hostId);
      const { toolIds, ask } =
        agentDefId === undefined
          ? await this.hostWithin(sql, caller, body)
          : await this.agentWithin(sql, caller, agentDefId, { serviceId, envTag });
      // Read before the transaction is rolled back.
      const tools = self ? await sql.query<ToolSource>(toolSources, [caller.hostId, toolIds]) : [];
      return { ask, tools: () => tools };
    });
  }

  private async hostWithin(sql: Sql, caller: Caller, body: EvaluationBody) {
    const where = toolsAsked(caller, body);
    const rows = await sql.query<RankedRow>(
      `SELECT ${rankedColumns} FROM search_document_t d ${where.sql()} LIMIT ${String(MAX_TOOLS + 1)}`,
      where.values,
    );
    refuseTooMany(rows);
    return { toolIds: rows.map(({ id }) => id), ask: this.inMemory(caller, rows) };
  }

  private async agentWithin(sql: Sql, caller: Caller, agentDefId: string, options: Within) {
    const { toolIds, search } = await this.agents.searchable(caller, agentDefId, options, sql);
    return { toolIds, ask: oneByOne(options, search) };
  }

  /** Ranks by words alone: nothing in memory has a vector. */
  private inMemory(caller: Caller, rows: readonly RankedRow[]): EvaluatedCatalog['ask'] {
    const pages = pagesOf(MAX_TOOLS + 1, () => Promise.resolve(rows));
    return (prompts) =>
      this.slowReads.runLong(caller, () =>
        rankingApart(async (ranking) => {
          await ranking.count(pages, [undefined]);
          const [finds = { found: [], times: [] }] = await ranking.ranked(pages, prompts);
          return finds;
        }),
      );
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
