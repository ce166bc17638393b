import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import {
  listProperties,
  objectOf,
  receiptAnswer,
  recordMembers,
  recordProperties,
  sortSchema,
  uuid,
} from '../../platform/http/schemas.js';
import { secretWarnings } from '../../platform/validation/secrets-in-texts.js';
import { tiers } from '../../platform/auth/sensitivity-tier.js';
import { apiId } from '../api-version/api-version.schemas.js';
import { semanticFields } from './endpoint.effective.js';
import { taxonomyMembers, taxonomyProperties } from '../../taxonomy/shared.js';
import { layers, mergedLayers } from './endpoint.layers.js';
import { scopeFacts } from '../../formats/shared.js';

const lifecycleStatuses = ['active', 'deprecated', 'retired'] as const;
const word = { type: 'string', minLength: 1, maxLength: 256 } as const;
const wordOrNull = { ...word, type: ['string', 'null'] } as const;
const textsOrNull = { type: ['array', 'null'], maxItems: 200, items: word } as const;
const flagOrNull = { type: ['boolean', 'null'] } as const;

/** Overrides of `toolMetadata.routing`; null takes one back. */
const routingPatch = {
  title: 'RoutingPatch',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    domain: { ...wordOrNull, description: 'Levels are separated by dots: finance.accounts.' },
    category: wordOrNull,
    semanticNamespace: wordOrNull,
    semanticDescription: { type: ['string', 'null'], minLength: 1, maxLength: 4000 },
    semanticKeywords: textsOrNull,
    targetPersonas: textsOrNull,
    sensitivityTier: {
      ...wordOrNull,
      description:
        'public, internal, confidential or restricted, or a text that contains one of these words.',
    },
    semanticWeight: { type: ['number', 'null'], minimum: 0, maximum: 10 },
    costTier: { type: ['string', 'null'], enum: ['low', 'medium', 'high', null] },
    contextRequirements: {
      type: ['object', 'null'],
      additionalProperties: false,
      properties: {
        requiredInputs: { type: 'array', maxItems: 100, items: word },
        requiredContext: { type: 'array', maxItems: 100, items: word },
      },
    },
    dependencies: {
      type: ['array', 'null'],
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['endpoint'],
        properties: { endpoint: { ...word, maxLength: 1024 }, relation: word },
      },
    },
    fallbackEndpoint: { ...wordOrNull, maxLength: 1024 },
  },
} as const;

const safetyPatch = {
  title: 'SafetyPatch',
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    readOnly: flagOrNull,
    read_only: { ...flagOrNull, description: 'The same as readOnly, which wins where both are said.' },
    idempotent: flagOrNull,
    destructive: flagOrNull,
    humanApprovalRequired: flagOrNull,
    approvalWorkflow: { ...wordOrNull, description: 'wfDefId or namespace/name of a published workflow.' },
  },
} as const;

/** The overrides of an endpoint or a tool: left out is unchanged, null takes back. */
export const operatorProperties = {
  description: {
    type: ['string', 'null'],
    maxLength: 8000,
    description: 'For agents: in catalogs, in search, and in what gateways list.',
  },
  operatorDescription: {
    type: ['string', 'null'],
    minLength: 1,
    maxLength: 8000,
    description: 'For operators: no agent is given it, and no configuration of a gateway holds it.',
  },
  routing: routingPatch,
  safety: safetyPatch,
  lifecycleStatus: { type: ['string', 'null'], enum: [...lifecycleStatuses, null] },
} as const;

export const endpointPatch = {
  type: 'object',
  additionalProperties: false,
  properties: operatorProperties,
} as const satisfies JSONSchema;
export type EndpointPatch = FromSchema<typeof endpointPatch>;

/** The receipt of an override of an endpoint. */
export const endpointOverrideReceipt = {
  ...receiptAnswer,
  title: 'EndpointReceipt',
  properties: { ...receiptAnswer.properties, warnings: secretWarnings },
} as const satisfies JSONSchema;

/** Settles a conflict. */
export const settlement = {
  type: 'object',
  additionalProperties: false,
  required: ['field', 'take'],
  properties: {
    field: { ...word, description: 'Dot path, as the conflict names it.' },
    take: {
      type: 'string',
      enum: layers,
      description: 'operator keeps your word, the layer that makes the offer replaces it.',
    },
  },
} as const satisfies JSONSchema;

