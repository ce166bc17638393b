import { providers } from '../../formats/shared.js';
import { changeGrades, impactAnswer, scopes } from '../../endpoints/shared.js';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { tiers } from '../../platform/auth/sensitivity-tier.js';
import { dateTime, receiptAnswer, receiptProperties, uuid } from '../../platform/http/schemas.js';
import { secretWarnings } from '../../platform/validation/secrets-in-texts.js';
import { taxonomyMembers, taxonomyProperties } from '../../taxonomy/shared.js';
import { paramTypes } from '../model/tool-params.js';
import { implementationTypes, lifecycleStatuses } from '../model/tool-facts.js';
import { inputSchema, toolName } from './tool.schemas.js';

const line = { type: 'string' } as const;
const lineOrNull = { type: ['string', 'null'] } as const;
const idOrNull = { type: ['string', 'null'], format: 'uuid' } as const;

const listed = {
  toolId: uuid,
  name: toolName,
  description: line,
  title: {
    ...lineOrNull,
    description:
      'Name for people, as the spec of its version says it; null where none does, and to narrowed tokens.',
  },
  owner: { ...lineOrNull, description: 'Likewise: who answers for it.' },
  version: { type: 'string', description: 'Semantic version; rises by itself.' },
  implementationType: { type: 'string', enum: implementationTypes },
  endpointId: { ...idOrNull, description: 'Null for a tool without an endpoint.' },
  endpointActive: { type: 'boolean', description: 'False while the endpoint is not offered.' },
  apiId: lineOrNull,
  apiVersionId: idOrNull,
  serviceId: lineOrNull,
  envTag: lineOrNull,
  sourceProtocol: lineOrNull,
  capabilityRef: lineOrNull,
  lifecycleStatus: { type: 'string', enum: lifecycleStatuses },
  domain: lineOrNull,
  semanticNamespace: lineOrNull,
  sensitivityTier: { type: 'string', enum: tiers },
  semanticWeight: { type: 'number' },
  targetPersonas: { type: 'array', items: line },
  ...taxonomyProperties,
  category: { ...lineOrNull, description: 'Of its metadata.' },
  changed: { type: 'boolean', description: 'Whether a change of the source waits to be accepted.' },
  inReview: {
    type: 'array',
    description:
      'Versions that wait, the newest first: drafts, and those in review. Agents are given none of them; empty for narrowed tokens.',
    items: {
      type: 'object',
      required: ['version', 'state'],
      properties: { version: line, state: { type: 'string', enum: ['draft', 'in_review'] } },
    },
  },
  refusedBy: {
    type: 'array',
    description:
      'Makers of models that answer a whole request with 400 where this tool is in it; empty for narrowed tokens.',
    items: { type: 'string', enum: providers },
  },
  definitionLength: {
    type: ['integer', 'null'],
    description: 'Characters of JSON that models read of it at every turn; null to narrowed tokens.',
  },
  active: { type: 'boolean', description: 'The tool’s own flag.' },
  aggregateVersion: { type: 'integer', description: 'For If-Match.' },
  position: { type: 'integer', description: 'Position of the last event that changed the record.' },
  updateTs: dateTime,
  updateUser: line,
} as const;

export const listedTool = {
  type: 'object',
  required: [
    'toolId',
    'name',
    'description',
    'version',
    'implementationType',
    ...taxonomyMembers,
    'changed',
    'inReview',
    'active',
    'aggregateVersion',
    'position',
    'updateTs',
    'updateUser',
  ],
  properties: listed,
} as const satisfies JSONSchema;
export type ListedTool = FromSchema<typeof listedTool>;

/** In a path: the name of a property, whatever that is. */
export const paramName = { type: 'string', minLength: 1, maxLength: 1000 } as const;

export const toolParam = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'type', 'required', 'schema', 'order'],
  properties: {
    name: line,
    type: { type: 'string', enum: paramTypes },
    required: { type: 'boolean' },
    description: line,
    default: {},
    schema: { description: 'Its references lead to places in inputSchema.' },
    order: { type: 'integer' },
  },
} as const satisfies JSONSchema;

export const toolAnswer = {
  ...listedTool,
  properties: {
    ...listed,
    implementationClass: lineOrNull,
    scriptContent: lineOrNull,
    inputSchema,
    responseSchema: { type: ['object', 'null'] },
    params: { type: 'array', items: toolParam },
    toolMetadata: { type: 'object', description: 'Effective {routing, safety}.' },
    beneath: {
      type: 'object',
      description:
        'Description, routing, safety and lifecycle of the source, without the operator’s overrides.',
    },
    provenance: {
      type: 'object',
      description: 'Field (dot path) to `operator` where an operator has spoken on the tool itself.',
      additionalProperties: { const: 'operator' },
    },
    operatorDescription: { type: ['string', 'null'], description: 'For operators; null to narrowed tokens.' },
    examplePrompts: { type: 'array', items: line },
    specExamples: {
      type: 'array',
      description: 'Prompts and calls that should lead to it, as its spec says; empty to narrowed tokens.',
      items: { type: 'object' },
    },
    scopes,
    refusals: {
      type: 'array',
      description: 'What they refuse of it, at most 100; empty to narrowed tokens.',
      items: {
        type: 'object',
        required: ['provider', 'pointer', 'reason', 'remedy'],
        properties: {
          provider: { type: 'string', enum: providers },
          pointer: { type: 'string', description: 'JSON Pointer in the tool: `/name`, `/inputSchema/…`.' },
          reason: line,
          remedy: { ...line, description: 'What would do.' },
        },
      },
    },
    change: {
      type: ['object', 'null'],
      description:
        'What changed at the source since an operator last accepted: {grade, fields, grades, suspicious, before, after}; `grades` by ' +
        'field, the worst of each, and `suspicious` the fields that are suspicious, whether or not they break as well. ' +
        '`quarantine: true`: agents are not given it meanwhile, since its former version can’t be called any more.',
    },
  },
} as const satisfies JSONSchema;
export type ToolAnswer = FromSchema<typeof toolAnswer>;

