import type { FromSchema } from 'json-schema-to-ts';
import { text, uuid } from '../platform/http/schemas.js';
import { tiers } from '../platform/auth/sensitivity-tier.js';
import { skillFields } from '../skills/shared.js';
import { skillMembers } from './rows.js';

const flag = { type: 'boolean', default: false } as const;
const line = { type: 'string' } as const;
const lines = { type: 'array', items: line } as const;
/** No control characters. */
const printable = '^[^\\p{Cc}]*$';
const open = { type: 'object' } as const;
const tier = { type: 'string', enum: tiers } as const;

export const catalogQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['serviceId', 'envTag'],
  properties: {
    serviceId: {
      ...text(512),
      pattern: printable,
      description: 'Service that the agent is registered for; the token must cover it.',
    },
    envTag: {
      ...text(64),
      pattern: printable,
      description: 'Environment that the agent is registered for; the token must cover it.',
    },
    withheld: {
      ...flag,
      description:
        'Adds what is withheld and why, and diagnostics. Needs catalog:admin; what lies above the tier of the token is left out.',
    },
    examples: { ...flag, description: 'Adds the example prompts of each tool.' },
    since: {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
      description:
        'The catalogHash at hand: answers an RFC 6902 patch of that document (application/json-patch+json) where that ' +
        'is smaller than the document. Not with withheld, examples or asOf.',
    },
    asOf: {
      type: 'string',
      maxLength: 64,
      anyOf: [{ pattern: '^[0-9]{1,15}$' }, { format: 'date-time' }],
      description:
        'A position of the log, or a time: what the agent would have been given then, by the limits of this token. ' +
        'Needs catalog:admin.',
      examples: ['2026-11-20T12:00:00Z'],
    },
    context: {
      type: 'string',
      maxLength: 4000,
      description:
        'Names of the context at hand, comma-separated: tools that require more of it are withheld.',
      examples: ['accountNo,host_id'],
    },
  },
} as const;

const { serviceId, envTag } = catalogQuery.properties;

/** A stream is judged by its own token, which says service and environment where the request does not. */
export const catalogEventsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    serviceId,
    envTag,
    after: { type: 'integer', minimum: 0, description: 'The catalogVersion at hand.' },
  },
} as const;
export type CatalogEventsQuery = FromSchema<typeof catalogEventsQuery>;

/** The query as it arrives: validated, flags coerced, defaults filled in. */
export type CatalogQuery = FromSchema<typeof catalogQuery>;

/** An object whose members not named as optional are required, and that has no others. */
function exactly<const Members extends Readonly<Record<string, object>>>(
  properties: Members,
  optional: readonly (keyof Members & string)[] = [],
) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', additionalProperties: false, required, properties } as const;
}

const param = exactly(
  {
    name: line,
    type: line,
    required: { type: 'boolean' },
    description: line,
    default: {},
    schema: { type: ['object', 'boolean'] },
    order: { type: 'integer' },
  },
  ['description', 'default'],
);

const lineOrNull = { type: ['string', 'null'], description: 'Null: nobody has said it.' } as const;

const routing = exactly({
  domain: lineOrNull,
  semanticNamespace: lineOrNull,
  category: lineOrNull,
  semanticDescription: lineOrNull,
  semanticKeywords: lines,
  targetPersonas: lines,
  sensitivityTier: tier,
  semanticWeight: { type: 'number' },
  contextRequirements: exactly({ requiredInputs: lines, requiredContext: lines }),
  dependencies: {
    type: 'array',
    items: exactly({ endpoint: line, relation: line }, ['relation']),
    description: 'Endpoint keys, of disclosed tools only.',
  },
  fallbackEndpoint: { ...lineOrNull, description: 'Endpoint key, of a disclosed tool only; or null.' },
});

const safety = exactly(
  {
    readOnly: { type: 'boolean' },
    idempotent: { type: 'boolean' },
    destructive: { type: 'boolean' },
    humanApprovalRequired: { type: 'boolean' },
    approvalWorkflow: { ...line, description: 'wfDefId or namespace/name.' },
  },
  ['approvalWorkflow'],
);

