import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AgentSkillBatchesController } from './agent-skill-batches.controller.js';
import { ValidateAgentSkillsHandler } from './agent-skill-validation.queries.js';
import { AgentSkillsController } from './agent-skills.controller.js';
import { GetAgentSkillHandler, ListAgentSkillsHandler } from './agent-skills.queries.js';
import { AgentsController } from './agents.controller.js';
import { GetAgentHandler, ListAgentsHandler } from './agents.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [AgentsController, AgentSkillBatchesController, AgentSkillsController],
  providers: [
    ListAgentsHandler,
    GetAgentHandler,
    ListAgentSkillsHandler,
    GetAgentSkillHandler,
    ValidateAgentSkillsHandler,
  ],
})
export class AgentsModule {}
