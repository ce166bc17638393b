-- An import looks for the versions with steps that call what it changes: few among all.
CREATE INDEX tool_version_steps_ix ON tool_version_t (host_id) WHERE content #> '{call,alternatives}' IS NOT NULL;
