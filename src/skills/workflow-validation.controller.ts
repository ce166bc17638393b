import { Body, Controller, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo } from '../platform/http/parameters.js';
import { newWorkflowExample, validationExample } from '../workflows/workflow.examples.js';
import {
  validationAnswer,
  validationBody,
  ValidateWorkflow,
  type ValidationBody,
} from './workflow-validation.queries.js';
import { skillExampleId } from './skill.examples.js';

/** Stands with the skills, since a definition is judged by the tools of one. */
@Controller('v1/hosts/:hostId/workflows/validate')
export class WorkflowValidationController {
  constructor(private readonly queryBus: QueryBus) {}

  @Post()
  @Operation({
    id: 'validateWorkflow',
    summary: 'Say what is wrong with a workflow definition',
    description:
      'Writes nothing. What is said of a skill’s tools may concern tools that a narrowed token is not shown.',
    scope: 'catalog:read',
    confined: 'refused',
    reads: true,
    tag: 'workflows',
    body: validationBody,
    answer: validationAnswer,
    example: {
      body: { definition: newWorkflowExample.definition, skillId: skillExampleId },
      answer: validationExample,
    },
  })
  validate(@VisibleTo() visibility: Visibility, @Body() body: ValidationBody) {
    return this.queryBus.execute(new ValidateWorkflow(visibility, body));
  }
}
