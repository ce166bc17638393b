import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { listQuery, recordMembers, recordProperties, uuid } from '../platform/http/schemas.js';
import { longestDefinition } from '../workflows/workflow-validation.js';
import { lifecycleStatuses } from '../workflows/workflow.events.js';
import { toolCall } from '../workflows/workflow.schemas.js';
import { startModes, workflowRoles } from './skill-workflow.events.js';

export const workflowRole = { type: 'string', enum: workflowRoles } as const;
const startMode = {
  type: 'string',
  enum: startModes,
  description: 'Who may start it.',
} as const;
const config = {
  type: 'object',
  maxProperties: 100,
  description: 'What the skill says to the workflow: defaults of its input, what to disclose, hints.',
} as const;

export const workflowLinkBody = {
  type: 'object',
  additionalProperties: false,
  properties: { startMode: { ...startMode, default: 'manual' }, config: { ...config, default: {} } },
} as const satisfies JSONSchema;
export type WorkflowLinkBody = FromSchema<typeof workflowLinkBody>;

export const skillWorkflowListQuery = listQuery;
export type SkillWorkflowListQuery = FromSchema<typeof skillWorkflowListQuery>;

export const skillWorkflowAnswer = {
  type: 'object',
  required: [
    ...(['skillId', 'wfDefId', 'workflowRole', 'namespace', 'name', 'version', 'lifecycleStatus'] as const),
    ...(['workflowActive', 'startMode', 'config', 'findings'] as const),
    ...recordMembers,
  ],
  properties: {
    skillId: uuid,
    wfDefId: uuid,
    workflowRole,
    namespace: { type: 'string' },
    name: { type: 'string' },
    version: { type: 'string' },
    lifecycleStatus: { type: 'string', enum: lifecycleStatuses },
    workflowActive: { type: 'boolean' },
    startMode,
    config: { type: 'object' },
    findings: {
      type: 'array',
      description: 'Why it can’t run as it is; empty for a token that does not see every tool.',
      items: {
        type: 'object',
        required: ['path', 'code', 'message'],
        properties: {
          path: { type: 'string', description: 'RFC 6901 pointer to the step; empty for the whole.' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    ...recordProperties,
    active: { type: 'boolean', description: 'False: the link was taken away.' },
  },
} as const satisfies JSONSchema;
export type SkillWorkflowAnswer = FromSchema<typeof skillWorkflowAnswer>;

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
