/** The fields of a gateway. Pure. */
import { versionProperties } from '../endpoints/shared.js';
import { callerIdentity } from './caller-identity.rules.js';
import { tiers } from '../platform/auth/sensitivity-tier.js';
import { secretNamePattern, text } from '../platform/http/schemas.js';
import { field, later, type Values } from '../platform/records/fields.js';

/** How to authenticate somewhere: by the name of a secret, never by the secret. */
export const credential = {
  additionalProperties: false,
  required: ['type', 'secret'],
  properties: {
    type: { type: 'string', const: 'bearer' },
    secret: {
      type: 'string',
      pattern: secretNamePattern,
      description: 'Name of a secret: SECRETS_DIR/<hostId>/<name>.json holds it and the origins it is for.',
    },
  },
} as const;

/** Revisions of MCP that a gateway is spoken to in; `auto` finds out. */
const protocolVersions = ['auto', '2026-07-28', '2025-11-25'] as const;

/** Service and environment identify a gateway within its host. */
export const gatewayIdentity = {
  serviceId: field({
    sql: 'text',
    shown: {
      ...versionProperties.serviceId,
      description: 'The service that the gateway is: compared with the claim sid.',
    },
    stored: { type: 'string' },
  }),
  envTag: field({
    sql: 'text',
    shown: {
      ...versionProperties.envTag,
      description: 'The environment that it serves: compared with the claim env.',
    },
    stored: { type: 'string' },
  }),
};

export const gatewaySettings = {
  url: field({
    sql: 'text',
    shown: { ...text(2000), description: 'Where it speaks MCP over Streamable HTTP.' },
    stored: { type: 'string' },
  }),
  protocolVersion: field({
    sql: 'text',
    shown: {
      type: 'string',
      enum: protocolVersions,
      description: 'The revision of MCP to speak; auto finds out.',
      default: 'auto',
    },
    stored: { enum: protocolVersions },
  }),
  maxSensitivityTier: field({
    sql: 'text',
    shown: {
      type: 'string',
      enum: tiers,
      description: 'The gateway blocks tools above it.',
      default: 'internal',
    },
    stored: { enum: tiers },
  }),
  auth: field({
    sql: 'jsonb',
    shown: {
      type: ['object', 'null'],
      ...credential,
      description: 'How to authenticate; the credential is only ever named.',
      default: null,
    },
    stored: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['type', 'secret'],
      properties: { type: { const: 'bearer' }, secret: { type: 'string' } },
    },
  }),
  callerIdentity: later(
    field({
      sql: 'jsonb',
      shown: {
        ...callerIdentity,
        description: 'How it passes on to APIs who calls; secrets are only ever named.',
        default: { type: 'credential' },
      },
      stored: callerIdentity,
    }),
  ),
  checkIntervalSeconds: field({
    sql: 'integer',
    shown: {
      type: ['integer', 'null'],
      minimum: 60,
      maximum: 604_800,
      description: 'How often the gateway is compared with the catalog by itself; null: never.',
      default: null,
    },
    stored: { type: ['integer', 'null'] },
  }),
};

export type GatewayProfile = Values<typeof gatewayIdentity> & Values<typeof gatewaySettings>;

export const gatewayExampleId = '0198c0de-0000-7000-8000-00000000d001';

/** What the API document shows of every record. */
export const exampleRecord = {
  active: true,
  aggregateVersion: 1,
  position: 21,
  updateTs: '2026-11-21T09:30:00.000Z',
  updateUser: 'olga',
};

export const newGatewayExample = {
  serviceId: 'com.example.gateway-1.0.0',
  envTag: 'dev',
  url: 'https://gateway.example.com/mcp',
  maxSensitivityTier: 'internal',
  auth: { type: 'bearer', secret: 'dev-gateway' },
};

export const gatewayExample = {
  gatewayId: gatewayExampleId,
  ...newGatewayExample,
  protocolVersion: 'auto',
  callerIdentity: { type: 'credential' },
  checkIntervalSeconds: null,
  ...exampleRecord,
};
