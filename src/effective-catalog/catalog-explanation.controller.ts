import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Sql } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import { explain } from './catalog.explanation.js';
import { contextNames } from './context-names.js';
import { readCatalog } from './effective-catalog.queries.js';
import {
  explanationAnswer,
  explanationExample,
  explanationQuery,
  type ExplanationQuery,
} from './explanation.schemas.js';

/** Why an agent is given a tool, or not, for those who administer the host (contract 7). */
@Controller('v1/hosts/:hostId/agents/:agentDefId/effective-catalog')
export class CatalogExplanationController {
  constructor(@Inject(DATABASE) private readonly sql: Sql) {}

  @Get('explain')
  @Operation({
    id: 'explainEffectiveAgentCatalog',
    summary: 'Why an agent is given a tool, or not',
    description:
      'For one tool, by id or name: every assigned skill that offers it, and for each every rule in its order, with ' +
      'what it compared and the outcome. The first rule that withholds the tool gives the reason.',
    scope: 'catalog:admin',
    confined: 'refused',
    query: explanationQuery,
    answer: explanationAnswer,
    example: explanationExample,
    tag: 'agents',
  })
  async explain(
    @CallerOf() { hostId, maxTier }: Caller,
    @Param('agentDefId') agentDefId: string,
    @Query() { serviceId, envTag, tool, context }: ExplanationQuery,
  ): Promise<object> {
    const registration = { services: [serviceId.trim()], environments: [envTag.trim()] };
    const { version, rows } = await readCatalog(this.sql, { hostId, agentDefId, ...registration });
    if (rows === undefined) throw new NotFound('agent', agentDefId);
    const names = context === undefined ? undefined : new Set(contextNames(context));
    const offers = explain(rows, { tokenTier: maxTier, context: names }, tool);
    if (offers.length === 0) throw new NotFound('tool that a skill of the agent offers,', tool);
    const disclosed = offers.some((offer) => offer.disclosed);
    return { agentDefId, catalogVersion: version, tool, disclosed, offers };
  }
}
