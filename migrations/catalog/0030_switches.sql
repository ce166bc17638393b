-- Agents, APIs and API versions are switched off by themselves: what is in the way is a column, and the graph follows.

CREATE OR REPLACE VIEW api_version_read AS
SELECT v.host_id, v.api_version_id, v.api_id, a.api_name, v.api_type, v.api_version, v.service_id, v.env_tag,
       v.quarantine, v.active AND a.active AS active, greatest(v.position, a.position) AS position,
       CASE WHEN NOT a.active THEN 'api' WHEN NOT v.active THEN 'api_version' END AS inactive_part
  FROM api_version_t v
  JOIN api_t a ON a.host_id = v.host_id AND a.api_id = v.api_id;

CREATE OR REPLACE VIEW endpoint_read AS
SELECT e.host_id, e.endpoint_id, e.api_version_id, e.api_id, a.api_name, v.api_type, v.api_version,
       e.service_id, e.env_tag, v.quarantine, e.endpoint, e.http_method, e.endpoint_path, e.endpoint_name,
       e.endpoint_desc, e.source_protocol, e.lifecycle_status,
       e.active AND v.active AND a.active AS active, e.tool_metadata, e.tool_schema, e.response_schema,
       greatest(e.position, v.position, a.position) AS position,
       e.document_tags, e.gaps, e.conflicts <> '[]' AS conflict, e.changed,
       -- Any-of sets in the order of the document: [[{scheme, scopes, descriptions?}]].
       coalesce((
         SELECT jsonb_agg(s.needed ORDER BY s.scope_set)
           FROM (SELECT p.scope_set,
                        coalesce(jsonb_agg(p.needed ORDER BY p.scheme) FILTER (WHERE p.scheme IS NOT NULL), '[]')
                          AS needed
                   FROM (SELECT scope_set, scheme, jsonb_strip_nulls(jsonb_build_object(
                                  'scheme', scheme,
                                  'scopes', coalesce(jsonb_agg(scope ORDER BY scope) FILTER (WHERE scope IS NOT NULL), '[]'),
                                  'descriptions', jsonb_object_agg(scope, scope_desc) FILTER (WHERE scope_desc IS NOT NULL)
                                )) AS needed
                           FROM api_endpoint_scope_t
                          WHERE host_id = e.host_id AND endpoint_id = e.endpoint_id
                          GROUP BY scope_set, scheme) p
                  GROUP BY p.scope_set) s), '[]') AS scopes,
       CASE WHEN NOT a.active THEN 'api' WHEN NOT v.active THEN 'api_version' WHEN NOT e.active THEN 'endpoint' END
         AS inactive_part
  FROM api_endpoint_t e
  JOIN api_version_t v ON v.host_id = e.host_id AND v.api_version_id = e.api_version_id
  JOIN api_t a ON a.host_id = e.host_id AND a.api_id = e.api_id;

CREATE OR REPLACE VIEW agent_read AS
SELECT a.host_id, a.agent_def_id, v.service_id, v.env_tag, v.api_name AS name, v.api_version,
  a.model_provider, a.model_name, a.personas, a.max_sensitivity_tier, a.gateway_ids, a.domains,
  a.semantic_namespaces, a.active AND v.active AS active, greatest(a.position, v.position) AS position, v.api_id,
  coalesce(v.inactive_part, CASE WHEN NOT a.active THEN 'agent' END) AS inactive_part
FROM agent_definition_t a
JOIN api_version_read v ON v.host_id = a.host_id AND v.api_version_id = a.agent_def_id;

CREATE OR REPLACE VIEW graph_tool AS
SELECT t.host_id, t.tool_id AS id, t.name, t.description, t.version, t.implementation_type, t.source_protocol,
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
 WHERE p.active AND t.active AND t.endpoint_active AND coalesce(v.active, true) AND coalesce(a.active, true)
   AND p.host_id = nullif(current_setting('app.host', true), '')::uuid;
