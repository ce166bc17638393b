import { ChangeHostSettings, defaultSettings, hostSettingsDecider } from './host-settings.commands.js';

const change = (settings: ChangeHostSettings['payload']['settings']) =>
  new ChangeHostSettings('h', 'h', { settings });
const decide = (command: ChangeHostSettings, state: Parameters<typeof hostSettingsDecider.decide>[1]) =>
  hostSettingsDecider.decide(command, state);

it('begins with the direct tools, without quarantine, and approves what harms nobody', () => {
  const expected = { commandTools: false, quarantine: false, autoApprove: true, discovery: false };
  expect(defaultSettings).toEqual(expected);
  expect(decide(change({ commandTools: false }), defaultSettings)).toEqual([]);
});

it('switches once, and back', () => {
  const [event] = decide(change({ commandTools: true }), defaultSettings);
  const after = { ...defaultSettings, commandTools: true };
  expect(event).toEqual({ type: 'HostSettingsChangedEvent', data: after });
  expect(decide(change({ commandTools: true }), after)).toEqual([]);
  expect(decide(change({ commandTools: false }), after)).toHaveLength(1);
});

it('keeps what is left out', () => {
  const [event] = decide(change({ autoApprove: false }), { ...defaultSettings, quarantine: true });
  const kept = { commandTools: false, quarantine: true, autoApprove: false, discovery: false };
  expect(event?.data).toEqual(kept);
});

it('has no quarantine and answers nobody by what older events leave unsaid, and approves what harms nobody', () => {
  const old = { type: 'HostSettingsChangedEvent', data: { commandTools: true } } as const;
  const after = { commandTools: true, quarantine: false, autoApprove: true, discovery: false };
  expect(hostSettingsDecider.evolve(defaultSettings, old)).toEqual(after);
});
