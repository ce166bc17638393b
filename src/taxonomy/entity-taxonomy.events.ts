import { eventType, type EventOf } from '../eventsourcing/event-type.js';
import { entityTypes } from './entity-type.js';

const selected = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'globalName'],
    properties: {
      id: { type: 'string' },
      /**
       * Of a global one, its name when it was selected; null for one of the host. A host's log says all that the host
       * shows: what becomes of a global name later moves nobody's catalog.
       */
      globalName: { type: ['string', 'null'] },
    },
  },
} as const;

/** The categories and tags of one thing, all of them, each list ordered by id. */
export const entityTaxonomyReplaced = eventType({
  type: 'EntityTaxonomyReplacedEvent',
  aggregateType: 'EntityTaxonomy',
  version: 1,
  touches: ['entityId'],
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['entityType', 'entityId', 'categories', 'tags'],
    properties: {
      entityType: { enum: entityTypes },
      entityId: { type: 'string' },
      categories: selected,
      tags: selected,
    },
  },
});

export type EntityTaxonomyEvent = EventOf<typeof entityTaxonomyReplaced>;
/** Entries as they are selected. */
export type Selected = EntityTaxonomyEvent['data']['tags'];
