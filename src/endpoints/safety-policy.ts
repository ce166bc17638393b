import { exceeds, tierOf } from '../platform/auth/sensitivity-tier.js';

/** What of an endpoint or a tool guards against harm. */
export interface Guarded {
  readonly routing: { readonly sensitivityTier?: string };
  readonly safety: {
    readonly readOnly?: boolean;
    readonly destructive?: boolean;
    readonly humanApprovalRequired?: boolean;
    readonly approvalWorkflow?: string;
  };
}

/**
 * The fields by which a change loosens a guard: a lower tier, a cleared safety flag, an approval workflow set,
 * and read-only where it was not: links of access level `read` admit it from then on. Only an administrator may make
 * such a change (docs/contract.md, section 2, scopes).
 */
export function loosened(before: Guarded, after: Guarded): readonly string[] {
  const fields: string[] = [];
  if (exceeds(tierOf(before.routing.sensitivityTier), tierOf(after.routing.sensitivityTier))) {
    fields.push('routing.sensitivityTier');
  }
  for (const flag of ['destructive', 'humanApprovalRequired'] as const) {
    if (before.safety[flag] === true && after.safety[flag] !== true) fields.push(`safety.${flag}`);
  }
  if (before.safety.readOnly !== true && after.safety.readOnly === true) fields.push('safety.readOnly');
  const { approvalWorkflow } = after.safety;
  if (approvalWorkflow !== undefined && approvalWorkflow !== before.safety.approvalWorkflow) {
    fields.push('safety.approvalWorkflow');
  }
  return fields;
}
