import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import {
  dateTime,
  listProperties,
  objectOf,
  receiptProperties,
  text,
  uuid,
} from '../../platform/http/schemas.js';
import { policyReasons } from '../gateway.rules.js';
import { gatewayExampleId } from '../gateway.fields.js';
import { driftFindings, driftGrades } from './drift.js';

const toolName = { type: 'string', description: 'As the gateway lists it, or should.' } as const;
const finding = { type: 'string', enum: driftFindings } as const;

const dismissed = {
  title: 'Dismissal',
  ...objectOf({
    reason: { type: 'string' },
    by: { type: 'string' },
    at: dateTime,
    digest: { type: 'string', description: 'Hex SHA-256 of what the finding said then.' },
  }),
  description: 'Why it may stay; absent from findings that are open.',
} as const;

const apiVersionId = {
  ...uuid,
  description: 'Where new tools are imported; left out, an API of type mcp is made for the gateway.',
} as const;

const driftItem = objectOf(
  {
    toolName,
    toolId: uuid,
    finding,
    grade: {
      type: 'string',
      enum: driftGrades,
      description:
        'Of a changed schema: whether calls that were fine may fail now; of a schema or description whose texts begin to address the model, suspicious.',
    },
    version: { type: 'string', description: 'The version of the tool whose schema is compared.' },
    skills: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Skills that keep to the version which the gateway does not serve, or which can’t be called.',
    },
    before: { description: 'As the catalog has it.' },
    after: { description: 'As the gateway lists it.' },
    reason: {
      type: 'string',
      enum: policyReasons,
      description: 'Why the policy of the gateway blocks the tool.',
    },
    details: {
      type: 'array',
      items: { type: 'string' },
      description: 'Why the operation of the version does not fit the schema of its API any more.',
    },
    dismissed,
  },
  ['toolId', 'grade', 'version', 'skills', 'before', 'after', 'reason', 'details', 'dismissed'],
);

export const driftAnswer = objectOf({
  gatewayId: uuid,
  checkedAt: dateTime,
  protocolVersion: { type: 'string', description: 'The revision of MCP that was spoken.' },
  items: { type: 'array', items: driftItem },
});

/** Findings that can be accepted into the catalog. */
const acceptable = [
  'missing_from_gateway',
  'not_in_catalog',
  'schema_changed',
  'description_changed',
  'annotations_changed',
  'inactive_in_catalog',
] as const;

export const driftAcceptance = {
  type: 'object',
  additionalProperties: false,
  required: ['findings'],
  properties: {
    findings: {
      type: 'array',
      minItems: 1,
      maxItems: 20_000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['toolName', 'finding'],
        properties: {
          toolName: text(1000),
          finding: { type: 'string', enum: acceptable },
          apiVersionId: { ...apiVersionId, description: 'Of a new tool, in place of that of the request.' },
        },
      },
    },
    apiVersionId,
  },
} as const satisfies JSONSchema;
export type DriftAcceptanceBody = FromSchema<typeof driftAcceptance>;
export type AcceptableFinding = DriftAcceptanceBody['findings'][number];

export const driftAcceptanceAnswer = objectOf({
  gatewayId: uuid,
  items: {
    type: 'array',
    description:
      'The findings that were accepted, each with the receipt of the endpoint whose layer was written, or of the ' +
      'exposure that began or ended.',
    items: {
      type: 'object',
      required: ['id', 'version', 'position', 'changed', 'toolName', 'finding'],
      properties: { ...receiptProperties, toolName, finding, toolId: uuid, endpointId: uuid },
    },
  },
  conflicts: {
    type: 'array',
    description: 'Endpoints that were imported and could not become tools: the name is taken.',
    items: objectOf({
      endpointId: uuid,
      endpoint: { type: 'string' },
      name: { type: 'string' },
      code: { type: 'string' },
      detail: { type: 'string' },
    }),
  },
  position: { type: 'integer' },
});

const { limit, cursor } = listProperties;

/** A history has nothing inactive. */
export const driftHistoryQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { limit, cursor },
} as const satisfies JSONSchema;
export type DriftHistoryQuery = FromSchema<typeof driftHistoryQuery>;

const orNull = { type: ['string', 'null'] } as const;

/** The recorded part of a check: its findings, without the texts that they are about. */
const found = {
  checkedAt: dateTime,
  protocolVersion: orNull,
  failure: {
    type: ['object', 'null'],
    required: ['code', 'detail'],
    properties: { code: { type: 'string' }, detail: { type: 'string' } },
    description: 'Why the gateway could not be asked.',
  },
  findings: {
    type: 'array',
    items: {
      title: 'DriftFinding',
      ...objectOf(
        {
          ...{
            toolName,
            toolId: orNull,
            finding,
            grade: orNull,
            reason: orNull,
            version: { type: 'string' },
          },
          dismissed,
        },
        ['version', 'dismissed'],
      ),
    },
  },
} as const;
const foundMembers = ['checkedAt', 'protocolVersion', 'failure', 'findings'] as const;

export const driftHistoryEntry = {
  type: 'object',
  required: ['kind', ...foundMembers, 'position', 'updateTs', 'updateUser'],
  properties: {
    kind: { type: 'string', enum: ['recorded', 'accepted', 'dismissed', 'reopened'] },
    ...found,
    position: { type: 'integer' },
    updateTs: dateTime,
    updateUser: { type: 'string' },
  },
} as const satisfies JSONSchema;
export type DriftHistoryEntry = FromSchema<typeof driftHistoryEntry>;

export const driftCheckAnswer = {
  type: 'object',
  required: ['id', 'version', 'position', 'changed', ...foundMembers],
  properties: { ...receiptProperties, ...found },
} as const satisfies JSONSchema;

/** Examples of the API document: a gateway that lists a tool that the catalog does not know. */

const toolId = '0198c0de-0000-7000-8000-00000000c001';

export const driftExample = {
  gatewayId: gatewayExampleId,
  checkedAt: '2026-11-21T09:30:00.000Z',
  protocolVersion: '2026-07-28',
  items: [
    {
      toolName: 'getAccountByNo',
      toolId,
      finding: 'description_changed',
      before: 'Reads one account.',
      after: 'Reads an account.',
    },
    { toolName: 'listBranches', finding: 'not_in_catalog' },
  ],
};

export const acceptanceExample = { findings: [{ toolName: 'listBranches', finding: 'not_in_catalog' }] };

export const acceptedExample = {
  gatewayId: gatewayExampleId,
  items: [
    {
      id: '3b0c1a5e-6f5c-5f0e-8f57-1d2f5a6f7c23',
      version: 1,
      position: 37,
      changed: true,
      toolName: 'listBranches',
      finding: 'not_in_catalog',
      toolId: '0198c0de-0000-7000-8000-00000000c002',
      endpointId: '3b0c1a5e-6f5c-5f0e-8f57-1d2f5a6f7c23',
    },
  ],
  conflicts: [],
  position: 40,
};

const foundExample = {
  checkedAt: '2026-11-21T09:30:00.000Z',
  protocolVersion: '2026-07-28',
  failure: null,
  findings: [
    { toolName: 'listBranches', toolId: null, finding: 'not_in_catalog', grade: null, reason: null },
  ],
};

export const checkExample = {
  id: gatewayExampleId,
  version: 1,
  position: 41,
  changed: true,
  ...foundExample,
};

export const historyExample = {
  kind: 'recorded',
  ...foundExample,
  position: 41,
  updateTs: '2026-11-21T09:30:00.000Z',
  updateUser: 'gateway-checks',
};
