import { covers, type Caller } from './caller.js';
import { tiersUpTo, type Tier } from './sensitivity-tier.js';

/** What a caller may reach, ready for SQL. What lies outside answers like an absent record. */
export interface Visibility {
  readonly hostId: string;
  /** `all` for a read within a catalog, whose records may be of any service. */
  readonly services: readonly string[] | 'all';
  readonly environments: readonly string[];
  readonly tiers: readonly Tier[] | 'all';
  /** Present for a token with `agent_def_id`: only what that agent's catalog holds. */
  readonly within?: AgentScope;
}

/** The ids of all that one agent's effective catalog holds, each once. */
export interface AgentScope {
  /** The agent; empty where it is not registered within the token's reach. */
  readonly agentDefIds: readonly string[];
  readonly skillIds: readonly string[];
  readonly toolIds: readonly string[];
  readonly endpointIds: readonly string[];
  readonly apiVersionIds: readonly string[];
  readonly apiIds: readonly string[];
  readonly workflowIds: readonly string[];
  /** The links of each skill in the catalog, since a tool may be withheld from one skill of two. */
  readonly links: ReadonlyMap<string, SkillLinks>;
  /** Whether the catalog holds the endpoint that a tool of this API version refers to by a key. */
  readonly references: (key: string, apiVersionId: string | undefined) => boolean;
  /** The tools that it holds at another version than the present one: mostly none. */
  readonly kept: readonly KeptTool[];
}

/** A tool at the version that an agent's catalog holds: the highest, where its skills keep to several. */
export interface KeptTool {
  readonly toolId: string;
  readonly endpointId: string | undefined;
  readonly version: string;
  readonly paramNames: readonly string[];
}

export interface SkillLinks {
  readonly toolIds: readonly string[];
  readonly workflowIds: readonly string[];
  readonly dependsOn: readonly string[];
}

/** Port to the floor that knows the agents' catalogs. */
export interface AgentScopes {
  agentScopeOf(caller: Caller): Promise<AgentScope>;
}

/** Nest token of the {@link AgentScopes}. */
export const AGENT_SCOPES = Symbol('AgentScopes');

/** The columns that limit who sees a row; null, or left out, limits nothing. */
interface LimitedRow {
  readonly serviceId?: string | null;
  readonly envTag?: string | null;
  readonly tier?: Tier;
}

/**
 * Tells whether the caller sees a row in hand: the rule that `visibleRows` puts into SQL.
 *
 * @param holds whether an agent's catalog holds the row; without it a token with `agent_def_id` sees none
 */
export function sees(
  visibility: Visibility,
  { serviceId = null, envTag = null, tier }: LimitedRow,
  holds: (within: AgentScope) => boolean = () => false,
): boolean {
  const { tiers, within } = visibility;
  return (
    covers(visibility, serviceId, envTag) &&
    (tier === undefined || tiers === 'all' || tiers.includes(tier)) &&
    (within === undefined || holds(within))
  );
}

/** Whether the token reads less than its service and environment hold: references to the rest are cut out for it. */
export function isNarrowed({ within, tiers }: Visibility): boolean {
  return within !== undefined || (tiers !== 'all' && !tiers.includes('restricted'));
}

/**
 * What the claims let the caller reach; the agent scope comes in through the port. A read within a catalog is limited by
 * that alone, whose services are another matter (docs/contract.md, section 7); a write must be covered by the token's services, too.
 */
export function visibilityOf(
  caller: Caller,
  within?: AgentScope,
  purpose: 'read' | 'write' = 'read',
): Visibility {
  return {
    hostId: caller.hostId,
    services: within !== undefined && purpose === 'read' ? 'all' : caller.services,
    environments: caller.environments,
    tiers: caller.maxTier === undefined ? 'all' : tiersUpTo(caller.maxTier),
    ...(within === undefined ? {} : { within }),
  };
}
