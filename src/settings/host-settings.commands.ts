/** The settings of a host: event, command and decider. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { Command, type Decider } from '../kernel/command.js';
import { eventType, type EventOf } from '../kernel/event.js';

/** Carries every setting, as it is after the change. */
export const hostSettingsChanged = eventType({
  type: 'HostSettingsChangedEvent',
  aggregateType: 'HostSettings',
  version: 1,
  touches: 'nobody',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['commandTools'],
    properties: {
      /** Whether agents are listed the two command tools in place of the direct ones. */
      commandTools: { type: 'boolean' },
      /** Whether new API versions are in quarantine; false where older events lack it. */
      quarantine: { type: 'boolean' },
      /** Whether texts and compatible changes of tools are approved as they come; true where older events lack it. */
      autoApprove: { type: 'boolean' },
      /** Whether what is public is answered to everybody; false where older events lack it. */
      discovery: { type: 'boolean' },
    },
  },
});

export type HostSettings = EventOf<typeof hostSettingsChanged>['data'];
export type HostSettingsEvent = EventOf<typeof hostSettingsChanged>;

/** Settings of a host that has changed none. */
export const defaultSettings = {
  commandTools: false,
  quarantine: false,
  autoApprove: true,
  discovery: false,
} as const satisfies HostSettings;

/** Changes the settings that are given; the aggregate id is the host's. */
export class ChangeHostSettings extends Command<{ readonly settings: Partial<HostSettings> }> {
  readonly aggregateType = 'HostSettings';
}

export const hostSettingsDecider: Decider<Required<HostSettings>, ChangeHostSettings, HostSettingsEvent> = {
  aggregateType: 'HostSettings',
  initial: defaultSettings,

  decide({ payload: { settings } }, state) {
    const data = { ...state, ...settings };
    return isDeepStrictEqual(data, state) ? [] : [{ type: 'HostSettingsChangedEvent', data }];
  },

  evolve(_state, event) {
    return { ...defaultSettings, ...event.data };
  },
};
