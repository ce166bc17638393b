import type { Caller } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Obstacle } from './callability.js';

/** The tools of an agent's catalog beside what its gateways list now. */
export interface AgentReport {
  readonly agentDefId: string;
  readonly gateways: readonly {
    readonly gatewayId: string;
    readonly serviceId: string;
    /** Code of why it could not be asked. */
    readonly failure?: string;
  }[];
  /** Tools of the catalog. */
  readonly total: number;
  /** Those that could not be called now. */
  readonly items: readonly {
    readonly toolId: string;
    readonly toolName: string;
    /** It is not in the catalog that the agent is given; the problems say why. */
    readonly withheld?: boolean;
    readonly problems: readonly Obstacle[];
  }[];
}

/** For the floors above: what an agent could not do now. */
export abstract class AgentDiagnostics {
  /** Asks live gateways, and changes nothing. Throws like the agent's catalog itself. */
  abstract agent(caller: Caller, visibility: Visibility, agentDefId: string): Promise<AgentReport>;
}
