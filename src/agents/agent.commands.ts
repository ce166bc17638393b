import { Command } from '../eventsourcing/command.js';
import type { AgentProfile } from './agent.events.js';

/** Writes the whole profile of an agent; the aggregate id is that of its API version. */
export class WriteAgentProfile extends Command<{
  readonly profile: AgentProfile;
  /** Type of the API version. */
  readonly apiType: string;
}> {
  readonly aggregateType = 'AgentDefinition';
}

/** Allowed whatever the agent has: its assignments stay, and it is given nothing. */
export class DeactivateAgent extends Command<Record<never, never>> {
  readonly aggregateType = 'AgentDefinition';
  /** Tells it from {@link ActivateAgent}, which TypeScript compares by shape. */
  readonly active = false;
}

export class ActivateAgent extends Command<Record<never, never>> {
  readonly aggregateType = 'AgentDefinition';
  readonly active = true;
}

export type AgentCommand = WriteAgentProfile | DeactivateAgent | ActivateAgent;
