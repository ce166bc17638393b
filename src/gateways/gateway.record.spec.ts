import type { RecordEvent } from '../platform/records/record-spec.js';
import type { GatewayProfile } from './gateway.fields.js';
import { gateway } from './gateway.record.js';

type GatewayEvent = RecordEvent<typeof gateway.spec>;
const { decider } = gateway;
type State = (typeof decider)['initial'];

const profile: GatewayProfile = {
  serviceId: 'gateway',
  envTag: 'dev',
  url: 'https://gateway.example.com/mcp',
  protocolVersion: 'auto',
  maxSensitivityTier: 'internal',
  auth: null,
  callerIdentity: { type: 'credential' as const },
  checkIntervalSeconds: null,
};
const write = (change: Partial<GatewayProfile> = {}, heldBy: string | null = null) =>
  gateway.put('host', 'id', { ...profile, ...change }, { heldBy });
const after = (...events: GatewayEvent[]): State =>
  events.reduce((state, event) => decider.evolve(state, event), decider.initial);
const decide = (command: ReturnType<typeof write>, state: State) => decider.decide(command, state);
const created: GatewayEvent = { type: 'GatewayCreatedEvent', data: profile };
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
});
