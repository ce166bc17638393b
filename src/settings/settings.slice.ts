import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { ChangeHostSettings } from './host-settings.commands.js';
import { hostSettingsDecider } from './host-settings.decider.js';
import { hostSettingsChanged } from './host-settings.events.js';
import { hostSettingsProjection } from './host-settings.projection.js';

export const settingsSlice: Slice = {
  name: 'settings',
  events: [hostSettingsChanged],
  aggregates: [aggregate(hostSettingsDecider, [ChangeHostSettings])],
  projections: [hostSettingsProjection],
};
