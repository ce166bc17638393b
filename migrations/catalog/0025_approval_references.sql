-- Which links and tools name a workflow to approve their calls: when that one changes, their agents are told.
CREATE INDEX skill_tool_approval_ix ON skill_tool_t (host_id, (config ->> 'approvalWorkflow'))
  WHERE config ->> 'approvalWorkflow' IS NOT NULL;
CREATE INDEX tool_approval_ix ON tool_t (host_id, (tool_metadata #>> '{safety,approvalWorkflow}'))
  WHERE tool_metadata #>> '{safety,approvalWorkflow}' IS NOT NULL;
