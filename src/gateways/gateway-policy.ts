import { approvalReasons, unapprovedByItself, type Guarded } from '../../packages/tool-guard/tool-guard.js';
import { exceeds, type Tier } from '../platform/auth/sensitivity-tier.js';

/** Why a gateway refuses to list or call a tool, in the order in which the reasons are tried. */
export const policyReasons = ['sensitivity_tier_exceeds_policy', ...approvalReasons] as const;
export type PolicyReason = (typeof policyReasons)[number];

/** The part of a tool that a gateway's policy reads. */
export interface Governed {
  readonly tier: Tier;
  readonly metadata: {
    readonly safety?: Guarded & { readonly approvalWorkflow?: string | undefined };
  };
}

/** Why a gateway's own policy blocks a tool: only the gateway's tier and the tool's own approval count. */
export function blockedBy(
  { tier, metadata: { safety = {} } }: Governed,
  maxTier: Tier,
): PolicyReason | undefined {
  if (exceeds(tier, maxTier)) return 'sensitivity_tier_exceeds_policy';
  return unapprovedByItself(safety);
}
