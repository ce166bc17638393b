-- Which skill has which workflow, and as what: rebuilt from the log.

-- A link that was taken away stays as an inactive row: its position tells when.
CREATE TABLE skill_workflow_t (
  host_id           uuid NOT NULL,
  skill_id          uuid NOT NULL,
  wf_def_id         uuid NOT NULL,
  workflow_role     text NOT NULL,
  start_mode        text NOT NULL,
  config            jsonb NOT NULL,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, skill_id, wf_def_id, workflow_role),
  -- A constraint that can be told to look at the end: one may follow another within one batch of a rebuild.
  CONSTRAINT skill_workflow_primary_uk EXCLUDE USING btree (host_id WITH =, skill_id WITH =)
    WHERE (active AND workflow_role = 'primary') DEFERRABLE INITIALLY IMMEDIATE
);

CREATE INDEX skill_workflow_workflow_ix ON skill_workflow_t (host_id, wf_def_id);

-- What the floors above read.
CREATE VIEW skill_workflow_read AS
SELECT host_id, skill_id, wf_def_id, workflow_role, start_mode, config, active, position
  FROM skill_workflow_t;
