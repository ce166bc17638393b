import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ImpactLookup } from '../endpoints/impact.lookup.js';
import { AgentSkillBatchesController } from './agent-skill-batches.controller.js';
import { ValidateAgentSkillsHandler } from './agent-skill-validation.queries.js';
import { AgentSkillsController } from './agent-skills.controller.js';
import { GetAgentSkillHandler, ListAgentSkillsHandler } from './agent-skills.queries.js';
import { AgentsController } from './agents.controller.js';
import { GetAgentHandler, ListAgentsHandler } from './agents.queries.js';
import { ImpactQuery } from './impact.queries.js';

/** Tells the floors below what hangs on theirs: {@link ImpactLookup}. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [AgentsController, AgentSkillBatchesController, AgentSkillsController],
  providers: [
    ListAgentsHandler,
    GetAgentHandler,
    ListAgentSkillsHandler,
    GetAgentSkillHandler,
    ValidateAgentSkillsHandler,
    { provide: ImpactLookup, useClass: ImpactQuery },
  ],
  exports: [ImpactLookup],
})
export class AgentsModule {}
