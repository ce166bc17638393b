-- Which skills a skill builds on: rebuilt from the log.

-- A dependency that was taken away stays as an inactive row: its position tells when.
CREATE TABLE skill_dependency_t (
  host_id             uuid NOT NULL,
  skill_id            uuid NOT NULL,
  depends_on_skill_id uuid NOT NULL,
  required            boolean NOT NULL,
  aggregate_version   bigint NOT NULL,
  active              boolean NOT NULL,
  update_ts           timestamptz(3) NOT NULL,
  update_user         text NOT NULL,
  position            bigint NOT NULL,
  PRIMARY KEY (host_id, skill_id, depends_on_skill_id)
);

CREATE INDEX skill_dependency_target_ix ON skill_dependency_t (host_id, depends_on_skill_id);

-- What the floors above read.
CREATE VIEW skill_dependency_read AS
SELECT host_id, skill_id, depends_on_skill_id, required, active, position
  FROM skill_dependency_t;
