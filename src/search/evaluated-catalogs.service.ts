import { Inject, Injectable } from '@nestjs/common';
import { Invalid } from '../eventsourcing/errors.js';
import { FollowerRunner } from '../eventsourcing/follower-runner.js';
import { Heads } from '../eventsourcing/heads.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import { AgentSearch } from './agent-search.service.js';
import type { EvaluatedCatalog } from './evaluated-catalog.js';
import type { EvaluationBody } from './evaluation.schemas.js';
import { HostSearch } from './host-search.service.js';
import { PastSearch } from './past-search.service.js';
import { RehearsedSearch } from './rehearsed-search.service.js';
import type { ToolSource } from './search-document.rows.js';
import { patience, searchDocuments } from './search-documents.follower.js';
import { toolSources } from './search-documents.statement.js';
import { toolsAsked } from './tools-asked.filter.js';

/** The catalog that a run is about: of one agent or the host; of today, of a moment, or as an import would leave it. */
@Injectable()
export class EvaluatedCatalogs {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly heads: Heads,
    private readonly followers: FollowerRunner,
    private readonly agents: AgentSearch,
    private readonly hosts: HostSearch,
    private readonly past: PastSearch,
    private readonly rehearsed: RehearsedSearch,
  ) {}

  /** Throws what the search in question throws, Invalid where both a moment and an import are named. */
  async of(caller: Caller, body: EvaluationBody): Promise<EvaluatedCatalog> {
    const { agentDefId, import: imported } = body;
    const asOf = body.asOf === undefined ? undefined : String(body.asOf);
    const position = await this.heads.position(caller.hostId);
    if (imported !== undefined) {
      requireScope(caller, 'catalog:write');
      if (asOf !== undefined) throw eitherPastOrFuture();
      return { position, ...(await this.rehearsed.after(caller, imported, body)) };
    }
    if (agentDefId === undefined) {
      return asOf === undefined ? this.ofHost(caller, body, position) : this.past.at(caller, asOf, body);
    }
    return asOf === undefined
      ? this.ofAgent(caller, agentDefId, { ...body, position })
      : this.ofAgentThen(caller, agentDefId, { ...body, asOf });
  }

  private ofHost(caller: Caller, body: EvaluationBody, position: number): EvaluatedCatalog {
    return {
      position,
      search: (question) => this.hosts.search(caller, question),
      tools: async () => {
        await this.followers.reach(searchDocuments, caller.hostId, patience);
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

  private ofAgent(
    caller: Caller,
    agentDefId: string,
    { serviceId, envTag, position }: EvaluationBody & { readonly position: number },
  ): EvaluatedCatalog {
    const options = { serviceId, envTag };
    return {
      position,
      search: (question) => this.agents.search(caller, agentDefId, question),
      // The catalog is the agent's, whichever services its tools are provided by.
      tools: async () => this.toolsOf(caller.hostId, await this.agents.toolIds(caller, agentDefId, options)),
    };
  }

  private async ofAgentThen(
    caller: Caller,
    agentDefId: string,
    { serviceId, envTag, asOf }: EvaluationBody & { readonly asOf: string },
  ): Promise<EvaluatedCatalog> {
    const options = { serviceId, envTag, asOf };
    const { version, toolIds, search } = await this.agents.past(caller, agentDefId, options);
    const tools = () => this.past.tools(caller.hostId, toolIds, version);
    return { position: version, search, tools };
  }

  private toolsOf(hostId: string, ids: readonly string[]): Promise<ToolSource[]> {
    return this.database.of(hostId).query(toolSources, [hostId, ids]);
  }
}

function eitherPastOrFuture(): Invalid {
  return new Invalid('invalid_body', 'A catalog of the past takes no import.', [
    { pointer: '/import', detail: 'can’t stand beside asOf' },
  ]);
}
