import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ImpactLookup } from '../endpoints/public.js';
import { agentSkillBatchHandlers } from './agent-skill.batch.js';
import { agentSkillHandlers, agentSkillRoutes } from './agent-skill.link.js';
import { agentSkillsRoutes } from './agent-skills.routes.js';
import { agentHandlers, agentRoutes } from './agent.record.js';
import { ImpactQuery } from './impact.queries.js';

/** Gives the floors below the impact of their changes: {@link ImpactLookup}. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [...agentRoutes, ...agentSkillsRoutes, ...agentSkillRoutes],
  providers: [
    ...agentHandlers,
    ...agentSkillHandlers,
    ...agentSkillBatchHandlers,
    { provide: ImpactLookup, useClass: ImpactQuery },
  ],
  exports: [ImpactLookup],
})
export class AgentsModule {}
