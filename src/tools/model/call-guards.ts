/** A tool is guarded at least as what its calls reach: endpoints, and the tools of those. Pure. */
import { exceeds, tierOf } from '../../platform/auth/sensitivity-tier.js';
import type { ToolFields } from './tool-facts.js';

/** What of an endpoint or a tool guards whatever calls it. */
export interface CallGuards {
  readonly routing: { readonly sensitivityTier?: string };
  readonly safety: {
    readonly readOnly?: boolean;
    readonly destructive?: boolean;
    readonly humanApprovalRequired?: boolean;
  };
}

/**
 * The fields, guarded at least as all that is called: the highest tier, every flag that any of it has, read-only where all of it
 * is. Approval workflows are not handed on: one that approves the calls of an endpoint approves no other tool.
 */
export function guardedAs<Fields extends Pick<ToolFields, 'routing' | 'safety'>>(
  fields: Fields,
  called: readonly CallGuards[],
): Fields {
  const { routing, safety } = fields;
  const all = [{ routing, safety }, ...called];
  const own = routing.sensitivityTier;
  const highest = called.reduce((tier, guards) => {
    const other = tierOf(guards.routing.sensitivityTier);
    return exceeds(other, tierOf(tier)) ? other : tier;
  }, own);
  const some = (flag: 'destructive' | 'humanApprovalRequired') =>
    all.some((each) => each.safety[flag] === true);
  return {
    ...fields,
    routing: { ...routing, ...(highest !== undefined && { sensitivityTier: highest }) },
    safety: {
      ...safety,
      readOnly: all.every((each) => each.safety.readOnly === true),
      destructive: some('destructive'),
      humanApprovalRequired: some('humanApprovalRequired'),
    },
  };
}
