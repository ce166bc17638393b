/** What the gateway lets through, decided before anything is called. Pure. */
import { blockedBy, type PolicyReason } from '../gateways/gateway-policy.js';
import type { RouterTool } from '../gateways/mcp-router/router-tool.js';
import { lowestTier, tierOf, type Tier } from '../platform/auth/sensitivity-tier.js';

/** Of a caller, what policy asks for. */
export interface PolicyCaller {
  readonly granted: readonly string[];
  readonly maxTier?: Tier;
}

/** A decision with the facts that it rests on, under the names that gateways report them. */
export interface PolicyDecision {
  readonly reason?: PolicyReason | 'insufficient_scope';
  readonly sensitivityTier: Tier;
  readonly maxSensitivityTier: Tier;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly requiresApproval: boolean;
  readonly approvalConfigured: boolean;
}

/** Tier, destruction and approval as the catalog judges them for this gateway; then the scopes of the caller's token. */
export function decide(tool: RouterTool, caller: PolicyCaller | undefined): PolicyDecision {
  const { routing, safety, policy } = tool.toolMetadata;
  const { read_only: readOnly, destructive, humanApprovalRequired: requiresApproval } = safety;
  const { approvalWorkflow = '' } = policy;
  const sensitivityTier = tierOf(routing.sensitivityTier);
  const maxSensitivityTier = lowestTier(tierOf(policy.maxSensitivityTier), caller?.maxTier);
  const metadata = { safety: { destructive, humanApprovalRequired: requiresApproval, approvalWorkflow } };
  const blocked = blockedBy({ tier: sensitivityTier, metadata }, maxSensitivityTier);
  const reason = blocked ?? (hasScopes(tool, caller?.granted ?? []) ? undefined : 'insufficient_scope');
  return {
    ...(reason === undefined ? {} : { reason }),
    sensitivityTier,
    maxSensitivityTier,
    readOnly,
    destructive,
    requiresApproval,
    approvalConfigured: approvalWorkflow.trim() !== '',
  };
}

/** Any of the sets, all of a set. */
function hasScopes({ scopes = [] }: RouterTool, granted: readonly string[]): boolean {
  if (scopes.length === 0) return true;
  return scopes.some((set) => set.every((each) => each.scopes.every((scope) => granted.includes(scope))));
}
