import { eventType, type EventOf } from '../eventsourcing/event-type.js';

/** Carries every setting, as it is after the change. */
export const hostSettingsChanged = eventType({
  type: 'HostSettingsChangedEvent',
  aggregateType: 'HostSettings',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['commandTools'],
    properties: {
      /** Whether agents are listed the two command tools in place of the direct ones. */
      commandTools: { type: 'boolean' },
      /** Whether API versions made from then on are in quarantine, and changes of tools without an endpoint; left out by older events: they are. */
      quarantine: { type: 'boolean' },
    },
  },
});

export type HostSettings = EventOf<typeof hostSettingsChanged>['data'];
export type HostSettingsEvent = EventOf<typeof hostSettingsChanged>;

/** What a host has that has changed none. */
export const defaultSettings = { commandTools: false, quarantine: true } as const satisfies HostSettings;
