import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { versionProperties } from '../endpoints/api-version.schemas.js';
import { tiers } from '../platform/auth/sensitivity-tier.js';
import { listProperties, recordMembers, recordProperties, text, uuid } from '../platform/http/schemas.js';
import { secretNamePattern } from '../platform/network/secret-name.js';
import { protocolVersions } from './gateway.events.js';

const serviceId = {
  ...versionProperties.serviceId,
  description: 'The service that the gateway is: compared with the claim sid.',
} as const;
const envTag = {
  ...versionProperties.envTag,
  description: 'The environment that it serves: compared with the claim env.',
} as const;

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

const settings = {
  url: { ...text(2000), description: 'Where it speaks MCP over Streamable HTTP.' },
  protocolVersion: {
    type: 'string',
    enum: protocolVersions,
    description: 'The revision of MCP to speak; auto finds out.',
  },
  maxSensitivityTier: {
    type: 'string',
    enum: tiers,
    description: 'The gateway blocks tools above it.',
  },
  auth: {
    type: ['object', 'null'],
    ...credential,
    description: 'How to authenticate; the credential is only ever named.',
  },
  checkIntervalSeconds: {
    type: ['integer', 'null'],
    minimum: 60,
    maximum: 604_800,
    description: 'How often the gateway is compared with the catalog by itself; null: never.',
  },
} as const;

/** The whole profile: what is left out takes its default. */
export const gatewayBody = {
  type: 'object',
  additionalProperties: false,
  required: ['serviceId', 'envTag', 'url'],
  properties: {
    serviceId,
    envTag,
    url: settings.url,
    protocolVersion: { ...settings.protocolVersion, default: 'auto' },
    maxSensitivityTier: { ...settings.maxSensitivityTier, default: 'internal' },
    auth: { ...settings.auth, default: null },
    checkIntervalSeconds: { ...settings.checkIntervalSeconds, default: null },
  },
} as const satisfies JSONSchema;
export type GatewayBody = FromSchema<typeof gatewayBody>;

export const gatewayListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { ...listProperties, serviceId, envTag },
} as const satisfies JSONSchema;
export type GatewayListQuery = FromSchema<typeof gatewayListQuery>;

export const gatewayAnswer = {
  type: 'object',
  required: [
    'gatewayId',
    'serviceId',
    'envTag',
    'url',
    'protocolVersion',
    'maxSensitivityTier',
    'auth',
    'checkIntervalSeconds',
    ...recordMembers,
  ],
  properties: { gatewayId: uuid, serviceId, envTag, ...settings, ...recordProperties },
} as const satisfies JSONSchema;
export type GatewayAnswer = FromSchema<typeof gatewayAnswer>;
