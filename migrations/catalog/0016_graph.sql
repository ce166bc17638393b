-- The graph of the catalog, as the query language sees it (src/graph/ontology.ts): nodes `graph_<node>` with `id` and a
-- column for each property, relationships `graph_<relationship>` with `from_id` and `to_id`. Only what is active is in
-- the graph, and only what belongs to the host that `app.host` names: without it every view is empty.

CREATE VIEW graph_api AS
SELECT host_id, api_id AS id, api_name AS name, api_desc AS description, business_group, lob, platform, capability,
       region, update_ts AS updated_at
  FROM api_t
 WHERE active AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_api_version AS
SELECT v.host_id, v.api_version_id AS id, a.api_name AS name, v.api_id, v.api_version AS version, v.api_type,
       v.service_id, v.env_tag, v.quarantine, v.update_ts AS updated_at
  FROM api_version_t v
  JOIN api_t a ON a.host_id = v.host_id AND a.api_id = v.api_id
 WHERE v.active AND a.active AND v.host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_endpoint AS
SELECT e.host_id, e.endpoint_id AS id, e.endpoint_name AS name, e.endpoint_desc AS description, e.endpoint,
       e.http_method AS method, e.endpoint_path AS path, e.api_id, e.api_version_id, e.source_protocol,
       e.routing_domain AS domain, e.semantic_namespace, e.sensitivity_tier,
       e.semantic_weight::double precision AS semantic_weight, e.target_personas, e.lifecycle_status,
       coalesce((e.tool_metadata #>> '{safety,readOnly}') = 'true', false) AS read_only,
       coalesce((e.tool_metadata #>> '{safety,idempotent}') = 'true', false) AS idempotent,
       coalesce((e.tool_metadata #>> '{safety,destructive}') = 'true', false) AS destructive,
       coalesce((e.tool_metadata #>> '{safety,humanApprovalRequired}') = 'true', false) AS human_approval_required,
       e.cost_tier, e.enrichment, e.service_id, e.env_tag, e.update_ts AS updated_at
  FROM api_endpoint_t e
  JOIN api_version_t v ON v.host_id = e.host_id AND v.api_version_id = e.api_version_id
  JOIN api_t a ON a.host_id = e.host_id AND a.api_id = e.api_id
 WHERE e.active AND v.active AND a.active AND e.host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_tool AS
SELECT host_id, tool_id AS id, name, description, version, implementation_type, source_protocol, endpoint_id,
       api_version_id, capability_ref, routing_domain AS domain, semantic_namespace, sensitivity_tier,
       semantic_weight::double precision AS semantic_weight, target_personas, lifecycle_status,
       coalesce((tool_metadata #>> '{safety,readOnly}') = 'true', false) AS read_only,
       coalesce((tool_metadata #>> '{safety,idempotent}') = 'true', false) AS idempotent,
       coalesce((tool_metadata #>> '{safety,destructive}') = 'true', false) AS destructive,
       coalesce((tool_metadata #>> '{safety,humanApprovalRequired}') = 'true', false) AS human_approval_required,
       change IS NOT NULL AS changed, change ->> 'grade' AS change_grade, service_id, env_tag,
       update_ts AS updated_at
  FROM tool_t
 WHERE active AND endpoint_active AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_tool_param AS
SELECT p.host_id, p.param_id AS id, p.name, p.tool_id, p.param_type AS type, p.required, p.description, p.order_index,
       t.service_id, t.env_tag, t.sensitivity_tier
  FROM tool_param_t p
  JOIN tool_t t ON t.host_id = p.host_id AND t.tool_id = p.tool_id
 WHERE p.active AND t.active AND t.endpoint_active
   AND p.host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_skill AS
SELECT host_id, skill_id AS id, name, description, version, content_markdown, parent_skill_id, update_ts AS updated_at
  FROM skill_t
 WHERE active AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_agent AS
SELECT host_id, agent_def_id AS id, name, api_version AS version, service_id, env_tag, model_provider, model_name,
       max_sensitivity_tier, personas, domains
  FROM agent_read
 WHERE active AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_uses_tool AS
SELECT host_id, skill_id AS from_id, tool_id AS to_id, access_level
  FROM skill_tool_t
 WHERE active AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_assigned AS
SELECT host_id, agent_def_id AS from_id, skill_id AS to_id, priority, sequence_id
  FROM agent_skill_t
 WHERE active AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_gateway AS
SELECT host_id, gateway_id AS id, service_id, env_tag, max_sensitivity_tier, update_ts AS updated_at
  FROM gateway_t
 WHERE active AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_depends_on AS
SELECT host_id, skill_id AS from_id, depends_on_skill_id AS to_id, required
  FROM skill_dependency_t
 WHERE active AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_exposes AS
SELECT host_id, gateway_id AS from_id, tool_id AS to_id
  FROM tool_exposure_t
 WHERE active AND host_id = nullif(current_setting('app.host', true), '')::uuid;

-- Compiled queries run as this role: it can read these views, and nothing else. Roles belong to the whole server: another
-- database of it may be migrated at the same moment.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'portal_catalog_query') THEN
    BEGIN
      CREATE ROLE portal_catalog_query NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END IF;
  IF NOT pg_has_role(current_user, 'portal_catalog_query', 'MEMBER') THEN
    EXECUTE format('GRANT portal_catalog_query TO %I', current_user);
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO portal_catalog_query', current_schema());
END
$$;

GRANT SELECT ON graph_api, graph_api_version, graph_endpoint, graph_tool, graph_tool_param, graph_skill, graph_agent,
                graph_gateway, graph_uses_tool, graph_assigned, graph_depends_on, graph_exposes
   TO portal_catalog_query;
