import { NotFound, RuleBroken } from '../kernel/errors.js';
import type { RecordEvent } from '../platform/records/record-spec.js';
import type { AgentProfile } from './agent.fields.js';
import { agent } from './agent.record.js';

type AgentEvent = RecordEvent<typeof agent.spec>;
const { decider } = agent;

const host = '00000000-0000-7000-8000-000000000001';
const id = '00000000-0000-7000-8000-00000000000a';
const profile: AgentProfile = {
  modelProvider: null,
  modelName: null,
  temperature: null,
  maxTokens: null,
  personas: ['account-agent'],
  maxSensitivityTier: 'internal',
  gatewayIds: [],
  domains: [],
  semanticNamespaces: [],
};
const write = (said: Partial<AgentProfile>, apiType = 'agent') =>
  agent.put(host, id, { ...profile, ...said }, { apiType });
const created: AgentEvent = { type: 'AgentDefinitionCreatedEvent', data: profile };
const given = (...events: AgentEvent[]) =>
  events.reduce((state, event) => decider.evolve(state, event), decider.initial);

describe('an agent', () => {
  it('gets its profile once, and afterwards only what changes', () => {
    expect(decider.decide(write({}), given())).toEqual([created]);
    expect(decider.decide(write({}), given(created))).toEqual([]);
    const events = decider.decide(write({ personas: [], modelName: 'm' }), given(created));
    expect(events).toEqual([{ type: 'AgentDefinitionUpdatedEvent', data: { personas: [], modelName: 'm' } }]);
    const after = { ...profile, personas: [], modelName: 'm' };
    expect(given(created, ...events)).toEqual({ active: true, fields: after });
  });

  it('is switched off and on, once each, and keeps its profile; writing that leaves it off', () => {
    const off: AgentEvent = { type: 'AgentDeactivatedEvent', data: {} };
    const on: AgentEvent = { type: 'AgentActivatedEvent', data: {} };
    const [deactivate, activate] = [agent.deactivate(host, id), agent.activate(host, id)];
    expect(decider.decide(deactivate, given(created))).toEqual([off]);
    expect(decider.decide(deactivate, given(created, off))).toEqual([]);
    expect(decider.decide(activate, given(created, off))).toEqual([on]);
    expect(decider.decide(activate, given(created))).toEqual([]);
    const [changed] = decider.decide(write({ personas: [] }), given(created, off));
    expect(changed).toMatchObject({ type: 'AgentDefinitionUpdatedEvent' });
    expect(given(created, off, ...(changed === undefined ? [] : [changed]))).toMatchObject({
      active: false,
      fields: { personas: [] },
    });
    expect(given(created, off, on)).toEqual(given(created));
  });

  it('is not switched before it has a profile', () => {
    for (const command of [agent.deactivate(host, id), agent.activate(host, id)]) {
      expect(() => decider.decide(command, given())).toThrow(NotFound);
    }
  });

  it('is an API version of type agent', () => {
    const decide = () => decider.decide(write({}, 'openapi'), given());
    expect(decide).toThrow(RuleBroken);
    expect(decide).toThrow(expect.objectContaining({ code: 'not_an_agent' }) as Error);
  });
});
