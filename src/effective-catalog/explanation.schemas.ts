import type { FromSchema } from 'json-schema-to-ts';
import { text, uuid } from '../platform/http/schemas.js';
import { catalogExample } from './effective-catalog.example.js';
import { catalogQuery } from './effective-catalog.schemas.js';

const { serviceId, envTag, context } = catalogQuery.properties;

export const explanationQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['tool'],
  properties: { serviceId, envTag, tool: { ...text(128), description: 'Id or name of the tool.' }, context },
} as const;
export type ExplanationQuery = FromSchema<typeof explanationQuery>;

const rule = {
  type: 'object',
  required: ['reason', 'outcome', 'compared'],
  properties: {
    reason: { type: 'string' },
    outcome: { type: 'string', enum: ['passed', 'withheld'] },
    compared: { type: 'object', description: 'The values that the rule looked at.' },
    detail: { type: 'string', description: 'What failed, for people.' },
  },
} as const;

export const explanationAnswer = {
  type: 'object',
  required: ['agentDefId', 'catalogVersion', 'tool', 'disclosed', 'offers'],
  properties: {
    agentDefId: uuid,
    catalogVersion: { type: 'integer' },
    tool: { type: 'string', description: 'As it was asked for.' },
    disclosed: { type: 'boolean', description: 'Whether one of the skills gives the tool to the agent.' },
    offers: {
      type: 'array',
      items: {
        type: 'object',
        required: ['skillId', 'skillName', 'toolId', 'toolName', 'disclosed', 'rules'],
        properties: {
          skillId: uuid,
          skillName: { type: 'string' },
          toolId: uuid,
          toolName: { type: 'string' },
          disclosed: { type: 'boolean' },
          reason: { type: 'string', description: 'Of the first rule that withholds the tool.' },
          rules: { type: 'array', items: rule },
        },
      },
    },
  },
} as const;

const [skill] = catalogExample.skills;
const [tool] = skill.tools;

export const explanationExample = {
  query: { serviceId: catalogExample.serviceId, envTag: catalogExample.envTag, tool: tool.name },
  answer: {
    agentDefId: catalogExample.agentDefId,
    catalogVersion: catalogExample.catalogVersion,
    tool: tool.name,
    disclosed: false,
    offers: [
      {
        skillId: skill.skillId,
        skillName: skill.name,
        toolId: tool.toolId,
        toolName: tool.name,
        disclosed: false,
        reason: 'tool_inactive',
        rules: [
          { reason: 'skill_inactive', outcome: 'passed', compared: { skill: skill.name, active: true } },
          {
            reason: 'tool_inactive',
            outcome: 'withheld',
            compared: { active: false },
            detail: `The tool ${tool.name} is inactive.`,
          },
        ],
      },
    ],
  },
};
