import type { Decider } from '../eventsourcing/decider.js';
import type { ChangeHostSettings } from './host-settings.commands.js';
import type { HostSettings, HostSettingsEvent } from './host-settings.events.js';

/** What a host has that has changed none. */
export const defaultSettings = { commandTools: false, quarantine: true } as const satisfies HostSettings;

export const hostSettingsDecider: Decider<Required<HostSettings>, ChangeHostSettings, HostSettingsEvent> = {
  aggregateType: 'HostSettings',
  initial: defaultSettings,

  decide({ payload: { settings } }, state) {
    const { commandTools = state.commandTools, quarantine = state.quarantine } = settings;
    const same = commandTools === state.commandTools && quarantine === state.quarantine;
    return same ? [] : [{ type: 'HostSettingsChangedEvent', data: { commandTools, quarantine } }];
  },

  evolve(_state, event) {
    return { ...defaultSettings, ...event.data };
  },
};
