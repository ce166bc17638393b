import { eventType, type EventOf } from '../eventsourcing/event-type.js';

const ids = { gatewayId: { type: 'string' }, toolId: { type: 'string' } } as const;
const exposure = {
  type: 'object',
  additionalProperties: false,
  required: ['gatewayId', 'toolId', 'targetHost', 'protocol', 'runtime'],
  properties: {
    ...ids,
    /** Where the gateway sends calls; null: as its own configuration says. */
    targetHost: { type: ['string', 'null'] },
    protocol: { type: ['string', 'null'] },
    /** For the gateway alone: caching, retries, limits. */
    runtime: { type: 'object' },
  },
} as const;

/** A tool is selected for a gateway; also when it was taken off and is selected again. */
export const toolExposureCreated = eventType({
  type: 'ToolExposureCreatedEvent',
  aggregateType: 'ToolExposure',
  version: 1,
  schema: exposure,
});

/** Carries the exposure as it is after the change. */
export const toolExposureUpdated = eventType({
  type: 'ToolExposureUpdatedEvent',
  aggregateType: 'ToolExposure',
  version: 1,
  schema: exposure,
});

export const toolExposureDeleted = eventType({
  type: 'ToolExposureDeletedEvent',
  aggregateType: 'ToolExposure',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['gatewayId', 'toolId'],
    properties: ids,
  },
});

export type Exposure = EventOf<typeof toolExposureCreated>['data'];
export type ToolExposureEvent =
  | EventOf<typeof toolExposureCreated>
  | EventOf<typeof toolExposureUpdated>
  | EventOf<typeof toolExposureDeleted>;
