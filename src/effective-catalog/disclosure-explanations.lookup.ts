import { Inject, Injectable } from '@nestjs/common';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { explain, type ExplainedOffer } from './catalog.explanation.js';
import { contextNames } from './context-names.js';
import { readCatalog } from './effective-catalog.queries.js';

/** Which tool, and which of the agent's registrations; without these any that the token covers. */
export interface ExplanationWish {
  /** Id or name of the tool. */
  readonly tool: string;
  readonly serviceId?: string | undefined;
  readonly envTag?: string | undefined;
  /** Names of the context at hand, comma-separated. */
  readonly context?: string | undefined;
}

export interface DisclosureExplanation {
  readonly agentDefId: string;
  readonly catalogVersion: number;
  /** As it was asked for. */
  readonly tool: string;
  /** Whether one of the skills gives the tool to the agent. */
  readonly disclosed: boolean;
  readonly offers: readonly ExplainedOffer[];
}

/** Why an agent is given a tool, or not: for administrators, and only for tokens that are not narrowed. */
@Injectable()
export class DisclosureExplanations {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Throws NotFound for an agent that is not registered so, and for a tool that none of its skills offers. */
  async explain(caller: Caller, agentDefId: string, wish: ExplanationWish): Promise<DisclosureExplanation> {
    const { hostId, services, environments, maxTier } = caller;
    const { tool, serviceId, envTag, context } = wish;
    const { version, rows } = await readCatalog(this.database.of(hostId), {
      ...{ hostId, agentDefId },
      services: serviceId === undefined ? services : [serviceId.trim()],
      environments: envTag === undefined ? environments : [envTag.trim()],
    });
    if (version === null || rows === undefined) throw new NotFound('agent', agentDefId);
    const names = context === undefined ? undefined : new Set(contextNames(context));
    const offers = explain(rows, { tokenTier: maxTier, context: names }, tool);
    if (offers.length === 0) throw new NotFound('tool that a skill of the agent offers,', tool);
    const disclosed = offers.some((offer) => offer.disclosed);
    return { agentDefId, catalogVersion: version, tool, disclosed, offers };
  }
}
