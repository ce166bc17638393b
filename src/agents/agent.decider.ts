import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { RuleBroken } from '../eventsourcing/errors.js';
import type { WriteAgentProfile } from './agent.commands.js';
import type { AgentDefinitionEvent, AgentProfile } from './agent.events.js';

/** Null before the first profile. */
export type AgentDefinitionState = AgentProfile | null;

export const agentDecider: Decider<AgentDefinitionState, WriteAgentProfile, AgentDefinitionEvent> = {
  aggregateType: 'AgentDefinition',
  initial: null,

  decide({ aggregateId, payload: { profile, apiType } }, state) {
    if (apiType !== 'agent') throw notAnAgent(aggregateId, apiType);
    if (state === null) return [{ type: 'AgentDefinitionCreatedEvent', data: profile }];
    const data = changed(profile, state);
    return Object.keys(data).length === 0 ? [] : [{ type: 'AgentDefinitionUpdatedEvent', data }];
  },

  evolve(state, event) {
    if (event.type === 'AgentDefinitionCreatedEvent') return event.data;
    return state === null ? null : { ...state, ...event.data };
  },
};

function changed(profile: AgentProfile, state: AgentProfile): Partial<AgentProfile> {
  const differs = ([member, value]: [string, unknown]): boolean =>
    !isDeepStrictEqual(state[member as keyof AgentProfile], value);
  return Object.fromEntries(Object.entries(profile).filter(differs));
}

function notAnAgent(apiVersionId: string, apiType: string): RuleBroken {
  const detail = `API version ${apiVersionId} is of type ${apiType}; only versions of type agent have a profile.`;
  return new RuleBroken('not_an_agent', detail);
}
