/** Why an agent is given a tool, or not: every rule with what it compared, for administrators. */
import { Inject, Injectable, Controller, Get, Param, Query } from '@nestjs/common';
import { NotFound } from '../../kernel/errors.js';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { rules } from './disclosure.rules.js';
import { contextNames, registrationOf } from '../effective-catalog.queries.js';
import { type ExplanationQuery, explanationAnswer, explanationQuery } from '../effective-catalog.schemas.js';
import { contextOf, judge, type RequestLimits } from './judgement.js';
import { offersOf } from './offers.js';
import { readRows } from '../rows.queries.js';
import type { CatalogRows } from '../rows.js';
import { Operation } from '../../platform/http/operation.js';
import { CallerOf } from '../../platform/http/parameters.js';
import { catalogExample } from '../effective-catalog.example.js';

export interface DisclosureExplanation {
  readonly agentDefId: string;
  readonly catalogVersion: number;
  /** As it was asked for. */
  readonly tool: string;
  /** Whether one of the skills gives the tool to the agent. */
  readonly disclosed: boolean;
  readonly offers: readonly ExplainedOffer[];
}

/** Explains disclosure. Its routes admit only administrators with tokens that are not narrowed. */
@Injectable()
export class DisclosureExplanations {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Throws NotFound for an agent that is not registered so, and for a tool that none of its skills offers. Without service
   * or environment the agent is registered for any that the token covers.
   */
  async explain(
    caller: Caller,
    agentDefId: string,
    { tool, context, ...options }: ExplanationQuery,
  ): Promise<DisclosureExplanation> {
    const registration = registrationOf(caller, agentDefId, options);
    const { version, rows } = await readRows(this.database.of(caller.hostId), registration);
    if (version === null || rows === undefined) throw new NotFound('agent', agentDefId);
    const names = context === undefined ? undefined : contextNames(context);
    const offers = explain(rows, { tokenTier: caller.maxTier, context: names }, tool);
    if (offers.length === 0) throw new NotFound('tool that a skill of the agent offers,', tool);
    const disclosed = offers.some((offer) => offer.disclosed);
    return { agentDefId, catalogVersion: version, tool, disclosed, offers };
  }
}

type ExplainedOffer = ReturnType<typeof explain>[number];

/**
 * One entry for each assigned skill that is linked to the tool, in the order of the catalog; none where no skill
 * offers it.
 *
 * @param tool id, or name
 */
function explain(rows: CatalogRows, limits: RequestLimits, tool: string) {
  const context = contextOf(rows, limits);
  const offers = judge(offersOf(rows), context)
    .skills.flatMap((skill) => skill.offers)
    .filter((offer) => offer.tool.tool_id === tool || offer.tool.name === tool);
  return offers.map((offer) => ({
    skillId: offer.skill.skill_id,
    skillName: offer.skill.name,
    toolId: offer.tool.tool_id,
    toolName: offer.tool.name,
    disclosed: offer.objection === undefined,
    reason: offer.objection?.reason,
    rules: rules.map(({ reason, compared, objection }) => {
      const detail = objection(offer, context);
      const outcome = detail === undefined ? ('passed' as const) : ('withheld' as const);
      return { reason, outcome, compared: compared(offer, context), detail };
    }),
  }));
}

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
