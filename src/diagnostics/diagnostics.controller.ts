import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { DATABASE, type Database } from '../kernel/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf, VisibleTo } from '../platform/http/parameters.js';
import { listAnswer } from '../platform/http/schemas.js';
import { type AgentReport, LiveDiagnostics } from './diagnostics.lookup.js';
import {
  agentReport,
  agentReportExample,
  ailingSkill,
  ailingSkillExample,
  diagnosticsQuery,
  type DiagnosticsQuery,
  gatewayReport,
  gatewayReportExample,
  gatewayRoundQuery,
  type GatewayRoundQuery,
} from './diagnostics.schemas.js';
import { Overview } from './overview.lookup.js';
import { overviewAnswer, type OverviewAnswer, overviewExample } from './overview.schemas.js';
import { diagnoseSkills } from './diagnostics.queries.js';

@Controller('v1/hosts/:hostId/diagnostics')
export class DiagnosticsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly live: LiveDiagnostics,
    private readonly overviews: Overview,
  ) {}

  @Get('overview')
  @Operation({
    id: 'getOverview',
    summary: 'Say what there is, and what of it waits or is broken',
    description:
      'The first few of each kind, as the first screen of the portal shows them. Kinds that the token does not reach are left out: ' +
      '`gateways`, `skills` and `webhooks` are for administrators, and a narrowed token (agent_def_id, maxSensitivityTier) is told the counts alone. No gateway is asked.',
    scope: 'catalog:read',
    answer: overviewAnswer,
    example: { answer: overviewExample },
  })
  overview(@CallerOf() caller: Caller, @VisibleTo() visibility: Visibility): Promise<OverviewAnswer> {
    return this.overviews.of(caller, visibility);
  }

  @Get('skills')
  @Operation({
    id: 'diagnoseSkills',
    summary: 'List skills with tools that can’t be called',
    description:
      'Active skills with tools that are inactive, exposed on no gateway, or were not executable when a gateway was last ' +
      'checked, or whose version has passed the day of its deprecation or is within 30 days of it, and the agents that this hits. No gateway is asked: see checkGateway.',
    scope: 'catalog:admin',
    confined: 'refused',
    query: diagnosticsQuery,
    answer: listAnswer(ailingSkill),
    example: { answer: { items: [ailingSkillExample] } },
  })
  skills(@VisibleTo() visibility: Visibility, @Query() query: DiagnosticsQuery) {
    return diagnoseSkills(this.database.of(visibility.hostId), visibility, query);
  }

  @Get('gateways')
  @Operation({
    id: 'diagnoseGateways',
    summary: 'Compare the live gateways of an environment with the catalog',
    description:
      'Every active gateway of the environment, asked now; one that can’t be asked says why. Changes nothing.',
    scope: 'catalog:admin',
    confined: 'refused',
    query: gatewayRoundQuery,
    answer: listAnswer(gatewayReport),
    example: { query: { envTag: 'dev' }, answer: { items: [gatewayReportExample] } },
  })
  gateways(@VisibleTo() visibility: Visibility, @Query() query: GatewayRoundQuery) {
    return this.live.environment(visibility, query);
  }

  @Get('agents/:agentDefId')
  @Operation({
    id: 'diagnoseAgent',
    summary: 'List the tools that an agent could not call now, and why',
    description:
      'The tools of its effective catalog beside what its gateways list now, and those that the catalog withholds from ' +
      'it. A tool that a gateway exposes which was not asked (the token does not cover it, or there are more than 50) has ' +
      'the problem `gateway_not_asked` unless another one lists it. Changes nothing.',
    scope: 'catalog:admin',
    confined: 'refused',
    answer: agentReport,
    example: { answer: agentReportExample },
  })
  agent(
    @CallerOf() caller: Caller,
    @VisibleTo() visibility: Visibility,
    @Param('agentDefId') agentDefId: string,
  ): Promise<AgentReport> {
    return this.live.agent(caller, visibility, agentDefId);
  }
}
