import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { ActivateAgent, DeactivateAgent, WriteAgentProfile } from './agent.commands.js';
import { agentDecider } from './agent.decider.js';
import type { AgentDefinitionEvent, AgentProfile } from './agent.events.js';

const host = '00000000-0000-7000-8000-000000000001';
const agent = '00000000-0000-7000-8000-00000000000a';
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
  new WriteAgentProfile(host, agent, { profile: { ...profile, ...said }, apiType });
const created: AgentDefinitionEvent = { type: 'AgentDefinitionCreatedEvent', data: profile };
const given = (...events: AgentDefinitionEvent[]) =>
  events.reduce((state, event) => agentDecider.evolve(state, event), agentDecider.initial);

describe('an agent', () => {
  it('gets its profile once, and afterwards only what changes', () => {
    expect(agentDecider.decide(write({}), given())).toEqual([created]);
    expect(agentDecider.decide(write({}), given(created))).toEqual([]);
    const events = agentDecider.decide(write({ personas: [], modelName: 'm' }), given(created));
    expect(events).toEqual([{ type: 'AgentDefinitionUpdatedEvent', data: { personas: [], modelName: 'm' } }]);
    const after = { ...profile, personas: [], modelName: 'm' };
    expect(given(created, ...events)).toEqual({ status: 'active', profile: after });
  });

  it('is switched off and on, once each, and keeps its profile; writing that leaves it off', () => {
    const off: AgentDefinitionEvent = { type: 'AgentDeactivatedEvent', data: {} };
    const on: AgentDefinitionEvent = { type: 'AgentActivatedEvent', data: {} };
    const [deactivate, activate] = [new DeactivateAgent(host, agent, {}), new ActivateAgent(host, agent, {})];
    expect(agentDecider.decide(deactivate, given(created))).toEqual([off]);
    expect(agentDecider.decide(deactivate, given(created, off))).toEqual([]);
    expect(agentDecider.decide(activate, given(created, off))).toEqual([on]);
    expect(agentDecider.decide(activate, given(created))).toEqual([]);
    const [changed] = agentDecider.decide(write({ personas: [] }), given(created, off));
    expect(changed).toMatchObject({ type: 'AgentDefinitionUpdatedEvent' });
    expect(given(created, off, ...(changed === undefined ? [] : [changed]))).toMatchObject({
      status: 'inactive',
      profile: { personas: [] },
    });
    expect(given(created, off, on)).toEqual(given(created));
  });

  it('is not switched before it has a profile', () => {
    for (const command of [new DeactivateAgent(host, agent, {}), new ActivateAgent(host, agent, {})]) {
      expect(() => agentDecider.decide(command, given())).toThrow(NotFound);
    }
  });

  it('is an API version of type agent', () => {
    const decide = () => agentDecider.decide(write({}, 'openapi'), given());
    expect(decide).toThrow(RuleBroken);
    expect(decide).toThrow(expect.objectContaining({ code: 'not_an_agent' }) as Error);
  });
});
