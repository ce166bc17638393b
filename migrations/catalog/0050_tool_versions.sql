-- Versions of tools: tool_t is what agents are given of a tool, the newest version that was approved. Beside it stand all
-- versions, those in review too, so that a skill may stay with an older one.

-- Orders versions as numbers: '1.10.0' comes after '1.9.0'. Null for what is no version.
CREATE FUNCTION version_key(p_version text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  lpad(split_part(p_version, '.', 1), 9, '0') || '.' || lpad(split_part(p_version, '.', 2), 9, '0') || '.' ||
  lpad(split_part(p_version, '.', 3), 9, '0');

CREATE TABLE tool_version_t (
  host_id           uuid NOT NULL,
  tool_id           uuid NOT NULL,
  version           text NOT NULL,
  -- draft, in_review, approved, deprecated, retired, rejected
  state             text NOT NULL,
  -- {description, routing, safety, lifecycleStatus, inputSchema, outputSchema, params, sourceProtocol, capabilityRef};
  -- outputSchema is absent as long as the endpoint's is the version's.
  content           jsonb NOT NULL,
  -- The spec as it was pushed; null for a version that came from an endpoint or a request.
  spec_text         text,
  -- Who wrote it.
  author            text NOT NULL,
  -- {passed, digest, at, …}: of which content, and what it found.
  evaluation        jsonb,
  -- {by, at, reason?, override?, evaluation?}: who approved or rejected it.
  review            jsonb,
  -- {on, message}
  deprecation       jsonb,
  aggregate_version bigint NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, tool_id, version)
);

-- The newest that agents may be given, within the range of a link.
CREATE INDEX tool_version_live_ix ON tool_version_t (host_id, tool_id, (version_key(version) COLLATE "C") DESC)
  WHERE state IN ('approved', 'deprecated');
CREATE INDEX tool_version_review_ix ON tool_version_t (host_id) WHERE state IN ('draft', 'in_review');

-- False until the first version of the tool is approved: nobody above reads its content before.
ALTER TABLE tool_t ADD COLUMN approved boolean NOT NULL DEFAULT true;
ALTER TABLE tool_t ADD COLUMN deprecation jsonb;
DROP FUNCTION tool_history() CASCADE;
DROP TABLE tool_history_t;
SELECT keep_history('tool_t', '{tool_id}', '{script_content, words, overrides}');

-- What tool_t is given stays as a version, whichever event brought it.
CREATE FUNCTION tool_version_content(t tool_t) RETURNS jsonb LANGUAGE sql STABLE RETURN jsonb_build_object(
  'description', t.description, 'routing', t.tool_metadata -> 'routing', 'safety', t.tool_metadata -> 'safety',
  'lifecycleStatus', t.lifecycle_status, 'inputSchema', t.input_schema, 'params', t.params,
  'sourceProtocol', t.source_protocol, 'capabilityRef', t.capability_ref)
  || CASE WHEN t.response_schema IS NULL THEN '{}' ELSE jsonb_build_object('outputSchema', t.response_schema) END;

INSERT INTO tool_version_t (host_id, tool_id, version, state, content, author, aggregate_version, update_ts, update_user, position)
SELECT t.host_id, t.tool_id, t.version, 'approved', tool_version_content(t), t.update_user, t.aggregate_version, t.update_ts,
       t.update_user, t.position
  FROM tool_t t;
SELECT keep_history('tool_version_t', '{tool_id, version}', '{spec_text, author, evaluation, review}');

CREATE FUNCTION keep_tool_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tool_version_t AS known (host_id, tool_id, version, state, content, author, aggregate_version, update_ts, update_user, position)
  SELECT t.host_id, t.tool_id, t.version, 'approved', tool_version_content(t.*::tool_t), t.update_user, t.aggregate_version,
         t.update_ts, t.update_user, t.position
    FROM new_rows t WHERE t.approved
  ON CONFLICT (host_id, tool_id, version) DO UPDATE
    SET content = known.content || excluded.content, position = excluded.position
    WHERE NOT known.content @> excluded.content;
  RETURN NULL;
END $$;

CREATE TRIGGER keep_versions_of_new AFTER INSERT ON tool_t
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tool_versions();
CREATE TRIGGER keep_versions AFTER UPDATE ON tool_t
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tool_versions();

-- The versions that agents may be given.
CREATE VIEW tool_version_read AS
SELECT host_id, tool_id, version, state, content, deprecation, position
  FROM tool_version_t
 WHERE state IN ('approved', 'deprecated');

