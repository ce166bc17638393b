import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { text, uuid } from '../platform/http/schemas.js';
import { findingCodes } from './skill-lint.js';

export const previewBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    prompt: { ...text(4000), description: 'What somebody might say: the tools that it matches come first.' },
    agentDefId: { ...uuid, description: 'As this agent is given the skill. Left out: all its active tools.' },
  },
} as const satisfies JSONSchema;
export type PreviewBody = FromSchema<typeof previewBody>;

const size = {
  title: 'TextSize',
  type: 'object',
  required: ['characters', 'estimatedTokens'],
  properties: {
    characters: { type: 'integer', minimum: 0 },
    estimatedTokens: {
      type: 'integer',
      minimum: 0,
      description: 'Four characters of ASCII a token, of other scripts one.',
    },
  },
} as const;

export const previewAnswer = {
  type: 'object',
  required: ['skillId', 'given', 'prompt', 'tools', 'workflows', 'size', 'findings'],
  properties: {
    skillId: uuid,
    given: { type: 'boolean', description: 'False: the agent is not given this skill; it would be empty.' },
    prompt: { type: 'string', description: 'The text that the skill puts into a prompt.' },
    html: {
      type: 'string',
      description: 'The content rendered, HTML in it shown as text; left out where it is longer than 64 KiB.',
    },
    tools: {
      type: 'array',
      description:
        'Tools that may be called, by name; with a prompt, those that match more of its words first.',
      items: {
        type: 'object',
        required: ['toolId', 'name', 'description', 'accessLevel', 'matched'],
        properties: {
          toolId: uuid,
          name: { type: 'string' },
          description: { type: 'string' },
          accessLevel: { type: 'string' },
          matched: { type: 'array', items: { type: 'string' }, description: 'Words of the prompt.' },
        },
      },
    },
    workflows: {
      type: 'array',
      description: 'Workflows linked to the skill, as the catalog gives them.',
      items: { type: 'object' },
    },
    size: {
      type: 'object',
      required: ['prompt', 'toolDefinitions'],
      properties: { prompt: size, toolDefinitions: size },
    },
    findings: {
      type: 'array',
      description: 'What serves an agent badly. None of it forbids anything.',
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          code: { type: 'string', enum: findingCodes },
          toolName: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
} as const satisfies JSONSchema;
export type PreviewAnswer = FromSchema<typeof previewAnswer>;

export const previewExample = {
  skillId: '0198c0de-0000-7000-8000-00000000b001',
  given: true,
  prompt:
    '# Account Management\n\nPrefer read-only tools.\n\n## Tools\n\n- getAccountByNo: Shows one account.\n',
  html: '<p>Prefer read-only tools.</p>\n',
  tools: [
    {
      toolId: '0198c0de-0000-7000-8000-00000000c001',
      name: 'getAccountByNo',
      description: 'Shows one account.',
      accessLevel: 'read',
      matched: ['account'],
    },
  ],
  workflows: [],
  size: {
    prompt: { characters: 92, estimatedTokens: 23 },
    toolDefinitions: { characters: 140, estimatedTokens: 35 },
  },
  findings: [{ code: 'description_missing', detail: 'Say when to use the skill: agents choose by it.' }],
} as const satisfies PreviewAnswer;
