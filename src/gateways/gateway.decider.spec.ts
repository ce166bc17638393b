import { WriteGateway, ActivateGateway, DeactivateGateway, type GatewayCommand } from './gateway.commands.js';
import { gatewayDecider, type GatewayState } from './gateway.decider.js';
import type { GatewayEvent, GatewayProfile } from './gateway.events.js';

const profile: GatewayProfile = {
  serviceId: 'gateway',
  envTag: 'dev',
  url: 'https://gateway.example.com/mcp',
  protocolVersion: 'auto',
  maxSensitivityTier: 'internal',
  auth: null,
  checkIntervalSeconds: null,
};
const write = (change: Partial<GatewayProfile> = {}, heldBy: string | null = null) =>
  new WriteGateway('host', 'id', { profile: { ...profile, ...change }, heldBy });
const after = (...events: GatewayEvent[]): GatewayState =>
  events.reduce((state, event) => gatewayDecider.evolve(state, event), gatewayDecider.initial);
const decide = (command: GatewayCommand, state: GatewayState) => gatewayDecider.decide(command, state);
const created: GatewayEvent = { type: 'GatewayCreatedEvent', data: profile };
const deactivated: GatewayEvent = { type: 'GatewayDeactivatedEvent', data: {} };
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

test('a gateway is registered once, and changed by what differs', () => {
  expect(decide(write(), after())).toEqual([created]);
  expect(decide(write(), after(created))).toEqual([]);
  expect(decide(write({ maxSensitivityTier: 'public' }), after(created))).toEqual([
    { type: 'GatewayUpdatedEvent', data: { maxSensitivityTier: 'public' } },
  ]);
});

test('service and environment have one active gateway, and stay with it', () => {
  expect(() => decide(write({}, 'other'), after())).toThrow(refusal('gateway_exists'));
  expect(() => decide(write({ envTag: 'prod' }), after(created))).toThrow(refusal('gateway_identity_fixed'));
  const back = new ActivateGateway('host', 'id', { heldBy: 'other' });
  expect(() => decide(back, after(created, deactivated))).toThrow(refusal('gateway_exists'));
  expect(decide(back, after(created))).toEqual([]);
});

test('an unknown gateway is not found', () => {
  expect(() => decide(new DeactivateGateway('host', 'id', {}), after())).toThrow(refusal('not_found'));
});
