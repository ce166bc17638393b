/** Whose word approves a tool (contract 7, Approval). Pure. */
import { unapproved } from '../../packages/tool-guard/tool-guard.js';
import type { LinkRow, ToolRow } from './catalog.rows.js';
import { textIn } from './loose-json.js';

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
  return unapproved(tool.tool_metadata.safety ?? {}, isApprovedByItself(tool, approvals)) !== undefined;
}

function isApprovedByItself(tool: ToolRow, approvals: ReadonlySet<string>): boolean {
  return approvalOf(tool, approvals) !== undefined;
}

/** The tool's own approval workflow, where it is one that approves. */
export function approvalOf(
  { tool_metadata: { safety } }: ToolRow,
  approvals: ReadonlySet<string>,
): string | undefined {
  return among(approvals, safety?.approvalWorkflow) ? safety?.approvalWorkflow : undefined;
}

function among(approvals: ReadonlySet<string>, reference: string | undefined): boolean {
  return reference !== undefined && approvals.has(reference);
}
