import { eventType, type EventOf } from '../eventsourcing/event-type.js';

/** Revisions of MCP that a gateway is spoken to in; `auto` finds out. */
export const protocolVersions = ['auto', '2026-07-28', '2025-11-25'] as const;

const settings = {
  url: { type: 'string' },
  protocolVersion: { enum: protocolVersions },
  /** Tools above it are blocked at the gateway. */
  maxSensitivityTier: { enum: ['public', 'internal', 'confidential', 'restricted'] },
  /** The name of a secret, never the secret. */
  auth: {
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['type', 'secret'],
    properties: { type: { const: 'bearer' }, secret: { type: 'string' } },
  },
  /** How often the gateway is checked by itself; null: never. */
  checkIntervalSeconds: { type: ['integer', 'null'] },
} as const;

/** Service and environment identify the gateway within its host and never change. */
export const gatewayCreated = eventType({
  type: 'GatewayCreatedEvent',
  aggregateType: 'Gateway',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: [
      'serviceId',
      'envTag',
      'url',
      'protocolVersion',
      'maxSensitivityTier',
      'auth',
      'checkIntervalSeconds',
    ],
    properties: { serviceId: { type: 'string' }, envTag: { type: 'string' }, ...settings },
  },
});

/** Carries what has changed, as it is after the change. */
export const gatewayUpdated = eventType({
  type: 'GatewayUpdatedEvent',
  aggregateType: 'Gateway',
  version: 1,
  schema: { type: 'object', additionalProperties: false, minProperties: 1, properties: settings },
});

const nothing = { type: 'object', additionalProperties: false } as const;

export const gatewayActivated = eventType({
  type: 'GatewayActivatedEvent',
  aggregateType: 'Gateway',
  version: 1,
  schema: nothing,
});

export const gatewayDeactivated = eventType({
  type: 'GatewayDeactivatedEvent',
  aggregateType: 'Gateway',
  version: 1,
  schema: nothing,
});

export type GatewayProfile = EventOf<typeof gatewayCreated>['data'];
export type GatewayEvent =
  | EventOf<typeof gatewayCreated>
  | EventOf<typeof gatewayUpdated>
  | EventOf<typeof gatewayActivated>
  | EventOf<typeof gatewayDeactivated>;
