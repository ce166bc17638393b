import { Body, Controller, Inject, Post } from '@nestjs/common';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { Operation } from '../../platform/http/operation.js';
import { VisibleTo } from '../../platform/http/parameters.js';
import { uuid } from '../../platform/http/schemas.js';
import {
  longestDefinition,
  newWorkflowExample,
  toolCall,
  type ValidatedWorkflow,
  validateWorkflow,
  validationExample,
} from '../../workflows/shared.js';
import { skillExampleId } from '../skill.examples.js';
import { callableToolsOf } from './skill-workflow.link.js';
import { requireSkill } from '../skill.lookup.js';

const validationBody = {
  type: 'object',
  additionalProperties: false,
  required: ['definition'],
  properties: {
    definition: { type: 'string', maxLength: longestDefinition },
    skillId: { ...uuid, description: 'Also whether every step that calls a tool names one of this skill.' },
  },
} as const satisfies JSONSchema;

const validationAnswer = {
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

/** Validates a workflow definition; part of skills/, since it is checked against the tools of a skill. */
@Controller('v1/hosts/:hostId/workflows/validate')
export class WorkflowValidationController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

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
  async validate(
    @VisibleTo() visibility: Visibility,
    @Body() { definition, skillId }: FromSchema<typeof validationBody>,
  ): Promise<Pick<ValidatedWorkflow, 'problems' | 'steps'>> {
    const tools = skillId === undefined ? undefined : await this.toolsOf(visibility, skillId);
    const { problems, steps } = validateWorkflow(definition, tools && { tools });
    return { problems, steps };
  }

  private async toolsOf(visibility: Visibility, skillId: string) {
    const sql = this.database.of(visibility.hostId);
    await requireSkill(sql, visibility, skillId);
    return (await callableToolsOf(sql, visibility.hostId, [skillId])).get(skillId) ?? [];
  }
}
