import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { receiptAnswer, receiptProperties, uuid } from '../../platform/http/schemas.js';
import { mostDraftedTools } from './skill-draft.js';
import { accessLevels } from '../links/skill-tool.rules.js';
import { skillText } from '../skill.fields.js';

export const draftBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    toolIds: { type: 'array', minItems: 1, maxItems: mostDraftedTools, uniqueItems: true, items: uuid },
    apiVersionId: { ...uuid, description: 'In place of `toolIds`: all active tools of this API version.' },
    name: { ...skillText.name, description: 'Left out, it is that of the API, or of the tools.' },
    description: { type: 'string', maxLength: 4000 },
    starterWorkflow: {
      type: 'boolean',
      default: false,
      description: 'Also drafts a workflow that calls each tool once, and links it as the primary one.',
    },
  },
} as const satisfies JSONSchema;
export type DraftBody = FromSchema<typeof draftBody>;

const workflow = {
  type: 'object',
  required: ['wfDefId', 'namespace', 'name', 'version'],
  description: 'The draft of a workflow, where one was asked for.',
  properties: {
    wfDefId: uuid,
    namespace: { type: 'string' },
    name: { type: 'string' },
    version: { type: 'string' },
  },
} as const;

export const draftAnswer = {
  type: 'object',
  required: [...receiptAnswer.required, 'name', 'active', 'tools'],
  properties: {
    ...receiptProperties,
    name: { type: 'string' },
    active: { type: 'boolean', description: 'False: activate it when it has been looked through.' },
    workflow,
    tools: {
      type: 'array',
      items: {
        type: 'object',
        required: ['toolId', 'name', 'accessLevel'],
        properties: {
          toolId: uuid,
          name: { type: 'string' },
          accessLevel: { type: 'string', enum: accessLevels },
        },
      },
    },
  },
} as const satisfies JSONSchema;
