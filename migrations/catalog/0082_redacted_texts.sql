-- What agents, and readers who see what agents do, are told of an endpoint and of a tool: one relation of each, with the columns
-- of its table, for every door.

-- What is told in place of the document's own columns, by their names, where a text there addresses the model; null where none
-- does. Of rows from before nothing is told until somebody has looked through them: the service at its start, or a rebuild.
ALTER TABLE api_endpoint_t ADD COLUMN redacted jsonb DEFAULT '{"unread": true, "endpoint_desc": "", "routing_domain": "",
  "semantic_namespace": "", "category": "", "cost_tier": "", "document_tags": [], "target_personas": [], "persona_keys": [],
  "tool_schema": {}, "response_schema": {}, "tool_metadata": {"routing": {}, "safety": {}}, "provenance": {}}';
CREATE INDEX api_endpoint_unread_idx ON api_endpoint_t (host_id, endpoint_id) WHERE redacted -> 'unread' IS NOT NULL;
GRANT SELECT (host_id, redacted) ON api_endpoint_t TO portal_catalog_all_hosts;

-- Of a tool that has no approved version: its name and its guards.
CREATE VIEW tool_redacted_read AS
SELECT t.host_id, t.tool_id, t.name, CASE WHEN t.approved THEN t.description ELSE '' END AS description, t.version,
       t.implementation_type,
       CASE WHEN t.approved THEN t.implementation_class END AS implementation_class,
       CASE WHEN t.approved THEN t.script_content END AS script_content,
       t.endpoint_id, t.api_version_id, t.api_id, t.service_id, t.env_tag, t.source_protocol, t.endpoint_active,
       CASE WHEN t.approved THEN t.capability_ref END AS capability_ref,
       CASE WHEN t.approved THEN t.routing_domain END AS routing_domain,
       CASE WHEN t.approved THEN t.semantic_namespace END AS semantic_namespace,
       CASE WHEN t.approved THEN t.category END AS category,
       t.sensitivity_tier, t.semantic_weight, t.lifecycle_status,
       CASE WHEN t.approved THEN t.target_personas ELSE '{}' END AS target_personas,
       CASE WHEN t.approved THEN t.persona_keys ELSE '{}' END AS persona_keys,
       CASE WHEN t.approved THEN t.tool_metadata ELSE jsonb_build_object('routing', '{}'::jsonb, 'safety', t.tool_metadata -> 'safety')
       END AS tool_metadata,
       CASE WHEN t.approved THEN t.input_schema ELSE '{}' END AS input_schema,
       CASE WHEN t.approved THEN t.response_schema END AS response_schema,
       CASE WHEN t.approved THEN t.params ELSE '[]' END AS params,
       CASE WHEN t.approved THEN t.words ELSE t.words || '{"description": "", "routing": {}}' END AS words,
       CASE WHEN t.approved THEN t.overrides ELSE '{}' END AS overrides,
       CASE WHEN t.approved THEN t.example_prompts ELSE '[]' END AS example_prompts,
       t.change, t.approved, t.active, t.aggregate_version, t.update_ts, t.update_user, t.position, t.call_endpoints, t.call_fault
  FROM tool_t t;

