/** The fields of a version of a workflow. Pure. */
import { semanticVersion } from '../platform/http/schemas.js';
import { bodyOf, field, patchOf, unlisted, type Values } from '../platform/records/fields.js';
import { longestDefinition } from './workflow-validation.js';

/** States of a definition, which only moves forward. */
export const lifecycleStatuses = ['DRAFT', 'PUBLISHED', 'DEPRECATED'] as const;
export type LifecycleStatus = (typeof lifecycleStatuses)[number];

export const lifecycleStatus = { type: 'string', enum: lifecycleStatuses } as const;

const text = { type: 'string' } as const;

/** Approvals name a workflow as `namespace/name`: neither holds a slash or a blank. */
const word = field({
  sql: 'text',
  shown: { type: 'string', minLength: 1, maxLength: 126, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
  stored: text,
  answered: text,
});

export const definition = {
  type: 'string',
  minLength: 1,
  maxLength: longestDefinition,
  description: 'The workflow as YAML; kept byte for byte. A definition that holds a secret is refused.',
} as const;

/** Fields that an author writes. */
const written = {
  namespace: word,
  name: word,
  version: field({ sql: 'text', shown: semanticVersion, stored: text, answered: text }),
  definition: unlisted(
    field({
      sql: 'text',
      shown: definition,
      stored: text,
      answered: {
        type: ['string', 'null'],
        description:
          'Null for a token with maxSensitivityTier: it may name tools that such a token is not shown.',
      },
    }),
  ),
};

const path = { type: 'string', description: 'RFC 6901 pointer into the definition.' } as const;

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

export const warnings = {
  type: 'array',
  description: 'What could not be checked in the definition when it was saved, or is odd.',
  items: {
    title: 'WorkflowWarning',
    type: 'object',
    required: ['path', 'code', 'message'],
    properties: { path, code: { type: 'string' }, message: { type: 'string' } },
  },
} as const;

/** The same with what was found when the definition was read. */
export const workflowFields = {
  ...written,
  /** Tool calls of the definition, read when it was saved. */
  toolCalls: unlisted(
    field({
      sql: 'jsonb',
      shown: { type: 'array', items: toolCall },
      stored: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['path', 'by', 'value', 'dependency'],
          properties: {
            path: text,
            by: { enum: ['name', 'capabilityRef', 'endpoint', 'toolId'] },
            value: text,
            dependency: { enum: ['future', 'external', null] },
          },
        },
      },
    }),
  ),
  warnings: unlisted(
    field({
      sql: 'jsonb',
      shown: warnings,
      stored: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['path', 'code', 'message'],
          properties: { path: text, code: text, message: text },
        },
      },
    }),
  ),
};

export type Workflow = Values<typeof workflowFields>;
export type WrittenWorkflow = Values<typeof written>;

export const newWorkflow = bodyOf(written);
export const workflowPatch = patchOf(written);

/** Schemas by which lists are filtered. */
export const workflowFilters = {
  namespace: word.shown,
  name: word.shown,
  version: written.version.shown,
  lifecycleStatus,
};
