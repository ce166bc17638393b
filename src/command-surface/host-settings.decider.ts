import type { Decider } from '../eventsourcing/decider.js';
import type { ChangeHostSettings } from './host-settings.commands.js';
import type { HostSettings, HostSettingsEvent } from './host-settings.events.js';

/** What a host has that has changed none. */
export const defaultSettings: HostSettings = { commandTools: false };

export const hostSettingsDecider: Decider<HostSettings, ChangeHostSettings, HostSettingsEvent> = {
  aggregateType: 'HostSettings',
  initial: defaultSettings,

  decide({ payload: { settings } }, state) {
    const same = settings.commandTools === state.commandTools;
    return same ? [] : [{ type: 'HostSettingsChangedEvent', data: settings }];
  },

  evolve(_state, event) {
    return event.data;
  },
};
