import { ChangeHostSettings } from './host-settings.commands.js';
import { defaultSettings, hostSettingsDecider } from './host-settings.decider.js';

const change = (commandTools: boolean) => new ChangeHostSettings('h', 'h', { settings: { commandTools } });

it('begins with the direct tools', () => {
  expect(defaultSettings).toEqual({ commandTools: false });
  expect(hostSettingsDecider.decide(change(false), defaultSettings)).toEqual([]);
});

it('switches once, and back', () => {
  const [event] = hostSettingsDecider.decide(change(true), defaultSettings);
  expect(event).toEqual({ type: 'HostSettingsChangedEvent', data: { commandTools: true } });
  const switched = event === undefined ? defaultSettings : hostSettingsDecider.evolve(defaultSettings, event);
  expect(hostSettingsDecider.decide(change(true), switched)).toEqual([]);
  expect(hostSettingsDecider.decide(change(false), switched)).toHaveLength(1);
});
