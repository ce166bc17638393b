import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { apiId, line } from '../endpoints/api.schemas.js';
import { reachAnswer } from '../endpoints/impact.schemas.js';
import { changeGrades } from '../endpoints/change-grade.js';
import { versionProperties } from '../endpoints/api-version.schemas.js';
import { publication } from '../tools/tool.schemas.js';
import { receiptProperties, uuid } from '../platform/http/schemas.js';

const format = {
  type: 'string',
  enum: ['auto', 'openapi', 'mcp', 'mcp-router', 'lightapi', 'openrpc', 'grpc', 'graphql'],
  default: 'auto',
  description:
    'What the document is; auto looks at it. mcp-router: the tools in the values.yml of a gateway.',
} as const;
const layer = {
  type: 'string',
  enum: ['source', 'gateway', 'lightapi_endpoint', 'lightapi_api'],
  description:
    'Whose word the document is: the source of the API, or what a gateway lists. A LightAPI document speaks of its ' +
    'operations and of the whole API; naming one of the two layers takes that part alone.',
} as const;
const publish = {
  type: 'boolean',
  default: false,
  description: 'Whether the endpoints are published as tools in the same transaction.',
} as const;
const { onConflict } = publication.properties;
const dryRun = {
  type: 'boolean',
  default: false,
  description: 'Whether to answer the report alone, and write nothing.',
} as const;
const createTags = {
  type: 'boolean',
  default: false,
  description:
    'Whether tags of the document that there are not yet are made. Those that there are, of the host or global, are ' +
    'given to endpoints that nobody has classified in any case.',
} as const;
const document = {
  type: ['string', 'object', 'array'],
  description:
    'The API description: its text (JSON, YAML, GraphQL or .proto), or the parsed document; or several files, as ' +
    '`{files: {path: text}, main?}`, or as a zip, tar or tar.gz in base64, `{archive, main?}`.',
} as const;

/** How a document is taken in. */
const options = { format, layer, publish, onConflict, createTags, dryRun } as const;

const { apiVersion, apiType, serviceId, envTag, apiVersionDesc, quarantine } = versionProperties;

/** All but the document, which is read apart. */
export const importEnvelope = {
  type: 'object',
  additionalProperties: false,
  required: ['api', 'version'],
  properties: {
    api: {
      type: 'object',
      additionalProperties: false,
      required: ['apiId'],
      properties: { apiId, apiName: line(128) },
    },
    version: {
      type: 'object',
      additionalProperties: false,
      required: ['serviceId'],
      properties: {
        apiVersion: {
          ...apiVersion,
          description: 'Left out: the version that the document says it is, else 1.0.0.',
        },
        ...{ apiType, serviceId, envTag },
      },
    },
    ...options,
  },
} as const satisfies JSONSchema;
export type ImportEnvelope = FromSchema<typeof importEnvelope>;

export const importBody = {
  ...importEnvelope,
  required: [...importEnvelope.required, 'document'],
  properties: { ...importEnvelope.properties, document },
} as const satisfies JSONSchema;

/** Beside the document in the body, or in the query where the body is the document. */
export const importOptions = {
  type: 'object',
  additionalProperties: false,
  properties: options,
} as const satisfies JSONSchema;
export type ImportOptions = FromSchema<typeof importOptions>;

export const versionImportBody = {
  ...importOptions,
  required: ['document'],
  properties: { ...options, document },
} as const satisfies JSONSchema;

const spec = {
  ...document,
  description: `${document.description} It is imported in the same transaction.`,
} as const;

export const newVersionEnvelope = {
  type: 'object',
  additionalProperties: false,
  required: ['apiVersion', 'apiType', 'serviceId'],
  properties: { apiVersion, apiType, serviceId, envTag, apiVersionDesc, quarantine },
} as const satisfies JSONSchema;
export type NewVersionEnvelope = FromSchema<typeof newVersionEnvelope>;

export const newVersionBody = {
  ...newVersionEnvelope,
  properties: { ...newVersionEnvelope.properties, spec },
} as const satisfies JSONSchema;

export const versionPatchEnvelope = {
  type: 'object',
  additionalProperties: false,
  properties: { apiVersionDesc, quarantine },
} as const satisfies JSONSchema;
export type VersionPatchEnvelope = FromSchema<typeof versionPatchEnvelope>;

export const versionPatchBody = {
  ...versionPatchEnvelope,
  properties: { ...versionPatchEnvelope.properties, spec },
} as const satisfies JSONSchema;

