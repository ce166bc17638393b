import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Caller } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf, Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import type { AgentDefinitionState } from './agent.decider.js';
import { agentExample, agentReceipt, profileExample } from './agent.examples.js';
import { planProfile } from './agent.planner.js';
import {
  agentAnswer,
  agentListQuery,
  agentProfile,
  type AgentListQuery,
  type AgentProfileBody,
} from './agent.schemas.js';
import { GetAgent, ListAgents } from './agents.queries.js';

@Controller('v1/hosts/:hostId/agents')
export class AgentsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
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
    return this.commandBus.execute(
      new WriteCommand({
        context,
        mode: 'locked',
        plan: (sql) => planProfile(sql, caller, agentDefId, body),
        reply: (outcomes, position) => {
          const before = outcomes[0]?.before as AgentDefinitionState;
          return receipt(before === null ? 201 : 200)(outcomes, position);
        },
      }),
    );
  }
}
