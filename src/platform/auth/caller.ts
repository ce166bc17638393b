import type { Actor } from '../../kernel/command.js';
import type { Tier } from './sensitivity-tier.js';

export const scopes = [
  'catalog:agent',
  'catalog:read',
  'catalog:write',
  'catalog:approve',
  'catalog:admin',
] as const;
export type Scope = (typeof scopes)[number];

/** Who asks, and what the token lets them reach (docs/contract.md, section 2). All values are trimmed and never blank. */
export interface Caller {
  readonly actor: Actor;
  readonly issuer: string;
  readonly hostId: string;
  /** Claim `sid`; `all` by the scope `catalog:all-services`. */
  readonly services: readonly string[] | 'all';
  /** Claim `env`. */
  readonly environments: readonly string[];
  readonly scopes: ReadonlySet<Scope>;
  /** Claim `agent_def_id`: every read is confined to this agent's catalog. */
  readonly agentDefId?: string;
  /** Claim `maxSensitivityTier`: narrows every read. */
  readonly maxTier?: Tier;
  /** Claim `commandTools`: which tools `/mcp` lists to this token, whatever its host says. */
  readonly commandTools?: boolean;
  /** Claim `exp`: seconds since the epoch. */
  readonly expiresAt: number;
  /** Of a session: seconds after which a stream ends, since the session may have ended. */
  readonly streamSeconds?: number;
  /** Tells callers apart: hex SHA-256 over `iss`, `sub`, `client_id`, `sid`, `env` and `agent_def_id`. */
  readonly fingerprint: string;
}

/**
 * Whether the token reaches a record of this service and environment. A null service is host-wide, a null
 * environment means every environment.
 */
export function covers(
  caller: Pick<Caller, 'services' | 'environments'>,
  serviceId: string | null,
  envTag: string | null,
): boolean {
  return (
    (serviceId === null || caller.services === 'all' || caller.services.includes(serviceId)) &&
    (envTag === null || caller.environments.includes(envTag))
  );
}

/** Whether the token reads less than its services and environments hold: one agent's catalog, or not every tier. */
export function isNarrowedCaller({ agentDefId, maxTier }: Pick<Caller, 'agentDefId' | 'maxTier'>): boolean {
  return agentDefId !== undefined || (maxTier !== undefined && maxTier !== 'restricted');
}
