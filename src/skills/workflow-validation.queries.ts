import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { uuid } from '../platform/http/schemas.js';
import {
  longestDefinition,
  validateWorkflow,
  type ValidatedWorkflow,
} from '../workflows/workflow-validation.js';
import { toolCall } from '../workflows/workflow.schemas.js';
import { callableToolsOf } from './skill-workflow.link.js';
import { requireSkill } from './skills.filter.js';

export const validationBody = {
  type: 'object',
  additionalProperties: false,
  required: ['definition'],
  properties: {
    definition: { type: 'string', maxLength: longestDefinition },
    skillId: { ...uuid, description: 'Also whether every step that calls a tool names one of this skill.' },
  },
} as const satisfies JSONSchema;
export type ValidationBody = FromSchema<typeof validationBody>;

export const validationAnswer = {
  type: 'object',
  required: ['problems', 'steps'],
  properties: {
    problems: {
      type: 'array',
      items: {
        type: 'object',
        required: ['severity', 'path', 'code', 'message'],
        properties: {
          severity: { type: 'string', enum: ['error', 'warning'], description: 'Errors are not saved.' },
          path: { type: 'string', description: 'RFC 6901 pointer into the definition.' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    steps: {
      type: 'array',
      description: 'The outline: every step, wherever it stands.',
      items: {
        type: 'object',
        required: ['path', 'name', 'kind', 'tools'],
        properties: {
          path: { type: 'string' },
          name: { type: 'string' },
          kind: { type: 'string', description: 'call: mcp, for, fork, …' },
          tools: { type: 'array', items: toolCall },
        },
      },
    },
  },
} as const satisfies JSONSchema;

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
