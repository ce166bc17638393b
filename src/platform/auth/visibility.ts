import type { Caller } from './caller.js';
import { tiersUpTo, type Tier } from './sensitivity-tier.js';

/** What a caller may read, ready for SQL. What lies outside answers like an absent record. */
export interface Visibility {
  readonly hostId: string;
  readonly services: readonly string[] | 'all';
  readonly environments: readonly string[];
  readonly tiers: readonly Tier[] | 'all';
  /** Present for a token with `agent_def_id`: only what that agent's catalog holds. */
  readonly within?: Confines;
}

/** The ids of all that one agent's effective catalog holds. */
export interface Confines {
  readonly agentDefId: string;
  readonly skillIds: readonly string[];
  readonly toolIds: readonly string[];
  readonly endpointIds: readonly string[];
  readonly apiVersionIds: readonly string[];
  readonly apiIds: readonly string[];
}

/** Port to the floor that knows the agents' catalogs. */
export interface Confinement {
  confinesOf(caller: Caller): Promise<Confines>;
}

/** Nest token of the {@link Confinement}. */
export const CONFINEMENT = Symbol('Confinement');

/** Whether the token reads less than its service and environment hold: what holds references to more is cut for it. */
export function isNarrowed({ within, tiers }: Visibility): boolean {
  return within !== undefined || (tiers !== 'all' && !tiers.includes('restricted'));
}

/** What the claims alone let the caller read; the confines of a narrowed token come in through the port. */
export function visibilityOf(caller: Caller, within?: Confines): Visibility {
  return {
    hostId: caller.hostId,
    services: caller.services,
    environments: caller.environments,
    tiers: caller.maxTier === undefined ? 'all' : tiersUpTo(caller.maxTier),
    ...(within === undefined ? {} : { within }),
  };
}
