import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import {
  line,
  listQuery,
  receiptAnswer,
  receiptProperties,
  recordMembers,
  recordProperties,
  uuid,
} from '../platform/http/schemas.js';

/** The most skills of one batch, and of one agent that is replaced as a whole. */
const mostSkills = 500;

/** What an assignment says of the skill's tools; each narrows, none widens. */
const config = {
  title: 'AgentSkillConfig',
  type: 'object',
  additionalProperties: false,
  properties: {
    maxSensitivityTier: {
      type: 'string',
      enum: ['public', 'internal', 'confidential', 'restricted'],
      description:
        'Tools of the skill above it are withheld from this agent. Raising or clearing it needs catalog:admin.',
    },
    domains: {
      type: 'array',
      maxItems: 100,
      uniqueItems: true,
      items: line(128),
      description: 'Where it names some: only tools of these domains, or below one of them by a dot.',
    },
    semanticNamespaces: {
      type: 'array',
      maxItems: 100,
      uniqueItems: true,
      items: line(128),
      description: 'The same for semantic namespaces.',
    },
  },
} as const;

const int32 = { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 } as const;
const priority = { ...int32, description: 'Ranking weight: the higher, the earlier.' } as const;
const sequenceId = {
  ...int32,
  description: 'Place in the catalog, ascending; equal ones come by priority, then by name.',
} as const;

const terms = {
  config: { ...config, default: {} },
  priority: { ...priority, default: 0 },
  sequenceId: { ...sequenceId, default: 0 },
} as const;

export const assignmentBody = {
  type: 'object',
  additionalProperties: false,
  properties: terms,
} as const satisfies JSONSchema;
export type AssignmentBody = FromSchema<typeof assignmentBody>;

export const assignmentPatch = {
  type: 'object',
  additionalProperties: false,
  properties: { config, priority, sequenceId },
} as const satisfies JSONSchema;
export type AssignmentPatch = FromSchema<typeof assignmentPatch>;

const assignment = {
  title: 'Assignment',
  type: 'object',
  additionalProperties: false,
  required: ['skillId'],
  properties: { skillId: uuid, ...terms },
} as const;

export const assignmentBatch = {
  type: 'object',
  additionalProperties: false,
  required: ['skills'],
  properties: { skills: { type: 'array', minItems: 1, maxItems: mostSkills, items: assignment } },
} as const satisfies JSONSchema;
export type AssignmentBatch = FromSchema<typeof assignmentBatch>;
export type Assignment = AssignmentBatch['skills'][number];

export const assignmentReplacement = {
  ...assignmentBatch,
  properties: { skills: { type: 'array', maxItems: mostSkills, items: assignment } },
} as const satisfies JSONSchema;

export const assignmentBatchAnswer = {
  type: 'object',
  required: ['items', 'position'],
  properties: {
    items: {
      type: 'array',
      items: {
        ...receiptAnswer,
        title: 'AssignmentReceipt',
        required: [...receiptAnswer.required, 'skillId'],
        properties: { ...receiptProperties, skillId: uuid },
      },
    },
    position: { type: 'integer', minimum: 0, description: 'Position of the last event of the batch.' },
  },
} as const satisfies JSONSchema;

export const validationAnswer = {
  type: 'object',
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['skillId', 'ok', 'problems'],
        properties: {
          skillId: uuid,
          ok: { type: 'boolean' },
          problems: {
            type: 'array',
            items: {
              type: 'object',
              required: ['code', 'message'],
              properties: {
                code: {
                  type: 'string',
                  enum: [
                    'skill_not_found',
                    'skill_inactive',
                    'skill_without_active_tool',
                    'already_assigned',
                    'insufficient_scope',
                  ],
                },
                message: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
} as const satisfies JSONSchema;

export const agentSkillListQuery = listQuery;
export type AgentSkillListQuery = FromSchema<typeof agentSkillListQuery>;

export const agentSkillAnswer = {
  type: 'object',
  required: [
    'agentDefId',
    'skillId',
    'skillName',
    'skillActive',
    'skillHasActiveTool',
    'config',
    'priority',
    'sequenceId',
    ...recordMembers,
  ],
  properties: {
    agentDefId: uuid,
    skillId: uuid,
    skillName: { type: 'string' },
    skillActive: {
      type: 'boolean',
      description: 'False: the skill is assigned, and the agent is not given it.',
    },
    skillHasActiveTool: {
      type: 'boolean',
      description: 'False: the assignment is kept, and there is nothing in it to give to the agent.',
    },
    config,
    priority,
    sequenceId,
    ...recordProperties,
    active: { type: 'boolean', description: 'False: the assignment was taken away.' },
  },
} as const satisfies JSONSchema;
export type AgentSkillAnswer = FromSchema<typeof agentSkillAnswer>;
