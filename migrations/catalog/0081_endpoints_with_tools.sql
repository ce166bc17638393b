-- Whether a review of a tool has said what agents read of the endpoint.
CREATE OR REPLACE VIEW endpoint_told AS
SELECT e.host_id, e.endpoint_id,
       CASE WHEN t.tool_id IS NULL THEN e.endpoint_desc
            WHEN t.approved THEN t.description
            ELSE coalesce(t.overrides ->> 'description', '') END AS description,
       CASE WHEN t.tool_id IS NULL THEN e.tool_schema WHEN t.approved THEN t.input_schema ELSE '{}' END AS input_schema,
       CASE WHEN t.tool_id IS NULL THEN e.response_schema WHEN t.approved THEN coalesce(t.response_schema, e.response_schema)
       END AS response_schema,
       CASE WHEN t.tool_id IS NULL THEN e.tool_metadata WHEN t.approved THEN t.tool_metadata
            ELSE jsonb_build_object('routing', '{}'::jsonb, 'safety', t.tool_metadata -> 'safety') END AS tool_metadata,
       CASE WHEN t.tool_id IS NULL THEN e.routing_domain WHEN t.approved THEN t.routing_domain END AS routing_domain,
       CASE WHEN t.tool_id IS NULL THEN e.semantic_namespace WHEN t.approved THEN t.semantic_namespace END AS semantic_namespace,
       CASE WHEN t.tool_id IS NULL THEN e.category WHEN t.approved THEN t.category END AS category,
       t.tool_id IS NOT NULL AS has_tool
  FROM api_endpoint_t e
  LEFT JOIN tool_t t ON t.host_id = e.host_id AND t.endpoint_id = e.endpoint_id;
