-- Workflow definitions, a row for each version: rebuilt from the log.

CREATE TABLE wf_definition_t (
  host_id           uuid NOT NULL,
  wf_def_id         uuid NOT NULL,
  namespace         text COLLATE "C" NOT NULL,
  name              text COLLATE "C" NOT NULL,
  version           text NOT NULL,
  -- YAML, byte for byte.
  definition        text NOT NULL,
  -- The steps that call tools: [{path, by, value, dependency}], and what could not be told: [{path, code, message}].
  tool_calls        jsonb NOT NULL,
  warnings          jsonb NOT NULL,
  lifecycle_status  text NOT NULL,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, wf_def_id),
  -- Drafts may pass a name on to each other within one batch of a rebuild: it can be told to look at the end.
  CONSTRAINT wf_definition_version_uk UNIQUE (host_id, namespace, name, version) DEFERRABLE INITIALLY IMMEDIATE
);

-- The order of the list.
CREATE INDEX wf_definition_name_ix ON wf_definition_t (host_id, name, (wf_def_id::text) COLLATE "C");

-- What the floors above read.

CREATE VIEW workflow_read AS
SELECT host_id, wf_def_id, namespace, name, version, lifecycle_status AS status, active, position, tool_calls
  FROM wf_definition_t;

-- By what links and tools name the workflow that approves their calls: its id, or namespace/name. The latter is
-- approved by any version that is.
CREATE VIEW workflow_approval_read AS
SELECT w.host_id, w.wf_def_id, r.reference, w.lifecycle_status = 'PUBLISHED' AND w.active AS approves, w.position
  FROM wf_definition_t w
 CROSS JOIN LATERAL (VALUES (w.wf_def_id::text), (w.namespace || '/' || w.name)) AS r (reference);
