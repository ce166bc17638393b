import type { Decider } from '../eventsourcing/decider.js';
import type { ChangeHostSettings } from './host-settings.commands.js';
import { defaultSettings, type HostSettings, type HostSettingsEvent } from './host-settings.events.js';

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