export const changes = ['added', 'changed', 'unchanged', 'reactivated', 'deactivated'] as const;
export type EndpointChange = (typeof changes)[number];

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

export const importReport = {
  type: 'object',
  required: [
    ...['format', 'formatVersion', 'total', 'added', 'changed', 'unchanged', 'deactivated'],
    ...['reactivated', 'unpublished', 'items', 'reach', 'warnings', 'conflicts', 'position'],
    'apiVersion',
  ],
  properties: {
    apiVersionId: { ...uuid, description: 'Left out where a dry run would make the version.' },
    apiId: { ...text, description: 'Left out where a dry run would make the version.' },
    apiVersion: { ...text, description: 'The version that the document went into.' },
    format: text,
    formatVersion: text,
    total: { ...count, description: 'Endpoints that the document holds.' },
    added: count,
    changed: count,
    unchanged: count,
    deactivated: {
      ...count,
      description: 'Endpoints that have vanished from the document with this import.',
    },
    reactivated: { ...count, description: 'Endpoints that have come back, changed or not.' },
    published: { ...count, description: 'New tools; only with publish.' },
    leftOut: {
      type: 'array',
      description: 'Streams, which are published only by their endpointIds; only with publish.',
      items: {
        type: 'object',
        required: ['endpoint', 'name', 'code', 'detail'],
        properties: {
          endpointId: { ...uuid, description: 'Left out where a dry run would make the version.' },
          ...{ endpoint: text, name: text, code: text, detail: text },
        },
      },
    },
    unpublished: {
      ...count,
      description: 'Endpoints that are offered afterwards and are no tools, streams not counted.',
    },
    tagsCreated: { ...count, description: 'New tags; only with createTags.' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: [
          ...['endpoint', 'name', 'change', 'fields', 'grades', 'changes', 'breaking', 'enrichment', 'gaps'],
        ],
        properties: {
          endpointId: { ...uuid, description: 'Left out where a dry run would make the version.' },
          endpoint: text,
          name: { ...text, description: 'What a tool of it is called, unless the name is taken.' },
          change: { type: 'string', enum: changes },
          fields: {
            type: 'array',
            items: text,
            description: 'Dot paths of what the document says differently.',
          },
          grades: {
            type: 'object',
            description: 'Field to how its change strikes callers.',
            additionalProperties: { type: 'string', enum: changeGrades },
          },
          changes: {
            type: 'array',
            description:
              'Where the document says something else than before: at most 12 places of an endpoint, worst grade ' +
              'first, and 4,000 of an import.',
            items: {
              type: 'object',
              required: ['field', 'grade', 'at'],
              properties: {
                field: { ...text, description: 'Dot path.' },
                grade: { type: 'string', enum: changeGrades },
                at: { ...text, description: 'RFC 6901, within the field.' },
                before: { ...text, description: 'Shortened; left out where it was not there.' },
                after: { ...text, description: 'Shortened; left out where it is gone.' },
              },
            },
          },
          breaking: { type: 'boolean', description: 'Whether a call that was fine before may fail now.' },
          enrichment: { type: 'string', enum: ['none', 'partial', 'full'] },
          gaps: { type: 'array', items: text, description: 'Semantic fields that no layer says.' },
        },
      },
    },
    reach: {
      ...reachAnswer,
      description: 'Skills and agents that have tools of what was there and changes, comes back or goes.',
    },
    warnings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'pointer', 'detail'],
        properties: { code: text, pointer: text, detail: text },
      },
    },
    conflicts: {
      type: 'array',
      description: 'Offers that were not taken, and names that are taken.',
      items: {
        type: 'object',
        required: ['endpoint', 'field', 'kept', 'offered', 'layer'],
        properties: {
          endpoint: text,
          field: text,
          kept: { description: 'The value in force.' },
          offered: { description: 'The value that was not taken.' },
          layer: { type: ['string', 'null'], description: 'The layer that offers it.' },
          code: { ...text, description: 'Where the offer is a name: why it was not taken.' },
          detail: text,
          heldBy: { type: 'object', description: 'The tool that has the name, where the token covers it.' },
        },
      },
    },
    position: { type: 'integer', minimum: 0, description: "Position in the host's log." },
  },
} as const satisfies JSONSchema;

/** A receipt of the version, with the report where a document was brought. */
export const versionReceipt = {
  type: 'object',
  required: ['id', 'version', 'position', 'changed'],
  properties: { ...receiptProperties, import: importReport },
} as const satisfies JSONSchema;