/** What a write on one tool adds to its receipt. */
export const toolReceipt = {
  type: 'object',
  required: ['id', 'version', 'position', 'changed', 'name', 'toolVersion', 'active'],
  properties: {
    ...receiptProperties,
    name: toolName,
    toolVersion: { type: 'string', description: 'Semantic version of the tool.' },
    inReview: { type: 'string', description: 'The version that waits for a review, where one does.' },
    active: { type: 'boolean' },
  },
} as const satisfies JSONSchema;

/** The receipt of a deactivation: with what it has changed. */
export const toolDeactivationReceipt = {
  ...toolReceipt,
  required: [...toolReceipt.required, 'impact'],
  properties: { ...toolReceipt.properties, impact: impactAnswer },
} as const satisfies JSONSchema;

/** The receipt of an API, or a version, that is switched on again. */
export const apiActivationAnswer = {
  ...receiptAnswer,
  title: 'ToolReceipt',
  required: [...receiptAnswer.required, 'conflicts'],
  properties: {
    ...receiptAnswer.properties,
    conflicts: {
      type: 'array',
      description: 'Tools that stay inactive, for another has their name by now.',
      items: {
        type: 'object',
        required: ['toolId', 'name', 'code', 'detail'],
        properties: { toolId: uuid, name: line, code: line, detail: line },
      },
    },
  },
} as const satisfies JSONSchema;

const unpublished = { endpointId: uuid, endpoint: line, name: line, code: line, detail: line } as const;

/** Tools that agents are not given until somebody accepts what is new of them. */
export const withheldTools = {
  type: 'array',
  description:
    'Tools that agents are not given until somebody accepts what changed: POST …/tools/{toolId}/changes/accept. By name.',
  items: {
    title: 'WithheldTool',
    type: 'object',
    required: ['toolName', 'grade', 'fields', 'suspicious'],
    properties: {
      toolId: { ...uuid, description: 'Left out where a dry run would make the tool’s version.' },
      toolName: line,
      grade: { type: 'string', enum: changeGrades },
      fields: { type: 'array', items: line, description: 'Dot paths of what waits to be accepted.' },
      suspicious: {
        type: 'array',
        items: line,
        description:
          'Those of them whose change is suspicious, whether or not it breaks as well: catalog:admin accepts it.',
      },
    },
  },
} as const satisfies JSONSchema;

/** The receipt of an override of a tool. */
export const toolWordsReceipt = {
  ...toolReceipt,
  properties: {
    ...toolReceipt.properties,
    warnings: secretWarnings,
    withheld: withheldTools,
  },
} as const satisfies JSONSchema;

export const publicationAnswer = {
  title: 'Publication',
  type: 'object',
  required: ['published', 'unchanged', 'conflicts', 'leftOut', 'withheld', 'items', 'position'],
  properties: {
    published: { type: 'integer' },
    unchanged: { type: 'integer' },
    withheld: withheldTools,
    conflicts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['endpointId', 'endpoint', 'name', 'code', 'detail'],
        properties: {
          ...unpublished,
          heldBy: {
            type: 'object',
            description: 'The tool that has the name, where the token covers it.',
            required: ['toolId', 'apiId', 'apiVersion'],
            properties: {
              toolId: uuid,
              apiId: { type: ['string', 'null'] },
              apiVersion: { type: ['string', 'null'] },
            },
          },
        },
      },
    },
    leftOut: {
      type: 'array',
      description: 'Streams, which are published only by their endpointIds.',
      items: {
        type: 'object',
        required: ['endpointId', 'endpoint', 'name', 'code', 'detail'],
        properties: unpublished,
      },
    },
    items: {
      type: 'array',
      items: {
        ...toolReceipt,
        required: [...toolReceipt.required, 'endpointId'],
        properties: { ...toolReceipt.properties, endpointId: uuid },
      },
    },
    position: { type: 'integer' },
  },
} as const satisfies JSONSchema;

export const toolBatchAnswer = {
  type: 'object',
  required: ['items', 'position'],
  properties: {
    items: { type: 'array', items: toolReceipt },
    position: { type: 'integer' },
    warnings: secretWarnings,
  },
} as const satisfies JSONSchema;
