/** When a tool needs an approval workflow, and whose word meets that need (contract 7, Approval). Pure. */
import type { LinkRow, ToolRow } from './catalog.rows.js';
import { textIn } from './loose-json.js';

export function needsApproval(tool: ToolRow): boolean {
  return tool.tool_metadata.safety?.humanApprovalRequired === true;
}

/**
 * True where the link or the tool names an approval workflow that is among `approvals`, the published ones:
 * a name alone approves nothing.
 */
export function isApproved(
  { link, tool }: { readonly link: LinkRow; readonly tool: ToolRow },
  approvals: ReadonlySet<string>,
): boolean {
  return among(approvals, textIn(link.config, 'approvalWorkflow')) || isApprovedByItself(tool, approvals);
}

/**
 * A gateway knows only the tool's own approval workflow: it will block a tool that is approved by its link
 * alone (diagnostic `gateway_will_block`).
 */
export function willBeBlockedByGateway(tool: ToolRow, approvals: ReadonlySet<string>): boolean {
  const guarded = needsApproval(tool) || tool.tool_metadata.safety?.destructive === true;
  return guarded && !isApprovedByItself(tool, approvals);
}

function isApprovedByItself(tool: ToolRow, approvals: ReadonlySet<string>): boolean {
  return among(approvals, tool.tool_metadata.safety?.approvalWorkflow);
}

function among(approvals: ReadonlySet<string>, reference: string | undefined): boolean {
  return reference !== undefined && approvals.has(reference);
}
