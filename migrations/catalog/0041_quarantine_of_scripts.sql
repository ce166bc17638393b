-- A tool without an endpoint has no API version whose quarantine could withhold it: its mark says so itself.

CREATE OR REPLACE VIEW tool_read AS
SELECT t.host_id, t.tool_id, t.endpoint_id, t.name, t.description, t.version, t.implementation_type,
       t.capability_ref, t.source_protocol, t.routing_domain, t.semantic_namespace, t.sensitivity_tier,
       t.semantic_weight, t.lifecycle_status, t.target_personas, t.service_id, t.env_tag, t.tool_metadata,
       t.input_schema,
       CASE WHEN t.endpoint_id IS NULL THEN t.response_schema
            ELSE (SELECT e.response_schema FROM endpoint_read e
                   WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id)
       END AS response_schema,
       t.params, t.example_prompts, t.change IS NOT NULL AS changed, t.change ->> 'grade' AS change_grade,
       t.active, t.position, t.category,
       coalesce((SELECT e.scopes FROM endpoint_read e
                  WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id), '[]') AS scopes,
       coalesce((t.change ->> 'quarantine')::boolean, false) AS quarantine
  FROM tool_t t;
