-- Why an operation that a spec says does not fit the schema of its API any more: {code, details}; null where it does.
ALTER TABLE tool_version_t ADD COLUMN call_fault jsonb;
DROP FUNCTION tool_version_history() CASCADE;
DROP TABLE tool_version_history_t;
SELECT keep_history('tool_version_t', '{tool_id, version}',
  '{spec_text, author, evaluation, review, origin, eval_config, eval_config_text, accepted}');
ALTER TABLE tool_t ADD COLUMN call_fault jsonb;
DROP FUNCTION tool_history() CASCADE;
DROP TABLE tool_history_t;
SELECT keep_history('tool_t', '{tool_id}', '{script_content, words, overrides, call}');
CREATE INDEX tool_version_apis_ix ON tool_version_t (host_id, (content #>> '{call,apiVersionId}')) WHERE content ? 'call';

CREATE OR REPLACE VIEW tool_version_read AS
SELECT host_id, tool_id, version, state, content, deprecation, position, call_fault
  FROM tool_version_t
 WHERE state IN ('approved', 'deprecated');

CREATE OR REPLACE VIEW tool_read AS
SELECT t.host_id, t.tool_id, t.endpoint_id, t.name, CASE WHEN t.approved THEN t.description ELSE '' END AS description,
       t.version, t.implementation_type,
       t.capability_ref, t.source_protocol, t.routing_domain, t.semantic_namespace, t.sensitivity_tier,
       t.semantic_weight, t.lifecycle_status, t.target_personas, t.service_id, t.env_tag,
       CASE WHEN t.approved THEN t.tool_metadata ELSE jsonb_build_object('routing', '{}'::jsonb, 'safety', t.tool_metadata -> 'safety')
       END AS tool_metadata,
       CASE WHEN t.approved THEN t.input_schema ELSE '{}' END AS input_schema,
       CASE WHEN NOT t.approved THEN NULL
            WHEN t.response_schema IS NOT NULL THEN t.response_schema
            WHEN t.endpoint_id IS NOT NULL THEN (SELECT e.response_schema FROM endpoint_read e
                   WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id)
       END AS response_schema,
       CASE WHEN t.approved THEN t.params ELSE '[]' END AS params,
       CASE WHEN t.approved THEN t.example_prompts ELSE '[]' END AS example_prompts,
       t.change IS NOT NULL AS changed, t.change ->> 'grade' AS change_grade,
       CASE WHEN t.call_endpoints = '{}' THEN t.active
            ELSE t.active AND coalesce(t.call_fault ->> 'code' <> 'operation_unfit', true) AND NOT EXISTS (
              SELECT FROM unnest(t.call_endpoints) AS c (id)
              LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = c.id
               WHERE e.active IS NOT TRUE)
       END AS active,
       t.position, t.category,
       coalesce((SELECT e.scopes FROM endpoint_read e
                  WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id), '[]') AS scopes,
       coalesce((t.change ->> 'quarantine')::boolean, false) AS quarantine,
       t.approved, t.response_schema AS own_response_schema, t.deprecation, t.document_prompts,
       CASE WHEN t.approved THEN t.call END AS call,
       t.active AS own_active, t.call_endpoints, t.call_fault
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
   AND (t.call_endpoints = '{}' OR coalesce(t.call_fault ->> 'code' <> 'operation_unfit', true) AND NOT EXISTS (
     SELECT FROM unnest(t.call_endpoints) AS c (id)
     LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = c.id
      WHERE e.active IS NOT TRUE))
   AND t.host_id = nullif(current_setting('app.host', true), '')::uuid;
