import { eventType, type EventOf } from '../eventsourcing/event-type.js';
import { entityTypes } from './entity-type.js';

const words = {
  categoryName: { type: 'string' },
  categoryDesc: { type: ['string', 'null'] },
  parentCategoryId: { type: ['string', 'null'] },
} as const;

export const categoryCreated = eventType({
  type: 'CategoryCreatedEvent',
  aggregateType: 'Category',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['entityType', 'categoryName', 'categoryDesc', 'parentCategoryId'],
    properties: { entityType: { enum: entityTypes }, ...words },
  },
});

/** Carries what has changed, as it is after the change. */
export const categoryUpdated = eventType({
  type: 'CategoryUpdatedEvent',
  aggregateType: 'Category',
  version: 1,
  schema: { type: 'object', additionalProperties: false, minProperties: 1, properties: words },
});

/** For good; what was classified with it no longer shows it. */
export const categoryDeleted = eventType({
  type: 'CategoryDeletedEvent',
  aggregateType: 'Category',
  version: 1,
  schema: { type: 'object', additionalProperties: false },
});

export type NewCategoryWords = EventOf<typeof categoryCreated>['data'];
export type CategoryWords = Omit<NewCategoryWords, 'entityType'>;
export type CategoryEvent =
  EventOf<typeof categoryCreated> | EventOf<typeof categoryUpdated> | EventOf<typeof categoryDeleted>;
