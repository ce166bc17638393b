import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { dateTime, listProperties, objectOf, text, uuid } from '../platform/http/schemas.js';

const { limit, cursor } = listProperties;

export const diagnosticsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    skillId: { ...uuid, description: 'This skill alone, active or not.' },
    ...{ limit, cursor },
  },
} as const satisfies JSONSchema;
export type DiagnosticsQuery = FromSchema<typeof diagnosticsQuery>;

const string = { type: 'string' } as const;

const problems = {
  type: 'array',
  items: {
    title: 'ToolProblem',
    ...objectOf(
      {
        code: {
          ...string,
          description:
            'tool_inactive, api_inactive, api_version_inactive, endpoint_inactive, lifecycle_retired, not_exposed, no_gateway, ' +
            'gateway_not_asked, version_overdue, version_ends_soon, a finding of drift, why the gateway could not be asked, or why the catalog withholds the tool.',
        },
        gatewayId: uuid,
        version: { ...string, description: 'Of a deprecated version that the skill takes.' },
        on: { ...string, description: 'The day of its deprecation.' },
      },
      ['gatewayId', 'version', 'on'],
    ),
  },
} as const;

const ailingTool = objectOf({ toolId: uuid, toolName: string, problems });

export const ailingSkill = {
  title: 'AilingSkill',
  ...objectOf({
    skillId: uuid,
    name: string,
    tools: { type: 'array', items: ailingTool },
    agents: {
      type: 'array',
      description: 'Active agents that have the skill.',
      items: objectOf({ agentDefId: uuid, name: string, serviceId: string, envTag: string }),
    },
  }),
} as const;
export type AilingSkill = FromSchema<typeof ailingSkill>;

export const gatewayRoundQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['envTag'],
  properties: {
    envTag: { ...text(64), description: 'The environment whose gateways are asked.' },
    limit: { type: 'integer', minimum: 1, maximum: 20, default: 10 },
    cursor,
  },
} as const satisfies JSONSchema;
export type GatewayRoundQuery = FromSchema<typeof gatewayRoundQuery>;

export const gatewayReport = objectOf(
  {
    gatewayId: uuid,
    serviceId: string,
    envTag: string,
    checkedAt: dateTime,
    failure: { ...string, description: 'Code of why the gateway could not be asked.' },
    inSync: { type: 'integer', description: 'Tools without a difference.' },
    items: {
      type: 'array',
      items: objectOf(
        {
          ...{ toolName: string, toolId: uuid, finding: string, grade: string, reason: string },
          dismissed: { type: 'object', description: 'Why it may stay, as the drift of the gateway says it.' },
        },
        ['toolId', 'grade', 'reason', 'dismissed'],
      ),
    },
  },
  ['checkedAt', 'failure'],
);
export type GatewayReport = FromSchema<typeof gatewayReport>;

export const agentReport = objectOf({
  agentDefId: uuid,
  gateways: {
    type: 'array',
    items: objectOf({ gatewayId: uuid, serviceId: string, failure: string }, ['failure']),
  },
  total: { type: 'integer', description: 'Tools of the agent’s catalog.' },
  items: {
    type: 'array',
    items: {
      ...ailingTool,
      properties: {
        ...ailingTool.properties,
        withheld: { type: 'boolean', description: 'The catalog does not give it to the agent.' },
      },
    },
    description: 'Those that could not be called now, then those that the catalog withholds from the agent.',
  },
});

const gatewayId = '0198c0de-0000-7000-8000-00000000d001';
const agentDefId = '0198c0de-0000-7000-8000-00000000a001';
const tool = { toolId: '0198c0de-0000-7000-8000-00000000c001', toolName: 'getAccountByNo' };

export const ailingSkillExample = {
  skillId: '0198c0de-0000-7000-8000-00000000b001',
  name: 'Account Management',
  tools: [{ ...tool, problems: [{ code: 'missing_from_gateway', gatewayId }] }],
  agents: [
    { agentDefId, name: 'Account Agent', serviceId: 'com.example.account-agent-1.0.0', envTag: 'dev' },
  ],
};

export const gatewayReportExample = {
  gatewayId,
  serviceId: 'com.example.gateway-1.0.0',
  envTag: 'dev',
  inSync: 11,
  checkedAt: '2026-11-21T09:30:00.000Z',
  items: [{ ...tool, finding: 'missing_from_gateway' }],
};

export const agentReportExample = {
  agentDefId,
  gateways: [{ gatewayId, serviceId: 'com.example.gateway-1.0.0' }],
  total: 12,
  items: [{ ...tool, problems: [{ code: 'missing_from_gateway', gatewayId }] }],
};
