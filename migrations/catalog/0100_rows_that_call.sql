-- Behind row level security an index is only used for conditions that leak nothing, which those on arrays and on JSON might: of a host the few
-- rows are found that call anything, and compared.
DROP INDEX tool_calls_ix;
CREATE INDEX tool_calling_ix ON tool_t (host_id) WHERE call_endpoints <> '{}';
DROP INDEX tool_version_calls_ix;
CREATE INDEX tool_version_calling_ix ON tool_version_t (host_id) WHERE content ? 'call';
