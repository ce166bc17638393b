import { Controller, Get, Param, Query } from '@nestjs/common';
import type { Caller } from '../../platform/auth/caller.js';
import { Operation } from '../../platform/http/operation.js';
import { CallerOf } from '../../platform/http/parameters.js';
import { catalogExample } from '../effective-catalog.example.js';
import { explanationAnswer, explanationQuery, type ExplanationQuery } from '../effective-catalog.schemas.js';
import { DisclosureExplanations, type DisclosureExplanation } from './explanation.lookup.js';

const [skill] = catalogExample.skills;
const [tool] = skill.tools;

const explanationExample = {
  query: { serviceId: catalogExample.serviceId, envTag: catalogExample.envTag, tool: tool.name },
  answer: {
    agentDefId: catalogExample.agentDefId,
    catalogVersion: catalogExample.catalogVersion,
    tool: tool.name,
    disclosed: false,
    offers: [
      {
        skillId: skill.skillId,
        skillName: skill.name,
        toolId: tool.toolId,
        toolName: tool.name,
        disclosed: false,
        reason: 'tool_inactive',
        rules: [
          { reason: 'skill_inactive', outcome: 'passed', compared: { skill: skill.name, active: true } },
          {
            reason: 'tool_inactive',
            outcome: 'withheld',
            compared: { active: false },
            detail: `The tool ${tool.name} is inactive.`,
          },
        ],
      },
    ],
  },
};

/** Why an agent is given a tool, or not, for those who administer the host (docs/contract.md, section 7). */
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
