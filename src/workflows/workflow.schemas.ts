import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import {
  listProperties,
  receiptAnswer,
  recordMembers,
  recordProperties,
  semanticVersion,
  uuid,
} from '../platform/http/schemas.js';
import { taxonomyFilter, taxonomyMembers, taxonomyProperties } from '../taxonomy/entity-taxonomy.schemas.js';
import { longestDefinition } from './workflow-validation.js';
import { lifecycleStatuses } from './workflow.events.js';

/** Approvals name a workflow as `namespace/name`: neither holds a slash or a blank. */
const word = {
  type: 'string',
  minLength: 1,
  maxLength: 126,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
} as const;

const identity = {
  namespace: word,
  name: word,
  version: semanticVersion,
} as const;

const definition = {
  type: 'string',
  minLength: 1,
  maxLength: longestDefinition,
  description: 'The workflow as YAML; kept byte for byte. A definition that holds a secret is refused.',
} as const;

export const newWorkflow = {
  type: 'object',
  additionalProperties: false,
  required: ['namespace', 'name', 'version', 'definition'],
  properties: { ...identity, definition },
} as const satisfies JSONSchema;
export type NewWorkflow = FromSchema<typeof newWorkflow>;

export const workflowPatch = {
  type: 'object',
  additionalProperties: false,
  properties: { ...identity, definition },
} as const satisfies JSONSchema;
export type WorkflowPatch = FromSchema<typeof workflowPatch>;

const lifecycleStatus = { type: 'string', enum: lifecycleStatuses } as const;

export const workflowListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...listProperties,
    ...identity,
    lifecycleStatus,
    ...taxonomyFilter,
    q: { type: 'string', minLength: 1, maxLength: 200, description: 'Part of the namespace or the name.' },
  },
} as const satisfies JSONSchema;
export type WorkflowListQuery = FromSchema<typeof workflowListQuery>;

const listed = {
  wfDefId: uuid,
  namespace: { type: 'string' },
  name: { type: 'string' },
  version: { type: 'string' },
  lifecycleStatus: {
    ...lifecycleStatus,
    description: 'Only a draft changes; a published one approves calls.',
  },
  ...taxonomyProperties,
  ...recordProperties,
} as const;

/** A workflow in a list: all but its definition. */
export const listedWorkflow = {
  type: 'object',
  required: [
    ...(['wfDefId', 'namespace', 'name', 'version', 'lifecycleStatus'] as const),
    ...taxonomyMembers,
    ...recordMembers,
  ],
  properties: listed,
} as const satisfies JSONSchema;
export type ListedWorkflow = FromSchema<typeof listedWorkflow>;

const path = { type: 'string', description: 'RFC 6901 pointer into the definition.' } as const;

export const warnings = {
  type: 'array',
  description: 'What could not be told of the definition when it was saved, or is odd.',
  items: {
    title: 'WorkflowWarning',
    type: 'object',
    required: ['path', 'code', 'message'],
    properties: { path, code: { type: 'string' }, message: { type: 'string' } },
  },
} as const;

export const toolCall = {
  title: 'WorkflowToolCall',
  type: 'object',
  required: ['path', 'by', 'value', 'dependency'],
  properties: {
    path: { ...path, description: 'RFC 6901 pointer to the step.' },
    by: { type: 'string', enum: ['name', 'capabilityRef', 'endpoint', 'toolId'] },
    value: { type: 'string' },
    dependency: { type: ['string', 'null'], enum: ['future', 'external', null] },
  },
} as const;

export const workflowAnswer = {
  ...listedWorkflow,
  required: [...listedWorkflow.required, 'definition', 'toolCalls', 'warnings'],
  properties: {
    ...listed,
    definition: {
      type: ['string', 'null'],
      description:
        'Null for a token with maxSensitivityTier: it may name tools that such a token is not shown.',
    },
    toolCalls: { type: 'array', items: toolCall },
    warnings,
  },
} as const satisfies JSONSchema;
export type WorkflowAnswer = FromSchema<typeof workflowAnswer>;

export const workflowReceipt = {
  ...receiptAnswer,
  title: 'WorkflowReceipt',
  required: [...receiptAnswer.required, 'lifecycleStatus', 'warnings'],
  properties: { ...receiptAnswer.properties, lifecycleStatus, warnings },
} as const satisfies JSONSchema;
