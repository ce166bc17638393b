/**
 * Column of `tool_read t`: its metadata, in which an approval workflow stands only where it is a published, active one of
 * the host (contract 7, Approval). Gateways take any name for an approval: they are told none that approves nothing.
 */
export const approvedMetadata = `
  CASE WHEN t.tool_metadata #>> '{safety,approvalWorkflow}' IS NULL OR EXISTS (
    SELECT FROM workflow_approval_read w WHERE w.host_id = t.host_id AND w.approves
      AND w.reference = t.tool_metadata #>> '{safety,approvalWorkflow}')
  THEN t.tool_metadata ELSE t.tool_metadata #- '{safety,approvalWorkflow}' END`;
