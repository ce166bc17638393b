import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { validateWorkflow, type ValidatedWorkflow } from '../workflows/workflow-validation.js';
import { callableToolsOf } from './skill-workflow.lookup.js';
import type { ValidationBody } from './skill-workflow.schemas.js';
import { requireSkill } from './skills.filter.js';

/** Throws NotFound where there is no such skill. */
export class ValidateWorkflow extends Query<Pick<ValidatedWorkflow, 'problems' | 'steps'>> {
  constructor(
    readonly visibility: Visibility,
    readonly body: ValidationBody,
  ) {
    super();
  }
}

@QueryHandler(ValidateWorkflow)
export class ValidateWorkflowHandler implements IQueryHandler<ValidateWorkflow> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({
    visibility,
    body,
  }: ValidateWorkflow): Promise<Pick<ValidatedWorkflow, 'problems' | 'steps'>> {
    const { definition, skillId } = body;
    const { problems, steps } = validateWorkflow(
      definition,
      skillId === undefined ? {} : { tools: await this.toolsOf(visibility, skillId) },
    );
    return { problems, steps };
  }

  private async toolsOf(visibility: Visibility, skillId: string) {
    await requireSkill(this.database.of(visibility.hostId), visibility, skillId);
    return (
      (await callableToolsOf(this.database.of(visibility.hostId), visibility.hostId, [skillId])).get(
        skillId,
      ) ?? []
    );
  }
}
