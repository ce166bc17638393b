/** When a call needs an approval workflow: one rule for the catalog, gateways and the agent client. */

/** The flags of a tool's safety that ask for approval. */
export interface Guarded {
  readonly destructive?: boolean | undefined;
  readonly humanApprovalRequired?: boolean | undefined;
}

/** Reasons in the order in which they are tried. */
export const approvalReasons = [
  'destructive_tool_requires_approval_workflow',
  'approval_required_missing_workflow',
] as const;
export type ApprovalReason = (typeof approvalReasons)[number];

/** Whether the tool needs approval for this reason, approved or not. */
export function needsApprovalFor(safety: Guarded, reason: ApprovalReason): boolean {
  return reason === 'destructive_tool_requires_approval_workflow'
    ? safety.destructive === true
    : safety.humanApprovalRequired === true;
}

/** Why the tool must not be called; undefined where it needs no approval, or `approved` says that it has one. */
export function unapproved(safety: Guarded, approved: boolean): ApprovalReason | undefined {
  return approved ? undefined : approvalReasons.find((reason) => needsApprovalFor(safety, reason));
}

/**
 * Why a gateway must not call the tool. It knows the tool's own workflow alone, not that of a skill's link; the catalog
 * names one only where it is published, active, and approves.
 */
export function unapprovedByItself({
  approvalWorkflow,
  ...safety
}: Guarded & { readonly approvalWorkflow?: string | undefined }): ApprovalReason | undefined {
  return unapproved(safety, (approvalWorkflow ?? '').trim() !== '');
}
