-- Profiles of agents, and the skills assigned to them: rebuilt from the log.

CREATE TABLE agent_definition_t (
  host_id              uuid NOT NULL,
  -- The id of the API version (of type agent) that the profile belongs to.
  agent_def_id         uuid NOT NULL,
  model_provider       text,
  model_name           text,
  temperature          double precision,
  max_tokens           integer,
  personas             text[] NOT NULL,
  max_sensitivity_tier text NOT NULL,
  gateway_ids          text[] NOT NULL,
  domains              text[] NOT NULL,
  semantic_namespaces  text[] NOT NULL,
  aggregate_version    bigint NOT NULL,
  active               boolean NOT NULL,
  update_ts            timestamptz(3) NOT NULL,
  update_user          text NOT NULL,
  position             bigint NOT NULL,
  PRIMARY KEY (host_id, agent_def_id)
);

-- An assignment that was taken away stays as an inactive row: its position tells when.
CREATE TABLE agent_skill_t (
  host_id           uuid NOT NULL,
  agent_def_id      uuid NOT NULL,
  skill_id          uuid NOT NULL,
  config            jsonb NOT NULL,
  priority          integer NOT NULL,
  sequence_id       integer NOT NULL,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, agent_def_id, skill_id)
);

CREATE INDEX agent_skill_skill_ix ON agent_skill_t (host_id, skill_id);

-- What the floors above read.

-- Name, service and environment are the API version's: an agent is one with it.
CREATE VIEW agent_read AS
SELECT a.host_id, a.agent_def_id, v.service_id, v.env_tag, v.api_name AS name, v.api_version,
  a.model_provider, a.model_name, a.personas, a.max_sensitivity_tier, a.gateway_ids, a.domains,
  a.semantic_namespaces, a.active AND v.active AS active, greatest(a.position, v.position) AS position
FROM agent_definition_t a
JOIN api_version_read v ON v.host_id = a.host_id AND v.api_version_id = a.agent_def_id;

CREATE VIEW agent_skill_read AS
SELECT host_id, agent_def_id, skill_id, config, priority, sequence_id, active, position
FROM agent_skill_t;
