import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { checkBatch, type AgentRequest } from './agent-skill.batch.js';
import type { Assignment } from './agent-skill.schemas.js';
import type { AssignmentProblem } from './assignment.policy.js';

interface AgentSkillValidation {
  readonly items: readonly {
    readonly skillId: string;
    readonly ok: boolean;
    readonly problems: readonly AssignmentProblem[];
  }[];
}

/** What assigning these skills now would be refused for. Throws NotFound where there is no such agent. */
export class ValidateAgentSkills extends Query<AgentSkillValidation> {
  constructor(
    readonly request: AgentRequest,
    readonly skills: readonly Assignment[],
  ) {
    super();
  }
}

@QueryHandler(ValidateAgentSkills)
export class ValidateAgentSkillsHandler implements IQueryHandler<ValidateAgentSkills> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ request, skills }: ValidateAgentSkills): Promise<AgentSkillValidation> {
    const checked = await checkBatch(this.database.of(request.visibility.hostId), request, skills);
    return {
      items: checked.map(({ skillId, problems }) => ({ skillId, ok: problems.length === 0, problems })),
    };
  }
}
