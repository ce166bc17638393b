import { Injectable } from '@nestjs/common';
import { NotFound } from '../eventsourcing/errors.js';
import type { Caller } from '../platform/auth/caller.js';
import type { Confinement, Confines } from '../platform/auth/visibility.js';
import { CatalogCache } from './catalog-cache.service.js';

/** What a token with `agent_def_id` may read: what is in that agent's catalog, as this token is given it. */
@Injectable()
export class AgentConfinement implements Confinement {
  constructor(private readonly catalogs: CatalogCache) {}

  async confinesOf(caller: Caller): Promise<Confines> {
    const { hostId, agentDefId, services, environments, maxTier } = caller;
    if (agentDefId === undefined) throw new Error('Only a token with agent_def_id is confined to a catalog.');
    const registration = { hostId, agentDefId, services, environments };
    try {
      const plain = { withheld: false, examples: false };
      return (await this.catalogs.read({ ...registration, ...plain, tokenTier: maxTier })).confines;
    } catch (error) {
      if (error instanceof NotFound) return nothing;
      throw error;
    }
  }
}

/** The token's agent is not, or not where the token reaches: then nothing is. */
const nothing: Confines = {
  ...{ agentDefIds: [], skillIds: [], toolIds: [], endpointIds: [], apiVersionIds: [], apiIds: [] },
  ...{ workflowIds: [], links: new Map(), references: () => false },
};