/** What only a tool with an endpoint has. */
const ofEndpoint = {
  endpointId: uuid,
  endpoint: { ...line, description: 'Endpoint key.' },
  endpointName: line,
  endpointDescription: line,
  method: line,
  path: line,
  apiId: line,
  apiVersionId: uuid,
  apiType: line,
} as const;

const tool = exactly(
  {
    ...ofEndpoint,
    toolId: uuid,
    name: line,
    description: line,
    version: line,
    deprecation: {
      ...exactly({ on: line, message: line, overdue: { const: true } }, ['overdue']),
      description: 'The day from which the version may go, what to take instead; whether it has passed.',
    },
    sourceProtocol: { ...line, description: 'Format of the document that its endpoint came from.' },
    implementationType: line,
    capabilityRef: line,
    lifecycleStatus: line,
    accessLevel: { type: 'string', enum: ['read', 'write', 'execute'] },
    config: open,
    tags: lines,
    categories: lines,
    inputSchema: { ...open, description: 'JSON Schema 2020-12 that stands alone.' },
    outputSchema: open,
    params: { type: 'array', items: param },
    routingMetadata: routing,
    safety,
    examplePrompts: { ...lines, description: 'Present with examples=true.' },
  },
  [...keysOf(ofEndpoint), 'deprecation', 'sourceProtocol', 'capabilityRef', 'outputSchema', 'examplePrompts'],
);

const workflow = exactly({
  wfDefId: uuid,
  namespace: line,
  name: line,
  version: line,
  workflowRole: line,
  startMode: line,
  config: open,
});

const skill = exactly({
  skillId: uuid,
  ...Object.fromEntries(skillMembers.map((name) => [name, skillFields[name].answered as object])),
  priority: { type: 'integer' },
  sequenceId: { type: 'integer' },
  config: open,
  tags: lines,
  categories: lines,
  dependsOn: { type: 'array', items: uuid },
  workflows: { type: 'array', items: workflow },
  tools: { type: 'array', items: tool, description: 'By name, then id.' },
});

const agent = exactly(
  {
    name: line,
    apiVersion: line,
    personas: lines,
    maxSensitivityTier: tier,
    modelProvider: line,
    modelName: line,
  },
  ['modelProvider', 'modelName'],
);

export const catalogAnswer = exactly(
  {
    formatVersion: line,
    hostId: uuid,
    agentDefId: uuid,
    serviceId: line,
    envTag: line,
    catalogVersion: {
      type: 'integer',
      description: 'Position of the last event that could change what this agent is given. It only grows.',
    },
    catalogHash: {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of the RFC 8785 JSON of this document without catalogVersion, catalogHash, ttlSeconds, withheld, diagnostics and examplePrompts.',
    },
    ttlSeconds: { type: 'integer' },
    agent,
    skills: { type: 'array', items: skill, description: 'By sequenceId, priority descending, name, id.' },
    withheld: {
      type: 'array',
      description:
        'Present with withheld=true: tools, then each skill without an active tool as an entry of its own, without toolId and toolName.',
      items: exactly({ skillId: uuid, toolId: uuid, toolName: line, reason: line, detail: line }, [
        'toolId',
        'toolName',
      ]),
    },
    diagnostics: {
      type: 'array',
      description: 'Present with withheld=true.',
      items: exactly({ toolId: uuid, toolName: line, code: line }),
    },
  },
  ['withheld', 'diagnostics'],
);

export const explanationQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['tool'],
  properties: {
    serviceId,
    envTag,
    tool: { ...text(128), description: 'Id or name of the tool.' },
    context: catalogQuery.properties.context,
  },
} as const;
export type ExplanationQuery = FromSchema<typeof explanationQuery>;

const explainedRule = {
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
          rules: { type: 'array', items: explainedRule },
        },
      },
    },
  },
} as const;

function keysOf<const T extends object>(members: T): (keyof T & string)[] {
  return Object.keys(members) as (keyof T & string)[];
}
