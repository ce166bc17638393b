import { eventType, type EventOf } from '../eventsourcing/event-type.js';
import { entityTypes } from './entity-type.js';

const words = { tagName: { type: 'string' }, tagDesc: { type: ['string', 'null'] } } as const;

export const tagCreated = eventType({
  type: 'TagCreatedEvent',
  aggregateType: 'Tag',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['entityType', 'tagName', 'tagDesc'],
    properties: { entityType: { enum: entityTypes }, ...words },
  },
});

/** Carries what has changed, as it is after the change. */
export const tagUpdated = eventType({
  type: 'TagUpdatedEvent',
  aggregateType: 'Tag',
  version: 1,
  schema: { type: 'object', additionalProperties: false, minProperties: 1, properties: words },
});

/** For good; what was tagged with it no longer shows it. */
export const tagDeleted = eventType({
  type: 'TagDeletedEvent',
  aggregateType: 'Tag',
  version: 1,
  schema: { type: 'object', additionalProperties: false },
});

export type NewTagWords = EventOf<typeof tagCreated>['data'];
export type TagWords = Omit<NewTagWords, 'entityType'>;
export type TagEvent = EventOf<typeof tagCreated> | EventOf<typeof tagUpdated> | EventOf<typeof tagDeleted>;
