-- The endpoints behind the operation that a spec says. Where one of them is off, the tool can't be called either.
-- A column with a default is not added to a table whose rows a function takes.
DROP FUNCTION tool_version_content(tool_t);
ALTER TABLE tool_t ADD COLUMN call_endpoints uuid[] NOT NULL DEFAULT '{}';
CREATE FUNCTION tool_version_content(t tool_t) RETURNS jsonb LANGUAGE sql STABLE RETURN jsonb_build_object(
  'description', t.description, 'routing', t.tool_metadata -> 'routing', 'safety', t.tool_metadata -> 'safety',
  'lifecycleStatus', t.lifecycle_status, 'inputSchema', t.input_schema, 'params', t.params,
  'sourceProtocol', t.source_protocol, 'capabilityRef', t.capability_ref)
  || CASE WHEN t.response_schema IS NULL THEN '{}' ELSE jsonb_build_object('outputSchema', t.response_schema) END
  || CASE WHEN t.call IS NULL THEN '{}' ELSE jsonb_build_object('call', t.call) END;
DROP FUNCTION tool_history() CASCADE;
DROP TABLE tool_history_t;
SELECT keep_history('tool_t', '{tool_id}', '{script_content, words, overrides, call}');
CREATE INDEX tool_calls_ix ON tool_t USING gin (call_endpoints) WHERE call_endpoints <> '{}';
CREATE INDEX tool_version_calls_ix ON tool_version_t USING gin ((content #> '{call,endpointIds}')) WHERE content ? 'call';

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
            ELSE t.active AND NOT EXISTS (
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
       t.active AS own_active, t.call_endpoints
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
   AND (t.call_endpoints = '{}' OR NOT EXISTS (
     SELECT FROM unnest(t.call_endpoints) AS c (id)
     LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = c.id
      WHERE e.active IS NOT TRUE))
   AND t.host_id = nullif(current_setting('app.host', true), '')::uuid;