-- Where a tool has been made of the endpoint, its approved version says what the endpoint is for; all else is the document's.
-- It takes the place of endpoint_told, which instances of the version before read as long as they run.
CREATE VIEW endpoint_redacted_read AS
SELECT e.host_id, e.endpoint_id, e.api_version_id, e.api_id, e.service_id, e.env_tag, e.endpoint, e.http_method, e.endpoint_path,
       coalesce(e.redacted ->> 'endpoint_name', e.endpoint_name) AS endpoint_name,
       CASE WHEN t.tool_id IS NULL THEN coalesce(e.redacted ->> 'endpoint_desc', e.endpoint_desc) ELSE t.description END AS endpoint_desc,
       e.source_protocol, e.lifecycle_status,
       CASE WHEN t.tool_id IS NULL THEN nullif(coalesce(e.redacted ->> 'routing_domain', e.routing_domain), '') ELSE t.routing_domain
       END AS routing_domain,
       CASE WHEN t.tool_id IS NULL THEN nullif(coalesce(e.redacted ->> 'semantic_namespace', e.semantic_namespace), '')
            ELSE t.semantic_namespace END AS semantic_namespace,
       CASE WHEN t.tool_id IS NULL THEN nullif(coalesce((e.redacted ->> 'category') COLLATE "C", e.category), '')
            ELSE t.category END AS category,
       CASE WHEN t.tool_id IS NULL THEN nullif(coalesce(e.redacted ->> 'cost_tier', e.cost_tier), '')
            ELSE t.tool_metadata #>> '{routing,costTier}' END AS cost_tier,
       CASE WHEN e.redacted -> 'document_tags' IS NULL THEN e.document_tags
            ELSE ARRAY(SELECT jsonb_array_elements_text(e.redacted -> 'document_tags')) END AS document_tags,
       e.sensitivity_tier, e.semantic_weight,
       CASE WHEN t.tool_id IS NOT NULL THEN t.target_personas
            WHEN e.redacted -> 'target_personas' IS NULL THEN e.target_personas
            ELSE ARRAY(SELECT jsonb_array_elements_text(e.redacted -> 'target_personas')) END AS target_personas,
       CASE WHEN t.tool_id IS NOT NULL THEN t.persona_keys
            WHEN e.redacted -> 'persona_keys' IS NULL THEN e.persona_keys
            ELSE ARRAY(SELECT jsonb_array_elements_text(e.redacted -> 'persona_keys')) END AS persona_keys,
       CASE WHEN t.tool_id IS NULL THEN coalesce(e.redacted -> 'tool_schema', e.tool_schema) ELSE t.input_schema END AS tool_schema,
       CASE WHEN t.tool_id IS NULL THEN coalesce(e.redacted -> 'response_schema', e.response_schema)
            WHEN t.approved THEN coalesce(t.response_schema, e.response_schema) END AS response_schema,
       CASE WHEN t.tool_id IS NULL THEN coalesce(e.redacted -> 'tool_metadata', e.tool_metadata) ELSE t.tool_metadata
       END AS tool_metadata,
       -- The guards in force, and the operation that LightAPI describes, whether or not there is a tool.
       e.tool_metadata -> 'safety' AS safety,
       coalesce(e.redacted -> 'tool_metadata', e.tool_metadata) -> 'lightapi' AS lightapi,
       coalesce(e.redacted -> 'provenance', e.provenance) AS provenance,
       coalesce(e.redacted -> 'scopes', (SELECT r.scopes FROM endpoint_read r
          WHERE r.host_id = e.host_id AND r.endpoint_id = e.endpoint_id)) AS scopes,
       e.changed, e.conflicts, e.gaps, e.enrichment, e.vanished, e.deactivated, e.active, e.position, e.aggregate_version,
       e.update_ts, e.update_user
  FROM api_endpoint_t e
  LEFT JOIN tool_redacted_read t ON t.host_id = e.host_id AND t.endpoint_id = e.endpoint_id;

CREATE OR REPLACE VIEW graph_endpoint AS
SELECT e.host_id, e.endpoint_id AS id, e.endpoint_name AS name, e.endpoint_desc AS description, e.endpoint,
       e.http_method AS method, e.endpoint_path AS path, e.api_id, e.api_version_id, e.source_protocol,
       e.routing_domain AS domain, e.semantic_namespace, e.sensitivity_tier,
       e.semantic_weight::double precision AS semantic_weight, e.target_personas, e.lifecycle_status,
       coalesce(e.safety ->> 'readOnly' = 'true', false) AS read_only,
       coalesce(e.safety ->> 'idempotent' = 'true', false) AS idempotent,
       coalesce(e.safety ->> 'destructive' = 'true', false) AS destructive,
       coalesce(e.safety ->> 'humanApprovalRequired' = 'true', false) AS human_approval_required,
       e.cost_tier, e.enrichment, e.service_id, e.env_tag, e.update_ts AS updated_at
  FROM endpoint_redacted_read e
  JOIN api_version_t v ON v.host_id = e.host_id AND v.api_version_id = e.api_version_id
  JOIN api_t a ON a.host_id = e.host_id AND a.api_id = e.api_id
 WHERE e.active AND v.active AND a.active AND e.host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE OR REPLACE VIEW graph_tool AS
SELECT t.host_id, t.tool_id AS id, t.name, t.description, t.version,
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
  FROM tool_redacted_read t
  LEFT JOIN api_version_t v ON v.host_id = t.host_id AND v.api_version_id = t.api_version_id
  LEFT JOIN api_t a ON a.host_id = t.host_id AND a.api_id = t.api_id
 WHERE t.active AND t.endpoint_active AND coalesce(v.active, true) AND coalesce(a.active, true)
   AND (t.call_endpoints = '{}' OR coalesce(t.call_fault ->> 'code' <> 'operation_unfit', true) AND NOT EXISTS (
     SELECT FROM unnest(t.call_endpoints) AS c (id)
     LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = c.id
      WHERE e.active IS NOT TRUE))
   AND t.host_id = nullif(current_setting('app.host', true), '')::uuid;
