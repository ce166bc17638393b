/** When a call needs an approval workflow: one rule for the catalog, gateways and the agent client. */

/** Of a tool's safety, what asks for approval. */
export interface Guarded {
  readonly destructive?: boolean | undefined;
  readonly humanApprovalRequired?: boolean | undefined;
}

/** In the order in which they are tried. */
export const approvalReasons = [
  'destructive_tool_requires_approval_workflow',
  'approval_required_missing_workflow',
] as const;
export type ApprovalReason = (typeof approvalReasons)[number];

/** For which of the reasons the tool needs approval, whether or not it has it. */
export function needsApprovalFor(safety: Guarded, reason: ApprovalReason): boolean {
  return reason === 'destructive_tool_requires_approval_workflow'
    ? safety.destructive === true
    : safety.humanApprovalRequired === true;
}

/**
 * Why the tool is not to be called. `approved`: a published, active workflow approves it; a gateway knows the tool's own
 * workflow alone, the catalog also that of a skill's link.
 */
export function unapproved(safety: Guarded, approved: boolean): ApprovalReason | undefined {
  return approved ? undefined : approvalReasons.find((reason) => needsApprovalFor(safety, reason));
}
