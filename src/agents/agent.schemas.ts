import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import {
  line,
  listProperties,
  recordMembers,
  recordProperties,
  text,
  uuid,
} from '../platform/http/schemas.js';

const tier = { type: 'string', enum: ['public', 'internal', 'confidential', 'restricted'] } as const;

function names<const Max extends number>(max: Max) {
  return { type: 'array', maxItems: 100, uniqueItems: true, items: line(max) } as const;
}

const modelProvider = { type: ['string', 'null'], minLength: 1, maxLength: 64 } as const;
const modelName = { type: ['string', 'null'], minLength: 1, maxLength: 126 } as const;
const temperature = { type: ['number', 'null'], minimum: 0, maximum: 2 } as const;
const maxTokens = {
  type: ['integer', 'null'],
  minimum: 1,
  maximum: 100_000_000,
  description: 'Most tokens of one answer of the model.',
} as const;
const personas = {
  ...names(126),
  description: 'A tool that names personas is given only to an agent with one of them.',
} as const;
const maxSensitivityTier = {
  ...tier,
  description: 'Tools above it are withheld. Raising it needs catalog:admin.',
} as const;
const gatewayIds = {
  type: 'array',
  maxItems: 100,
  uniqueItems: true,
  items: uuid,
  description: 'The gateways through which the agent calls its tools.',
} as const;
const domains = {
  ...names(128),
  description: 'Where it names some: only tools of these domains, or below one of them by a dot.',
} as const;
const semanticNamespaces = {
  ...names(128),
  description: 'The same for semantic namespaces.',
} as const;

const profile = {
  modelProvider,
  modelName,
  temperature,
  maxTokens,
  personas,
  maxSensitivityTier,
  gatewayIds,
  domains,
  semanticNamespaces,
} as const;
const profileMembers = [
  'modelProvider',
  'modelName',
  'temperature',
  'maxTokens',
  'personas',
  'maxSensitivityTier',
  'gatewayIds',
  'domains',
  'semanticNamespaces',
] as const;

/** The whole profile: what is left out takes its default. */
export const agentProfile = {
  type: 'object',
  additionalProperties: false,
  properties: {
    modelProvider: { ...modelProvider, default: null },
    modelName: { ...modelName, default: null },
    temperature: { ...temperature, default: null },
    maxTokens: { ...maxTokens, default: null },
    personas: { ...personas, default: [] },
    maxSensitivityTier: { ...maxSensitivityTier, default: 'internal' },
    gatewayIds: { ...gatewayIds, default: [] },
    domains: { ...domains, default: [] },
    semanticNamespaces: { ...semanticNamespaces, default: [] },
  },
} as const satisfies JSONSchema;
export type AgentProfileBody = FromSchema<typeof agentProfile>;

export const agentListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...listProperties,
    serviceId: { ...text(512), description: 'Only the agents of this service.' },
    envTag: { ...text(64), description: 'Only the agents of this environment.' },
    q: { type: 'string', minLength: 1, maxLength: 200, description: 'Part of the name.' },
  },
} as const satisfies JSONSchema;
export type AgentListQuery = FromSchema<typeof agentListQuery>;

export const agentAnswer = {
  type: 'object',
  required: ['agentDefId', 'name', 'apiVersion', 'serviceId', 'envTag', ...profileMembers, ...recordMembers],
  properties: {
    agentDefId: { ...uuid, description: 'Id of the API version that the profile belongs to.' },
    name: { type: 'string', description: 'Display name: that of the API.' },
    apiVersion: { type: 'string' },
    serviceId: { type: 'string' },
    envTag: { type: 'string' },
    ...profile,
    ...recordProperties,
    active: { type: 'boolean', description: 'False: the agent, its API version or its API is inactive.' },
  },
} as const satisfies JSONSchema;
export type AgentAnswer = FromSchema<typeof agentAnswer>;