-- What the floors above read: nothing of a tool that has no approved version but its name and its guards.
CREATE OR REPLACE VIEW tool_read AS
SELECT t.host_id, t.tool_id, t.endpoint_id, t.name, CASE WHEN t.approved THEN t.description ELSE '' END AS description,
       t.version, t.implementation_type,
       t.capability_ref, t.source_protocol, t.routing_domain, t.semantic_namespace, t.sensitivity_tier,
       t.semantic_weight, t.lifecycle_status, t.target_personas, t.service_id, t.env_tag,
       CASE WHEN t.approved THEN t.tool_metadata ELSE jsonb_build_object('routing', '{}'::jsonb, 'safety', t.tool_metadata -> 'safety')
       END AS tool_metadata,
       CASE WHEN t.approved THEN t.input_schema ELSE '{}' END AS input_schema,
       CASE WHEN t.response_schema IS NOT NULL THEN t.response_schema
            WHEN t.endpoint_id IS NOT NULL THEN (SELECT e.response_schema FROM endpoint_read e
                   WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id)
       END AS response_schema,
       CASE WHEN t.approved THEN t.params ELSE '[]' END AS params,
       CASE WHEN t.approved THEN t.example_prompts ELSE '[]' END AS example_prompts,
       t.change IS NOT NULL AS changed, t.change ->> 'grade' AS change_grade,
       t.active, t.position, t.category,
       coalesce((SELECT e.scopes FROM endpoint_read e
                  WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id), '[]') AS scopes,
       coalesce((t.change ->> 'quarantine')::boolean, false) AS quarantine,
       t.approved, t.response_schema AS own_response_schema, t.deprecation
  FROM tool_t t;

CREATE OR REPLACE VIEW graph_tool AS
SELECT t.host_id, t.tool_id AS id, t.name, CASE WHEN t.approved THEN t.description ELSE '' END AS description, t.version,
       t.implementation_type, t.source_protocol,
       t.endpoint_id, t.api_version_id, t.capability_ref, t.routing_domain AS domain, t.semantic_namespace,
       t.sensitivity_tier, t.semantic_weight::double precision AS semantic_weight, t.target_personas,
       t.lifecycle_status,
       coalesce((t.tool_metadata #>> '{safety,readOnly}') = 'true', false) AS read_only,
       coalesce((t.tool_metadata #>> '{safety,idempotent}') = 'true', false) AS idempotent,
       coalesce((t.tool_metadata #>> '{safety,destructive}') = 'true', false) AS destructive,
       coalesce((t.tool_metadata #>> '{safety,humanApprovalRequired}') = 'true', false) AS human_approval_required,
       t.change IS NOT NULL AS changed, t.change ->> 'grade' AS change_grade, t.service_id, t.env_tag,
       t.update_ts AS updated_at
  FROM tool_t t
  LEFT JOIN api_version_t v ON v.host_id = t.host_id AND v.api_version_id = t.api_version_id
  LEFT JOIN api_t a ON a.host_id = t.host_id AND a.api_id = t.api_id
 WHERE t.active AND t.endpoint_active AND coalesce(v.active, true) AND coalesce(a.active, true)
   AND t.host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE OR REPLACE VIEW graph_tool_param AS
SELECT p.host_id, p.param_id AS id, p.name, p.tool_id, p.param_type AS type, p.required, p.description, p.order_index,
       t.service_id, t.env_tag, t.sensitivity_tier, p.param_type
  FROM tool_param_t p
  JOIN tool_t t ON t.host_id = p.host_id AND t.tool_id = p.tool_id
  LEFT JOIN api_version_t v ON v.host_id = t.host_id AND v.api_version_id = t.api_version_id
  LEFT JOIN api_t a ON a.host_id = t.host_id AND a.api_id = t.api_id
 WHERE p.active AND t.active AND t.approved AND t.endpoint_active AND coalesce(v.active, true) AND coalesce(a.active, true)
   AND p.host_id = nullif(current_setting('app.host', true), '')::uuid;

-- Whether texts and compatible changes of tools are approved as they come.
ALTER TABLE host_settings_t ADD COLUMN auto_approve boolean NOT NULL DEFAULT true;

-- A link of a skill may keep to a range of versions: from the first to before the last. Null: the newest, whichever it is.
ALTER TABLE skill_tool_t ADD COLUMN range text;
ALTER TABLE skill_tool_t ADD COLUMN range_from text;
ALTER TABLE skill_tool_t ADD COLUMN range_before text;
DROP FUNCTION skill_tool_history() CASCADE;
DROP TABLE skill_tool_history_t;
SELECT keep_history('skill_tool_t', '{skill_id, tool_id}');
CREATE OR REPLACE VIEW skill_tool_read AS
SELECT host_id, skill_id, tool_id, access_level, config, active, position, range, range_from, range_before
  FROM skill_tool_t;
