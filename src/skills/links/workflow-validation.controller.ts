import { Body, Controller, Inject, Post } from '@nestjs/common';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { Operation } from '../../platform/http/operation.js';
import { VisibleTo } from '../../platform/http/parameters.js';
import { uuid } from '../../platform/http/schemas.js';
import { type SharedRequest, SharedRoute } from '../../platform/records/routes.js';
import {
  longestDefinition,
  newWorkflowExample,
  type Outline,
  outlineOf,
  toolCall,
  validationExample,
} from '../../workflows/shared.js';
import { skillExampleId } from '../skill.examples.js';
import { callableToolsOf } from './skill-workflow.link.js';
import { requireSkill } from '../skill.lookup.js';

const identity = { type: 'string', maxLength: 126 } as const;
const line = {
  type: 'integer',
  minimum: 1,
  description: 'From 1; of the nearest part that is there.',
} as const;

const validationBody = {
  type: 'object',
  additionalProperties: false,
  required: ['definition'],
  properties: {
    definition: { type: 'string', maxLength: longestDefinition },
    skillId: { ...uuid, description: 'Also whether every step that calls a tool names one of this skill.' },
    namespace: {
      ...identity,
      description: 'What it is to be saved as: a text that says otherwise is warned of.',
    },
    name: identity,
    version: identity,
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
        required: ['severity', 'path', 'code', 'message', 'line'],
        properties: {
          severity: { type: 'string', enum: ['error', 'warning'], description: 'Errors are not saved.' },
          path: { type: 'string', description: 'RFC 6901 pointer into the definition.' },
          code: { type: 'string' },
          message: { type: 'string' },
          line,
        },
      },
    },
    steps: {
      type: 'array',
      description: 'The outline: every step, wherever it stands.',
      items: {
        type: 'object',
        required: ['path', 'name', 'kind', 'tools', 'line', 'next'],
        properties: {
          path: { type: 'string' },
          name: { type: 'string' },
          kind: { type: 'string', description: 'call: mcp, for, fork, …' },
          tools: { type: 'array', items: toolCall },
          line,
          next: {
            type: 'array',
            description: 'Steps that may come next: by cases of a switch, within it, or after it.',
            items: {
              type: 'object',
              required: ['path', 'label'],
              properties: {
                path: { type: 'string' },
                label: {
                  type: ['string', 'null'],
                  description:
                    'The case, or `do`, `branch`, `try`, `catch`, `foreach`; null where it just follows.',
                },
              },
            },
          },
        },
      },
    },
  },
} as const satisfies JSONSchema;

/** Validates a workflow definition; part of skills/, since it is checked against the tools of a skill. */
@Controller('v1/hosts/:hostId/workflows/validate')
export class WorkflowValidationController extends SharedRoute {
  constructor(@Inject(DATABASE) private readonly database: Database) {
    super();
  }

  answerAnywhere({ writer: { visibility }, body }: SharedRequest): Promise<object> {
    return this.validate(visibility, body as FromSchema<typeof validationBody>);
  }

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
    @Body() { definition, skillId, ...said }: FromSchema<typeof validationBody>,
  ): Promise<Outline> {
    const tools = skillId === undefined ? undefined : await this.toolsOf(visibility, skillId);
    return outlineOf(definition, { identity: said, ...(tools && { tools }) });
  }

  private async toolsOf(visibility: Visibility, skillId: string) {
    const sql = this.database.of(visibility.hostId);
    await requireSkill(sql, visibility, skillId);
    return (await callableToolsOf(sql, visibility.hostId, [skillId])).get(skillId) ?? [];
  }
}
