import { Controller, Get, Param, Query } from '@nestjs/common';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import { DisclosureExplanations, type DisclosureExplanation } from './disclosure-explanations.lookup.js';
import {
  explanationAnswer,
  explanationExample,
  explanationQuery,
  type ExplanationQuery,
} from './explanation.schemas.js';

/** Why an agent is given a tool, or not, for those who administer the host (contract 7). */
@Controller('v1/hosts/:hostId/agents/:agentDefId/effective-catalog')
export class CatalogExplanationController {
  constructor(private readonly explanations: DisclosureExplanations) {}

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
  explain(
    @CallerOf() caller: Caller,
    @Param('agentDefId') agentDefId: string,
    @Query() query: ExplanationQuery,
  ): Promise<DisclosureExplanation> {
    return this.explanations.explain(caller, agentDefId, query);
  }
}
