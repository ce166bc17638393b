/** Which workflow approves the calls of a tool. Pure. */
import { textIn } from '../loose-json.js';
import type { Offer } from './offers.js';
import type { ToolRow } from '../rows.js';

/** Published, active workflow definitions of the host: each by its `wfDefId` and by `namespace/name`. */
type Approvals = ReadonlySet<string>;

/** Whether the link or the tool names a published approval workflow: a name alone approves nothing. */
export function isApproved({ link, tool }: Offer, { approvals }: { readonly approvals: Approvals }): boolean {
  const named = textIn(link.config, 'approvalWorkflow');
  return (named !== undefined && approvals.has(named)) || approvalOf(tool, approvals) !== undefined;
}

/** The tool's own approval workflow, where it is one that approves. */
export function approvalOf({ tool_metadata: { safety } }: ToolRow, approvals: Approvals): string | undefined {
  const named = safety?.approvalWorkflow;
  return named !== undefined && approvals.has(named) ? named : undefined;
}
