-- Which workflows a definition runs: by id, or by namespace, name and, where it says one, version.
ALTER TABLE wf_definition_t ADD COLUMN runs jsonb NOT NULL DEFAULT '[]';

CREATE OR REPLACE VIEW workflow_read AS
SELECT host_id, wf_def_id, namespace, name, version, lifecycle_status AS status, active, position, tool_calls, runs
  FROM wf_definition_t;
