-- Tools and their params: rebuilt from the log.

CREATE TABLE tool_t (
  host_id             uuid NOT NULL,
  tool_id             uuid NOT NULL,
  name                text COLLATE "C" NOT NULL,
  description         text NOT NULL,
  version             text NOT NULL,
  implementation_type text NOT NULL,
  implementation_class text,
  script_content      text,
  -- Null for a tool without an endpoint, as are the five columns that follow.
  endpoint_id         uuid,
  api_version_id      uuid,
  api_id              text COLLATE "C",
  service_id          text,
  env_tag             text,
  source_protocol     text,
  -- Whether the endpoint is offered; the tool's own flag is `active`.
  endpoint_active     boolean NOT NULL,
  capability_ref      text,
  routing_domain      text,
  semantic_namespace  text,
  sensitivity_tier    text NOT NULL,
  semantic_weight     real NOT NULL,
  lifecycle_status    text NOT NULL,
  target_personas     text[] NOT NULL,
  -- Effective {routing, safety}.
  tool_metadata       jsonb NOT NULL,
  input_schema        jsonb NOT NULL,
  -- Only of a tool without an endpoint: an endpoint keeps its own.
  response_schema     jsonb,
  -- As in tool_param_t, ready for the catalog.
  params              jsonb NOT NULL,
  -- {description, routing, safety, lifecycleStatus} beneath the operator's words, and those words.
  words               jsonb NOT NULL,
  overrides           jsonb NOT NULL,
  example_prompts     jsonb NOT NULL,
  -- What changed beneath and is not accepted yet: {grade, fields, before, after}.
  change              jsonb,
  aggregate_version   bigint NOT NULL,
  active              boolean NOT NULL,
  update_ts           timestamptz(3) NOT NULL,
  update_user         text NOT NULL,
  position            bigint NOT NULL,
  PRIMARY KEY (host_id, tool_id)
);

-- One tool of an endpoint, also when two publish it at once.
CREATE UNIQUE INDEX tool_endpoint_uk ON tool_t (host_id, endpoint_id) WHERE endpoint_id IS NOT NULL;
-- The order of the list.
CREATE INDEX tool_name_ix ON tool_t (host_id, name, (tool_id::text) COLLATE "C");
CREATE INDEX tool_api_version_ix ON tool_t (host_id, api_version_id);
CREATE INDEX tool_routing_ix ON tool_t (host_id, active, routing_domain, semantic_namespace, sensitivity_tier);
CREATE INDEX tool_changed_ix ON tool_t (host_id) WHERE change IS NOT NULL;

-- The names in use: one row for each tool that is active and whose endpoint is, so that a name is free while its
-- tool can't be offered. A table of its own, since its rows are taken out and put back whole with each batch of
-- events: tools may pass names on to each other within one batch without meeting in the index. A tool without an
-- environment holds its name in all of them; against it only the host's lock guards.
CREATE TABLE tool_name_t (
  host_id uuid NOT NULL,
  tool_id uuid NOT NULL,
  name    text COLLATE "C" NOT NULL,
  version text NOT NULL,
  env_tag text,
  PRIMARY KEY (host_id, tool_id)
);

CREATE UNIQUE INDEX tool_name_uk ON tool_name_t (host_id, name, version, env_tag) NULLS NOT DISTINCT;

-- The top-level properties of the input schema in force; those of an older one are deleted.
CREATE TABLE tool_param_t (
  host_id           uuid NOT NULL,
  param_id          uuid NOT NULL,
  tool_id           uuid NOT NULL,
  name              text COLLATE "C" NOT NULL,
  param_type        text NOT NULL,
  required          boolean NOT NULL,
  default_value     jsonb,
  description       text,
  validation_schema jsonb NOT NULL,
  order_index       integer NOT NULL,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, param_id)
);

CREATE INDEX tool_param_tool_ix ON tool_param_t (host_id, tool_id, order_index);

-- What the floors above read. A new output schema of the endpoint moves the tool's position as well.
CREATE VIEW tool_read AS
SELECT t.host_id, t.tool_id, t.endpoint_id, t.name, t.description, t.version, t.implementation_type,
       t.capability_ref, t.source_protocol, t.routing_domain, t.semantic_namespace, t.sensitivity_tier,
       t.semantic_weight, t.lifecycle_status, t.target_personas, t.service_id, t.env_tag, t.tool_metadata,
       t.input_schema,
       CASE WHEN t.endpoint_id IS NULL THEN t.response_schema
            ELSE (SELECT e.response_schema FROM endpoint_read e
                   WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id)
       END AS response_schema,
       t.params, t.example_prompts, t.change IS NOT NULL AS changed, t.change ->> 'grade' AS change_grade,
       t.active, t.position
  FROM tool_t t;
