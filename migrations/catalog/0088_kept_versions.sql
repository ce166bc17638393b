-- Agents are given a tool at the version to which the link of a skill keeps: what narrowed readers are told, at each version that
-- agents may be given. The rows of a tool of which nobody keeps to another version are read as before.

-- With the columns of tool_redacted_read, in their order. As in the catalog, its guards are those of now, whatever the version: tier and
-- safety, and what decides who is given it (domain, namespace, personas, stage of its life); so are its example prompts.
CREATE VIEW tool_kept_read AS
SELECT t.host_id, t.tool_id, t.name, v.content ->> 'description' AS description, v.version, t.implementation_type,
       t.implementation_class, t.script_content,
       t.endpoint_id, t.api_version_id, t.api_id, t.service_id, t.env_tag, v.content ->> 'sourceProtocol' AS source_protocol,
       t.endpoint_active, v.content ->> 'capabilityRef' AS capability_ref, t.routing_domain, t.semantic_namespace,
       CASE WHEN length(r.routing ->> 'category') <= 256 THEN (r.routing ->> 'category') COLLATE "C" END AS category,
       t.sensitivity_tier,
       CASE WHEN jsonb_typeof(r.routing -> 'semanticWeight') = 'number' THEN (r.routing -> 'semanticWeight')::real ELSE 1 END
         AS semantic_weight,
       t.lifecycle_status, t.target_personas, t.persona_keys,
       jsonb_build_object('routing', r.routing, 'safety', t.tool_metadata -> 'safety') AS tool_metadata,
       v.content -> 'inputSchema' AS input_schema, v.content -> 'outputSchema' AS response_schema, v.content -> 'params' AS params,
       t.words || jsonb_build_object('description', v.content -> 'description', 'routing', r.routing) AS words,
       '{}'::jsonb AS overrides, t.example_prompts, t.change, true AS approved, t.active, t.aggregate_version, t.update_ts,
       t.update_user, t.position,
       ARRAY(SELECT jsonb_array_elements_text(v.content #> '{call,endpointIds}')::uuid) AS call_endpoints, v.call_fault
  FROM tool_redacted_read t
  JOIN tool_version_read v ON v.host_id = t.host_id AND v.tool_id = t.tool_id
 CROSS JOIN LATERAL (
   SELECT (coalesce(nullif(v.content -> 'routing', 'null'), '{}') - '{domain,semanticNamespace,targetPersonas,sensitivityTier}'::text[])
          || jsonb_strip_nulls(jsonb_build_object(
               'domain', t.tool_metadata #> '{routing,domain}',
               'semanticNamespace', t.tool_metadata #> '{routing,semanticNamespace}',
               'targetPersonas', t.tool_metadata #> '{routing,targetPersonas}',
               'sensitivityTier', t.tool_metadata #> '{routing,sensitivityTier}')) AS routing) r;

-- As before, and by which version of its tool the endpoint is told.
CREATE OR REPLACE VIEW endpoint_redacted_read AS
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
       e.tool_metadata -> 'safety' AS safety,
       coalesce(e.redacted -> 'tool_metadata', e.tool_metadata) -> 'lightapi' AS lightapi,
       coalesce(e.redacted -> 'provenance', e.provenance) AS provenance,
       coalesce(e.redacted -> 'scopes', (SELECT r.scopes FROM endpoint_read r
          WHERE r.host_id = e.host_id AND r.endpoint_id = e.endpoint_id)) AS scopes,
       e.changed, e.conflicts, e.gaps, e.enrichment, e.vanished, e.deactivated, e.active, e.position, e.aggregate_version,
       e.update_ts, e.update_user, t.version AS tool_version
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
       e.cost_tier, e.enrichment, e.service_id, e.env_tag, e.update_ts AS updated_at, e.tool_version
  FROM endpoint_redacted_read e
  JOIN api_version_t v ON v.host_id = e.host_id AND v.api_version_id = e.api_version_id
  JOIN api_t a ON a.host_id = e.host_id AND a.api_id = e.api_id
 WHERE e.active AND v.active AND a.active AND e.host_id = nullif(current_setting('app.host', true), '')::uuid;

-- The same statements over tools at their versions: what is told, and to whom, is the same rule. A migration that changes one of the
-- first makes the other anew, in this way.
DO $$ BEGIN
  EXECUTE 'CREATE VIEW endpoint_kept_read AS '
    || replace(pg_get_viewdef('endpoint_redacted_read'::regclass), 'tool_redacted_read', 'tool_kept_read');
  EXECUTE 'CREATE VIEW graph_endpoint_kept AS '
    || replace(pg_get_viewdef('graph_endpoint'::regclass), 'endpoint_redacted_read', 'endpoint_kept_read');
  EXECUTE 'CREATE VIEW graph_tool_kept AS '
    || replace(pg_get_viewdef('graph_tool'::regclass), 'tool_redacted_read', 'tool_kept_read');
END $$;

-- Without ids: a param has the one of its name, at every version.
CREATE VIEW graph_tool_param_kept AS
SELECT t.host_id, t.tool_id, t.version AS tool_version, p.name COLLATE "C" AS name, p.type, p.required, p.description, p."order" AS order_index,
       t.service_id, t.env_tag, t.sensitivity_tier, p.type AS param_type
  FROM tool_kept_read t
 CROSS JOIN LATERAL jsonb_to_recordset(t.params) AS p (name text, type text, required boolean, description text, "order" integer)
  LEFT JOIN api_version_t v ON v.host_id = t.host_id AND v.api_version_id = t.api_version_id
  LEFT JOIN api_t a ON a.host_id = t.host_id AND a.api_id = t.api_id
 WHERE t.active AND t.endpoint_active AND coalesce(v.active, true) AND coalesce(a.active, true)
   AND t.host_id = nullif(current_setting('app.host', true), '')::uuid;

-- The version of the tool that a link takes, found as the catalog finds it; null where none may be given.
CREATE VIEW skill_tool_version_read AS
SELECT l.host_id, l.skill_id, l.tool_id, k.version, k.content
  FROM skill_tool_t l
  LEFT JOIN LATERAL (
    SELECT v.version, v.content
      FROM tool_version_read v
      JOIN tool_t t ON t.host_id = v.host_id AND t.tool_id = v.tool_id
     WHERE v.host_id = l.host_id AND v.tool_id = l.tool_id
       AND CASE WHEN l.range_from IS NULL THEN v.version = t.version
                ELSE version_key(v.version) COLLATE "C" >= version_key(l.range_from)
                 AND version_key(v.version) COLLATE "C" < version_key(l.range_before) END
     ORDER BY v.version = t.version DESC, version_key(v.version) COLLATE "C" DESC LIMIT 1) k ON true;

CREATE OR REPLACE VIEW graph_uses_tool AS
SELECT l.host_id, l.skill_id AS from_id, l.tool_id AS to_id, l.access_level,
       (SELECT k.version FROM skill_tool_version_read k
         WHERE k.host_id = l.host_id AND k.skill_id = l.skill_id AND k.tool_id = l.tool_id) AS version
  FROM skill_tool_t l
 WHERE l.active AND l.host_id = nullif(current_setting('app.host', true), '')::uuid;

GRANT SELECT ON graph_tool_kept, graph_endpoint_kept, graph_tool_param_kept TO portal_catalog_query;
