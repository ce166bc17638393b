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
