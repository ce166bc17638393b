import { eventType, type EventOf } from '../eventsourcing/event-type.js';

const words = { type: ['string', 'null'] } as const;

/** All that is known of an API; `null` is not said. */
const apiDetails = {
  type: 'object',
  additionalProperties: false,
  required: ['apiName', 'apiDesc', 'businessGroup', 'lob', 'platform', 'capability', 'region', 'gitRepo'],
  properties: {
    apiName: { type: 'string' },
    apiDesc: words,
    businessGroup: words,
    lob: words,
    platform: words,
    capability: words,
    region: words,
    gitRepo: words,
  },
} as const;

export const apiCreated = eventType({
  type: 'ApiCreatedEvent',
  aggregateType: 'Api',
  version: 1,
  schema: apiDetails,
});

/** Carries the API as it is after the change. */
export const apiUpdated = eventType({
  type: 'ApiUpdatedEvent',
  aggregateType: 'Api',
  version: 1,
  schema: apiDetails,
});

const nothing = { type: 'object', additionalProperties: false } as const;

/** Nothing of any of its versions is offered any more. */
export const apiDeactivated = eventType({
  type: 'ApiDeactivatedEvent',
  aggregateType: 'Api',
  version: 1,
  schema: nothing,
});

export const apiActivated = eventType({
  type: 'ApiActivatedEvent',
  aggregateType: 'Api',
  version: 1,
  schema: nothing,
});

export type ApiDetails = EventOf<typeof apiCreated>['data'];
export type ApiEvent =
  | EventOf<typeof apiCreated>
  | EventOf<typeof apiUpdated>
  | EventOf<typeof apiDeactivated>
  | EventOf<typeof apiActivated>;