/** The filters of endpoints, for lists and for publishing. */
export const endpointFilter = {
  apiId,
  apiVersionId: uuid,
  method: { ...word, description: 'Lower-case HTTP method, or call.' },
  sourceProtocol: word,
  domain: word,
  semanticNamespace: word,
  sensitivityTier: { type: 'string', enum: tiers },
  minSemanticWeight: { type: 'number', minimum: 0, maximum: 10, description: 'At least this weight.' },
  persona: { ...word, description: 'Case aside.' },
  lifecycleStatus: { type: 'string', enum: lifecycleStatuses },
  gap: { type: 'string', enum: semanticFields, description: 'A field that no layer says.' },
  conflict: { type: 'boolean', description: 'Whether a layer offers what is not taken.' },
  changed: {
    type: 'boolean',
    description: 'Whether a document says something else than what was last accepted.',
  },
  category: { ...word, description: 'Of its metadata, or one that it was put into.' },
  tag: { ...word, description: 'Of its document, or one that it was given.' },
  q: { ...word, description: 'Words, or parts of them, of the key, name and description, case aside.' },
} as const;

export const endpointListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { ...listProperties, sort: sortSchema('endpoint'), ...endpointFilter },
} as const satisfies JSONSchema;
export type EndpointListQuery = FromSchema<typeof endpointListQuery>;

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const textOrNull = { type: ['string', 'null'] } as const;

const listed = {
  endpointId: { ...uuid, description: 'UUID v5 of (namespace apiVersionId, name endpoint).' },
  apiId,
  apiVersionId: uuid,
  serviceId: text,
  envTag: textOrNull,
  endpoint: { ...text, description: 'The endpoint key: /accounts/{accountNo}@get, transfer@call.' },
  method: text,
  path: text,
  name: text,
  description: text,
  sourceProtocol: text,
  lifecycleStatus: { type: 'string', enum: lifecycleStatuses },
  domain: textOrNull,
  semanticNamespace: textOrNull,
  sensitivityTier: { type: 'string', enum: tiers },
  semanticWeight: { type: 'number' },
  targetPersonas: texts,
  ...taxonomyProperties,
  category: { ...textOrNull, description: 'Of its metadata.' },
  documentTags: { ...texts, description: 'As the document has them.' },
  enrichment: { type: 'string', enum: ['none', 'partial', 'full'] },
  gaps: texts,
  changed: endpointFilter.changed,
  conflict: endpointFilter.conflict,
  ...recordProperties,
} as const;

export const listedEndpoint = {
  type: 'object',
  required: [
    ...(['endpointId', 'apiId', 'apiVersionId', 'endpoint', 'method', 'path', 'name'] as const),
    ...taxonomyMembers,
    ...recordMembers,
  ],
  properties: listed,
} as const satisfies JSONSchema;
export type ListedEndpoint = FromSchema<typeof listedEndpoint>;

/** Any-of sets: a caller needs all scopes of one set. They are the gateway's business and authorize nothing here. */
export const scopes = {
  type: 'array',
  items: { type: 'array', items: scopeFacts },
  description: 'Scopes that the API demands at the gateway: all of one set, of any set.',
} as const;

const conflict = objectOf({
  field: { ...text, description: 'Dot path.' },
  kept: { description: 'The value in force.' },
  offered: { description: 'The value that was not taken.' },
  layer: { type: ['string', 'null'], description: 'The layer that offers it.' },
});

export const endpointAnswer = {
  ...listedEndpoint,
  properties: {
    ...listed,
    inputSchema: { type: 'object', description: 'JSON Schema 2020-12 of the arguments; stands alone.' },
    outputSchema: { type: ['object', 'null'] },
    toolMetadata: { type: 'object', description: 'Effective {routing, safety, …}.' },
    provenance: {
      type: 'object',
      description: 'Field (dot path) to the layer that its value came from.',
      additionalProperties: { type: 'string', enum: mergedLayers },
    },
    layers: {
      type: 'object',
      description:
        'What each layer says; under `held` the guards that a document loosens and that stay as they were until an ' +
        'administrator accepts it.',
    },
    conflicts: { type: 'array', items: conflict, description: 'Offers that wait for an operator.' },
    operatorDescription: { ...textOrNull, description: 'For operators; null to narrowed tokens.' },
    scopes,
    vanished: {
      type: 'array',
      items: { type: 'string', enum: layers },
      description: 'Layers whose document no longer holds it.',
    },
    deactivated: { type: 'boolean', description: 'Whether an operator has switched it off.' },
  },
} as const satisfies JSONSchema;
export type EndpointAnswer = FromSchema<typeof endpointAnswer>;
