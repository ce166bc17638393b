import { Body, Controller, Get, Inject, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ImpactLookup } from '../endpoints/impact.lookup.js';
import { deactivationAnswer, impactAnswer, impactExample, type Impact } from '../endpoints/impact.schemas.js';
import type { Reply, Write, WriteContext } from '../eventsourcing/command.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Caller } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf, Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import type { AgentDefinitionState } from './agent.decider.js';
import { agentExample, agentReceipt, profileExample } from './agent.examples.js';
import { planActivation, planDeactivation, planProfile } from './agent.planner.js';
import {
  agentAnswer,
  agentListQuery,
  agentProfile,
  type AgentListQuery,
  type AgentProfileBody,
} from './agent.schemas.js';
import { GetAgent, ListAgents } from './agents.queries.js';

const switched = { ...agentReceipt, position: 31 };

@Controller('v1/hosts/:hostId/agents')
export class AgentsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
    private readonly impacts: ImpactLookup,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  @Get()
  @Operation({
    id: 'listAgentDefinitions',
    summary: 'List agents',
    description: 'Those whose service and environment the token covers, ordered by name.',
    scope: 'catalog:read',
    query: agentListQuery,
    answer: listAnswer(agentAnswer),
    example: { query: { envTag: 'prod' }, answer: { items: [agentExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: AgentListQuery) {
    return this.queryBus.execute(new ListAgents(visibility, query));
  }

  @Get(':agentDefId')
  @Operation({
    id: 'getAgentDefinition',
    summary: 'Get an agent',
    scope: 'catalog:read',
    answer: agentAnswer,
    example: { answer: agentExample },
  })
  get(@VisibleTo() visibility: Visibility, @Param('agentDefId') agentDefId: string) {
    return this.queryBus.execute(new GetAgent(visibility, agentDefId));
  }

  @Put(':agentDefId')
  @Operation({
    id: 'putAgentDefinition',
    summary: 'Write the profile of an agent',
    description:
      'The id is that of an API version of type `agent` (`not_an_agent` otherwise). Writes the whole profile: 201 ' +
      'where it is the first; what is left out takes its default. Raising the tier also needs catalog:admin.',
    scope: 'catalog:write',
    creates: true,
    body: agentProfile,
    answer: receiptAnswer,
    example: { body: profileExample, answer: agentReceipt },
  })
  put(
    @Context() context: WriteContext,
    @CallerOf() caller: Caller,
    @Param('agentDefId') agentDefId: string,
    @Body() body: AgentProfileBody,
  ): Promise<Reply> {
    return this.write(
      context,
      (sql) => planProfile(sql, caller, agentDefId, body),
      (outcomes, position) => {
        const before = outcomes[0]?.before as AgentDefinitionState;
        return receipt(before.status === 'unknown' ? 201 : 200)(outcomes, position);
      },
    );
  }

  @Get(':agentDefId/impact')
  @Operation({
    id: 'getAgentDefinitionImpact',
    summary: 'What would change if an agent went inactive',
    description: 'The skills that it would no longer be given; empty where it is inactive already.',
    scope: 'catalog:read',
    answer: impactAnswer,
    example: { answer: { ...impactExample, tools: [], skills: [] } },
  })
  async impact(
    @VisibleTo() visibility: Visibility,
    @Param('agentDefId') agentDefId: string,
  ): Promise<Impact> {
    await this.queryBus.execute(new GetAgent(visibility, agentDefId));
    return this.impacts.of(this.database.of(visibility.hostId), visibility, {
      kind: 'agent',
      id: agentDefId,
    });
  }

  @Post(':agentDefId/deactivate')
  @Operation({
    id: 'deactivateAgentDefinition',
    summary: 'Switch an agent off',
    description:
      'Its catalog is empty until it is activated again; profile and assignments stay, and may be changed meanwhile. ' +
      'The answer says what it is no longer given.',
    scope: 'catalog:write',
    answer: deactivationAnswer,
    example: { answer: { ...switched, version: 2, impact: { ...impactExample, tools: [], skills: [] } } },
  })
  async deactivate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('agentDefId') agentDefId: string,
  ): Promise<Reply> {
    const impact = await this.impacts.of(this.database.of(visibility.hostId), visibility, {
      kind: 'agent',
      id: agentDefId,
    });
    const plan: Write['plan'] = (sql) => planDeactivation(sql, visibility, agentDefId);
    return this.write(
      context,
      plan,
      receipt(200, () => ({ impact })),
    );
  }

  @Post(':agentDefId/activate')
  @Operation({
    id: 'activateAgentDefinition',
    summary: 'Switch an agent on again',
    description: 'It is given its skills again where its API version and its API are active.',
    scope: 'catalog:write',
    answer: receiptAnswer,
    example: { answer: { ...switched, version: 3 } },
  })
  activate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('agentDefId') agentDefId: string,
  ): Promise<Reply> {
    return this.write(context, (sql) => planActivation(sql, visibility, agentDefId), receipt(200));
  }

  private write(context: WriteContext, plan: Write['plan'], reply: Write['reply']): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand({ context, mode: 'locked', plan, reply }));
  }
}
