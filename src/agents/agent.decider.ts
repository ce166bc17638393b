import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { WriteAgentProfile, type AgentCommand } from './agent.commands.js';
import type { AgentDefinitionEvent, AgentProfile } from './agent.events.js';

/** `unknown` before the first profile. */
export type AgentDefinitionState =
  { readonly status: 'unknown' } | { readonly status: 'active' | 'inactive'; readonly profile: AgentProfile };

export const agentDecider: Decider<AgentDefinitionState, AgentCommand, AgentDefinitionEvent> = {
  aggregateType: 'AgentDefinition',
  initial: { status: 'unknown' },

  decide(command, state) {
    if (command instanceof WriteAgentProfile) return written(command, state);
    if (state.status === 'unknown') throw new NotFound('agent', command.aggregateId);
    if (command.active === (state.status === 'active')) return [];
    return [{ type: command.active ? 'AgentActivatedEvent' : 'AgentDeactivatedEvent', data: {} }];
  },

  evolve(state, event) {
    if (event.type === 'AgentDefinitionCreatedEvent') return { status: 'active', profile: event.data };
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'AgentDefinitionUpdatedEvent':
        return { ...state, profile: { ...state.profile, ...event.data } };
      case 'AgentDeactivatedEvent':
        return { ...state, status: 'inactive' };
      case 'AgentActivatedEvent':
        return { ...state, status: 'active' };
    }
  },
};

/** The profile of an inactive agent may be written: it stays inactive. */
function written(
  { aggregateId, payload: { profile, apiType } }: WriteAgentProfile,
  state: AgentDefinitionState,
): readonly AgentDefinitionEvent[] {
  if (apiType !== 'agent') throw notAnAgent(aggregateId, apiType);
  if (state.status === 'unknown') return [{ type: 'AgentDefinitionCreatedEvent', data: profile }];
  const data = changed(profile, state.profile);
  return Object.keys(data).length === 0 ? [] : [{ type: 'AgentDefinitionUpdatedEvent', data }];
}

function changed(profile: AgentProfile, before: AgentProfile): Partial<AgentProfile> {
  const differs = ([member, value]: [string, unknown]): boolean =>
    !isDeepStrictEqual(before[member as keyof AgentProfile], value);
  return Object.fromEntries(Object.entries(profile).filter(differs));
}

function notAnAgent(apiVersionId: string, apiType: string): RuleBroken {
  const detail = `API version ${apiVersionId} is of type ${apiType}; only versions of type agent have a profile.`;
  return new RuleBroken('not_an_agent', detail);
}
