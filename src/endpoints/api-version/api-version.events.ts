import { type EventOf, eventType } from '../../eventsourcing/event.js';
import { apiTypes } from '../../formats/shared.js';

export const apiVersionCreated = eventType({
  type: 'ApiVersionCreatedEvent',
  aggregateType: 'ApiVersion',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['apiId', 'apiVersion', 'apiType', 'serviceId', 'envTag', 'apiVersionDesc', 'quarantine'],
    properties: {
      apiId: { type: 'string' },
      apiVersion: { type: 'string' },
      apiType: { enum: apiTypes },
      serviceId: { type: 'string' },
      /** Null: it serves every environment. */
      envTag: { type: ['string', 'null'] },
      apiVersionDesc: { type: ['string', 'null'] },
      quarantine: { type: 'boolean' },
    },
  },
});

export const apiVersionUpdated = eventType({
  type: 'ApiVersionUpdatedEvent',
  aggregateType: 'ApiVersion',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['apiVersionDesc', 'quarantine'],
    properties: {
      apiVersionDesc: { type: ['string', 'null'] },
      quarantine: { type: 'boolean' },
    },
  },
});

/** Another document is in force than before: the version is another one to whoever expects this one (`If-Match`). */
export const apiVersionSpecReplaced = eventType({
  type: 'ApiVersionSpecReplacedEvent',
  aggregateType: 'ApiVersion',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['specDigest'],
    properties: { specDigest: { type: 'string' } },
  },
});

const nothing = { type: 'object', additionalProperties: false } as const;

/** Nothing of it is offered any more; an agent that is one with it is given nothing. */
export const apiVersionDeactivated = eventType({
  type: 'ApiVersionDeactivatedEvent',
  aggregateType: 'ApiVersion',
  version: 1,
  touches: 'itself',
  schema: nothing,
});

export const apiVersionActivated = eventType({
  type: 'ApiVersionActivatedEvent',
  aggregateType: 'ApiVersion',
  version: 1,
  touches: 'itself',
  schema: nothing,
});

export type ApiVersionEvent =
  | EventOf<typeof apiVersionCreated>
  | EventOf<typeof apiVersionUpdated>
  | EventOf<typeof apiVersionSpecReplaced>
  | EventOf<typeof apiVersionDeactivated>
  | EventOf<typeof apiVersionActivated>;

/**
 * A document that a version's endpoints came from; the newest one is in force. Each is a stream of its own, so that
 * nobody who changes a version, or brings it a new document, has to read megabytes of old ones.
 */
export const apiVersionSpecUpdated = eventType({
  type: 'ApiVersionSpecUpdatedEvent',
  aggregateType: 'ApiVersionSpec',
  version: 1,
  touches: ['apiVersionId'],
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['apiVersionId', 'spec', 'specDigest', 'format', 'formatVersion'],
    properties: {
      apiVersionId: { type: 'string' },
      /** The text as it was imported, less the secrets found in it: gzip, as base64. */
      spec: { type: 'string', contentEncoding: 'base64', contentMediaType: 'application/gzip' },
      /** Hex SHA-256 of the UTF-8 bytes of the text. */
      specDigest: { type: 'string' },
      format: { type: 'string' },
      formatVersion: { type: 'string' },
    },
  },
});

export type ApiVersionSpecEvent = EventOf<typeof apiVersionSpecUpdated>;
