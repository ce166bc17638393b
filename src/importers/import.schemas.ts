import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import {
  apiId,
  apiVersionExampleId,
  endpointExampleId,
  line,
  receiptExample,
  versionProperties,
} from '../endpoints/shared.js';
import { formatNames } from '../formats/shared.js';
import { receiptProperties } from '../platform/http/schemas.js';
import { publication } from '../tools/shared.js';
import { importReport } from './import-report.schemas.js';

const format = {
  type: 'string',
  enum: formatNames,
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

/** All members but the document, which is read separately. */
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

export const resyncBody = {
  ...{ type: 'object', additionalProperties: false },
  properties: { dryRun },
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

/** A receipt of the version, with the report where a document was brought. */
export const versionReceipt = {
  type: 'object',
  required: ['id', 'version', 'position', 'changed'],
  properties: { ...receiptProperties, import: importReport },
} as const satisfies JSONSchema;

/** Examples of the API document. */
export const documentExample = {
  openapi: '3.1.0',
  info: { title: 'Account API', version: '1.2.0' },
  paths: {
    '/accounts/{accountNo}': {
      get: {
        operationId: 'getAccountByNo',
        tags: ['accounts'],
        summary: 'Get one account',
        parameters: [{ name: 'accountNo', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { '200': { description: 'The account' } },
      },
    },
  },
};

export const reportExample = {
  apiVersionId: apiVersionExampleId,
  apiId: 'accounts',
  apiVersion: '1.2.0',
  format: 'openapi',
  formatVersion: '3.1.0',
  total: 1,
  added: 1,
  changed: 0,
  unchanged: 0,
  deactivated: 0,
  reactivated: 0,
  unpublished: 1,
  items: [
    {
      endpointId: endpointExampleId,
      endpoint: '/accounts/{accountNo}@get',
      name: 'getAccountByNo',
      change: 'added',
      fields: [],
      grades: {},
      changes: [],
      breaking: false,
      suspicious: [],
      held: [],
      enrichment: 'none',
      gaps: ['routing.semanticNamespace', 'routing.semanticDescription', 'routing.sensitivityTier'],
    },
  ],
  reach: { skills: [], agents: [] },
  warnings: [
    {
      code: 'secret_redacted',
      pointer: '/paths/~1accounts/get/parameters/0/example',
      detail: 'A secret (credential) was replaced by [redacted:credential].',
    },
  ],
  conflicts: [],
  inReview: [
    {
      toolId: '0198c0de-0000-7000-8000-00000000c001',
      toolName: 'getAccountByNo',
      version: '2.0.0',
      isNew: true,
    },
  ],
  withheld: [],
  operations: [],
  position: 5,
};

export const importExample = {
  api: { apiId: 'accounts', apiName: 'Account API' },
  version: { apiVersion: '1.2.0', serviceId: 'com.example.accounts', envTag: 'prod' },
  document: documentExample,
  publish: true,
};

export const versionExample = {
  apiVersion: '1.2.0',
  apiType: 'openapi',
  serviceId: 'com.example.accounts',
  envTag: 'prod',
  spec: documentExample,
};

export const versionReceiptExample = { ...receiptExample, position: 5, import: reportExample };
