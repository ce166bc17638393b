-- The operation that a call carries out, where a spec says it: {api, apiVersionId, operation, operationName, variables?, keepNull?}.
ALTER TABLE tool_t ADD COLUMN call jsonb;
DROP FUNCTION tool_history() CASCADE;
DROP TABLE tool_history_t;
SELECT keep_history('tool_t', '{tool_id}', '{script_content, words, overrides, call}');
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
       t.active, t.position, t.category,
       coalesce((SELECT e.scopes FROM endpoint_read e
                  WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id), '[]') AS scopes,
       coalesce((t.change ->> 'quarantine')::boolean, false) AS quarantine,
       t.approved, t.response_schema AS own_response_schema, t.deprecation, t.document_prompts,
       CASE WHEN t.approved THEN t.call END AS call
  FROM tool_t t;
CREATE OR REPLACE FUNCTION tool_version_content(t tool_t) RETURNS jsonb LANGUAGE sql STABLE RETURN jsonb_build_object(
  'description', t.description, 'routing', t.tool_metadata -> 'routing', 'safety', t.tool_metadata -> 'safety',
  'lifecycleStatus', t.lifecycle_status, 'inputSchema', t.input_schema, 'params', t.params,
  'sourceProtocol', t.source_protocol, 'capabilityRef', t.capability_ref)
  || CASE WHEN t.response_schema IS NULL THEN '{}' ELSE jsonb_build_object('outputSchema', t.response_schema) END
  || CASE WHEN t.call IS NULL THEN '{}' ELSE jsonb_build_object('call', t.call) END;
