import { type EventOf, eventType } from '../../kernel/event.js';
import { endpointFacts } from '../../formats/shared.js';
import { layers } from './endpoint.layers.js';

const layer = { enum: layers } as const;
const json = {} as const;

/** A layer describes the endpoint for the first time, or otherwise than before: `facts` is all of its description. */
export const apiEndpointImported = eventType({
  type: 'ApiEndpointImportedEvent',
  aggregateType: 'ApiEndpoint',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['apiId', 'apiVersionId', 'serviceId', 'envTag', 'endpoint', 'layer', 'digest', 'facts'],
    properties: {
      /** The API version and what never changes of it. */
      apiId: { type: 'string' },
      apiVersionId: { type: 'string' },
      serviceId: { type: 'string' },
      envTag: { type: ['string', 'null'] },
      /** The endpoint key (docs/contract.md, section 4). */
      endpoint: { type: 'string' },
      layer,
      /** Hex SHA-256 of the RFC 8785 bytes of `facts`. */
      digest: { type: 'string' },
      facts: endpointFacts,
      /** Guard (dot path) to the value that stays in force until an administrator accepts what loosens it. */
      held: { type: 'object', additionalProperties: json },
      /** It changes what an administrator alone may accept: a guard or flag turned, or text addresses the model. */
      suspicious: { const: true },
      /** Who took it in was shown what changed, and accepted that. */
      seen: { const: true },
    },
  },
});

/** The endpoint is no longer in the layer's document. What the layer said of it is kept. */
export const apiEndpointMissing = eventType({
  type: 'ApiEndpointVanishedEvent',
  aggregateType: 'ApiEndpoint',
  version: 1,
  touches: 'itself',
  schema: { type: 'object', additionalProperties: false, required: ['layer'], properties: { layer } },
});

export const apiEndpointReturned = eventType({
  type: 'ApiEndpointReturnedEvent',
  aggregateType: 'ApiEndpoint',
  version: 1,
  touches: 'itself',
  schema: { type: 'object', additionalProperties: false, required: ['layer'], properties: { layer } },
});

/** Carries the whole operator layer as it is after the change. */
export const apiEndpointOverridden = eventType({
  type: 'ApiEndpointOverriddenEvent',
  aggregateType: 'ApiEndpoint',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['overrides', 'beneath'],
    properties: {
      overrides: endpointFacts,
      /** Field (dot path) to the value under it when the operator wrote it; null where there was none. */
      beneath: { type: 'object', additionalProperties: json },
    },
  },
});

/** By an operator; survives every import. */
export const apiEndpointDeactivated = eventType({
  type: 'ApiEndpointDeactivatedEvent',
  aggregateType: 'ApiEndpoint',
  version: 1,
  touches: 'itself',
  schema: { type: 'object', additionalProperties: false },
});

export const apiEndpointActivated = eventType({
  type: 'ApiEndpointActivatedEvent',
  aggregateType: 'ApiEndpoint',
  version: 1,
  touches: 'itself',
  schema: { type: 'object', additionalProperties: false },
});

/**
 * An operator has looked at a conflict: what was offered is taken (its override is gone), or what stands is kept.
 * Carries the operator layer and all settlements as they are then.
 */
export const apiEndpointConflictSettled = eventType({
  type: 'ApiEndpointConflictSettledEvent',
  aggregateType: 'ApiEndpoint',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['field', 'take', 'overrides', 'beneath', 'settled'],
    properties: {
      field: { type: 'string' },
      take: layer,
      overrides: endpointFacts,
      beneath: { type: 'object', additionalProperties: json },
      /** Field (dot path) to the offers that were turned down: layer to hex SHA-256 of what was kept and offered. */
      settled: {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
});

/** An operator accepts what the documents say now. */
export const apiEndpointChangesAccepted = eventType({
  type: 'ApiEndpointChangesAcceptedEvent',
  aggregateType: 'ApiEndpoint',
  version: 1,
  touches: 'itself',
  schema: { type: 'object', additionalProperties: false },
});

export type ApiEndpointEvent =
  | EventOf<typeof apiEndpointImported>
  | EventOf<typeof apiEndpointMissing>
  | EventOf<typeof apiEndpointReturned>
  | EventOf<typeof apiEndpointOverridden>
  | EventOf<typeof apiEndpointDeactivated>
  | EventOf<typeof apiEndpointActivated>
  | EventOf<typeof apiEndpointConflictSettled>
  | EventOf<typeof apiEndpointChangesAccepted>;
