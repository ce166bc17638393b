import { Injectable } from '@nestjs/common';
import type { Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import { AgentSearch } from './agent-search.service.js';
import { HostSearch } from './host-search.service.js';
import type { SearchAnswer, SearchBody } from './search.schemas.js';

/** The search for whoever asks: over HTTP, or by a command. */
@Injectable()
export class CatalogSearch {
  constructor(
    private readonly agents: AgentSearch,
    private readonly hosts: HostSearch,
  ) {}

  /**
   * Only an agent's effective catalog where the question or the token names one, else what the token may read of the
   * host. Throws Problem 403 where it may read nothing of it.
   */
  search(caller: Caller, question: SearchBody): Promise<SearchAnswer> {
    const agentDefId = question.agentDefId ?? caller.agentDefId;
    if (agentDefId !== undefined) return this.agents.search(caller, agentDefId, question);
    requireScope(caller, 'catalog:read');
    return this.hosts.search(caller, question);
  }
}
