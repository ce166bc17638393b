import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { listQuery, recordMembers, recordProperties, text, uuid } from '../platform/http/schemas.js';
import { accessLevels } from './skill-tool.events.js';

const accessLevel = {
  type: 'string',
  enum: accessLevels,
  description:
    'read admits read-only tools, write also those that are not destructive, execute all. Left out, it is the least that admits the tool as it is now.',
} as const;

/**
 * What a skill says of one of its tools, beside what the tool says itself. Closed: a misspelt member would be a
 * guard that no one keeps. What else is to be said of the link goes into `notes`.
 */
export const linkConfig = {
  type: 'object',
  additionalProperties: false,
  properties: {
    approvalWorkflow: {
      type: 'string',
      maxLength: 253,
      pattern: '^[^\\s/]+(/[^\\s/]+)?$',
      description:
        'wfDefId or namespace/name of the workflow that approves calls. Setting it needs catalog:admin.',
    },
    maxSensitivityTier: {
      type: 'string',
      enum: ['public', 'internal', 'confidential', 'restricted'],
      description:
        'The tool is withheld where its tier is above this one. Raising or clearing it needs catalog:admin.',
    },
    priority: {
      type: 'integer',
      minimum: -1_000_000,
      maximum: 1_000_000,
      description: 'Ranking weight of the tool within this skill: the higher, the earlier.',
    },
    description: {
      ...text(4000),
      description: 'In place of the description of the tool, within this skill.',
    },
    examples: {
      type: 'array',
      maxItems: 50,
      items: text(500),
      description: 'What people say when they want this tool within this skill.',
    },
    notes: { ...text(4000), description: 'How the tool is to be used within this skill.' },
  },
} as const satisfies JSONSchema;

export const linkBody = {
  type: 'object',
  additionalProperties: false,
  properties: { accessLevel, config: { ...linkConfig, default: {} } },
} as const satisfies JSONSchema;
export type LinkBody = FromSchema<typeof linkBody>;

export const skillToolListQuery = listQuery;
export type SkillToolListQuery = FromSchema<typeof skillToolListQuery>;

export const skillToolAnswer = {
  type: 'object',
  required: ['skillId', 'toolId', 'toolName', 'toolActive', 'accessLevel', 'config', ...recordMembers],
  properties: {
    skillId: uuid,
    toolId: uuid,
    toolName: { type: 'string' },
    toolActive: { type: 'boolean', description: 'False: the tool is linked, and no agent is given it.' },
    accessLevel: { type: 'string', enum: accessLevels },
    config: linkConfig,
    ...recordProperties,
    active: { type: 'boolean', description: 'False: the link was taken away.' },
  },
} as const satisfies JSONSchema;
export type SkillToolAnswer = FromSchema<typeof skillToolAnswer>;
