import {
  apiVersionExampleId,
  endpointExampleId,
  endpointFilter,
  operatorProperties,
} from '../../endpoints/shared.js';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { tiers } from '../../platform/auth/sensitivity-tier.js';
import { listProperties, sortSchema, text, uuid } from '../../platform/http/schemas.js';
import { namesExample } from '../../taxonomy/shared.js';
import {
  implementationTypes,
  lifecycleStatuses,
  MAX_PROMPT_LENGTH,
  MAX_PROMPTS,
  scriptTypes,
} from '../model/tool-facts.js';
import { toolNamePattern } from '../model/tool-name.js';

export const toolName = {
  type: 'string',
  pattern: toolNamePattern,
  description: '1 to 64 letters, digits, underscores and hyphens',
} as const;

const prompts = { type: 'array', maxItems: MAX_PROMPTS, items: text(MAX_PROMPT_LENGTH) } as const;

export const inputSchema = {
  type: 'object',
  description: 'JSON Schema 2020-12 of the arguments, one object; its references lead to places in itself.',
} as const;

export const newTool = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'description', 'implementationType', 'inputSchema'],
  properties: {
    name: toolName,
    description: text(8000),
    implementationType: { type: 'string', enum: scriptTypes },
    implementationClass: {
      ...text(500),
      description: 'The class that implements it; or else scriptContent.',
    },
    scriptContent: { ...text(262_144), description: 'The script. The catalog keeps it and never runs it.' },
    inputSchema,
    responseSchema: { type: 'object', description: 'JSON Schema 2020-12 of the result.' },
    routing: operatorProperties.routing,
    safety: operatorProperties.safety,
    lifecycleStatus: operatorProperties.lifecycleStatus,
  },
} as const satisfies JSONSchema;
export type NewTool = FromSchema<typeof newTool>;

const ofScripts = 'Only of a tool without an endpoint.';

export const toolPatch = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...operatorProperties,
    inputSchema: { ...inputSchema, description: `${inputSchema.description} ${ofScripts}` },
    responseSchema: {
      type: ['object', 'null'],
      description: `JSON Schema 2020-12 of the result; null for none. ${ofScripts}`,
    },
    examplePrompts: {
      ...prompts,
      type: ['array', 'null'],
      description: 'What people say when they want this tool: all of them; null for none.',
    },
  },
} as const satisfies JSONSchema;
export type ToolPatch = FromSchema<typeof toolPatch>;

export const publication = {
  type: 'object',
  additionalProperties: false,
  properties: {
    endpointIds: { type: 'array', minItems: 1, maxItems: 10_000, uniqueItems: true, items: uuid },
    filter: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: endpointFilter,
      description: 'The active endpoints of the list with the same filter; or else endpointIds.',
    },
    onConflict: {
      type: 'string',
      enum: ['report', 'prefix'],
      default: 'report',
      description: 'Where a name is taken: report it, or put the API’s id in front of the new one.',
    },
  },
} as const satisfies JSONSchema;
export type PublicationBody = FromSchema<typeof publication>;

export const exampleLessons = {
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 2000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['prompts'],
        properties: {
          toolId: uuid,
          toolName: { ...toolName, description: 'Of an active tool; or else toolId.' },
          prompts,
        },
      },
    },
    mode: { type: 'string', enum: ['add', 'replace'], default: 'add' },
  },
} as const satisfies JSONSchema;
export type ExampleLessons = FromSchema<typeof exampleLessons>;

const word = { type: 'string', minLength: 1, maxLength: 256 } as const;

export const toolListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...listProperties,
    sort: sortSchema('name'),
    apiId: endpointFilter.apiId,
    apiVersionId: uuid,
    endpointId: uuid,
    name: toolName,
    domain: word,
    semanticNamespace: word,
    sensitivityTier: { type: 'string', enum: tiers },
    minSemanticWeight: endpointFilter.minSemanticWeight,
    persona: { ...word, description: 'Case aside.' },
    lifecycleStatus: { type: 'string', enum: lifecycleStatuses },
    sourceProtocol: word,
    implementationType: { type: 'string', enum: implementationTypes },
    changed: { type: 'boolean', description: 'Whether a change of the source waits to be accepted.' },
    inReview: { type: 'boolean', description: 'Whether a version waits: a draft, or one in review.' },
    category: endpointFilter.category,
    method: { ...endpointFilter.method, description: 'Of the endpoint: lower-case HTTP method, or call.' },
    tag: { ...endpointFilter.tag, description: 'Of the endpoint’s document, or one that it was given.' },
    gap: endpointFilter.gap,
    conflict: endpointFilter.conflict,
    q: { ...word, description: 'Words, or parts of them, of the name and the description, case aside.' },
  },
} as const satisfies JSONSchema;
export type ToolListQuery = FromSchema<typeof toolListQuery>;

/** Examples of the API document: the tool of one endpoint. */
export const toolExampleId = '0198c0de-0000-7000-8000-00000000c001';

const exampleSchema = {
  type: 'object',
  required: ['accountNo'],
  properties: { accountNo: { type: 'string', pattern: '^[0-9]{10}$' } },
};

const routing = { domain: 'finance.accounts', semanticNamespace: 'prod.accounts.core', semanticWeight: 1 };
const safety = { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false };
const description = 'Shows one account with its balance.';

export const listedToolExample = {
  toolId: toolExampleId,
  name: 'getAccountByNo',
  description,
  title: 'Account by its number',
  owner: 'accounts team',
  version: '1.0.0',
  implementationType: 'lightapi_endpoint',
  endpointId: endpointExampleId,
  endpointActive: true,
  apiId: 'accounts',
  apiVersionId: apiVersionExampleId,
  serviceId: 'com.example.accounts',
  envTag: 'prod',
  sourceProtocol: 'openapi',
  capabilityRef: null,
  lifecycleStatus: 'active',
  domain: 'finance.accounts',
  semanticNamespace: 'prod.accounts.core',
  sensitivityTier: 'internal',
  semanticWeight: 1,
  targetPersonas: [],
  ...namesExample,
  category: null,
  changed: false,
  inReview: [{ version: '2.0.0', state: 'in_review' }],
  refusedBy: [],
  definitionLength: 214,
  active: true,
  aggregateVersion: 1,
  position: 12,
  updateTs: '2026-11-21T09:30:00.000Z',
  updateUser: 'olga',
};

export const paramExample = {
  name: 'accountNo',
  type: 'string',
  required: true,
  schema: exampleSchema.properties.accountNo,
  order: 0,
};

export const toolExample = {
  ...listedToolExample,
  implementationClass: null,
  scriptContent: null,
  inputSchema: exampleSchema,
  responseSchema: null,
  params: [paramExample],
  toolMetadata: { routing, safety },
  beneath: { description, routing, safety, lifecycleStatus: 'active' },
  provenance: {},
  examplePrompts: ['how much is on this account'],
  specExamples: [{ prompt: 'Show me account 0815', arguments: { accountNo: '0815081508' } }],
  change: null,
  scopes: [[{ scheme: 'oauth', scopes: ['account.r'] }]],
  refusals: [],
};

export const toolReceiptExample = {
  id: toolExampleId,
  version: 1,
  position: 12,
  changed: true,
  name: 'getAccountByNo',
  toolVersion: '1.0.0',
  active: true,
};
