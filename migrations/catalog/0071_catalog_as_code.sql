-- The catalog as documents (src/catalog-code): a view for each kind, with the id that the record has here, its natural key,
-- and what people write of it. References are natural keys, too.

CREATE VIEW code_category AS
WITH RECURSIVE placed (host_id, id, entity_type, path, description) AS (
  SELECT host_id, category_id, entity_type, category_name, category_desc
    FROM category_t WHERE active AND parent_category_id IS NULL
  UNION ALL
  SELECT c.host_id, c.category_id, c.entity_type, p.path || '/' || c.category_name, c.category_desc
    FROM placed p
    JOIN category_t c ON c.parent_category_id = p.id
         AND (c.host_id = p.host_id OR p.host_id = '00000000-0000-0000-0000-000000000000')
   WHERE c.active
)
SELECT host_id, id::text, entity_type || '/' || path AS key, jsonb_build_object('categoryDesc', description) AS spec
  FROM placed;

CREATE VIEW code_tag AS
SELECT host_id, tag_id::text AS id, entity_type || '/' || tag_name AS key, jsonb_build_object('tagDesc', tag_desc) AS spec
  FROM tag_t WHERE active;

CREATE VIEW code_api AS
SELECT host_id, api_id AS id, api_id AS key,
       jsonb_build_object('apiName', api_name, 'apiDesc', api_desc, 'businessGroup', business_group, 'lob', lob,
         'platform', platform, 'capability', capability, 'region', region, 'gitRepo', git_repo, 'active', active) AS spec
  FROM api_t;

CREATE VIEW code_api_version AS
SELECT host_id, api_version_id::text AS id, api_id || '@' || api_version AS key,
       jsonb_build_object('apiType', api_type, 'serviceId', service_id, 'envTag', env_tag,
         'apiVersionDesc', api_version_desc, 'quarantine', quarantine, 'active', active) AS spec,
       service_id, env_tag
  FROM api_version_t;

CREATE VIEW code_workflow AS
SELECT host_id, wf_def_id::text AS id, namespace || '/' || name || '@' || version AS key,
       jsonb_build_object('definition', definition, 'lifecycleStatus', lifecycle_status, 'active', active) AS spec
  FROM wf_definition_t;

-- A tool as others name it: by its API version and its name, or by its name alone where it has none. Of several with one name
-- the active one is meant.
CREATE VIEW code_tool AS
SELECT DISTINCT ON (t.host_id, key) t.host_id, t.tool_id::text AS id, key
  FROM tool_t t
  LEFT JOIN api_endpoint_t e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
  LEFT JOIN api_version_t v ON v.host_id = e.host_id AND v.api_version_id = e.api_version_id
 CROSS JOIN LATERAL (SELECT coalesce(v.api_id || '@' || v.api_version || '/', '') || t.name AS key) named
 ORDER BY t.host_id, key, t.active DESC, t.tool_id;

-- Of several gateways of a service and environment at most one is active: that one is meant.
CREATE VIEW code_gateway AS
SELECT DISTINCT ON (g.host_id, key) g.host_id, g.gateway_id::text AS id, key,
       jsonb_build_object('url', g.url, 'protocolVersion', g.protocol_version,
         'maxSensitivityTier', g.max_sensitivity_tier, 'auth', g.auth, 'callerIdentity', g.caller_identity,
         'checkIntervalSeconds', g.check_interval_seconds, 'active', g.active,
         'tools', coalesce((
           SELECT jsonb_agg(jsonb_build_object('tool', t.key, 'targetHost', x.target_host, 'protocol', x.protocol,
                    'runtime', x.runtime) ORDER BY t.key)
             FROM tool_exposure_t x
             JOIN code_tool t ON t.host_id = x.host_id AND t.id = x.tool_id::text
            WHERE x.host_id = g.host_id AND x.gateway_id = g.gateway_id AND x.active), '[]')) AS spec,
       g.service_id, g.env_tag
  FROM gateway_t g
 CROSS JOIN LATERAL (SELECT g.service_id || '@' || g.env_tag AS key) named
 ORDER BY g.host_id, key, g.active DESC, g.gateway_id;

-- Active skills have names of their own; of inactive ones with one name the first is meant.
CREATE VIEW code_skill AS
SELECT DISTINCT ON (host_id, name) host_id, skill_id::text AS id, name AS key, active
  FROM skill_t
 ORDER BY host_id, name, active DESC, skill_id;

CREATE VIEW code_agent AS
SELECT a.host_id, a.agent_def_id::text AS id, v.api_id || '@' || v.api_version AS key,
       jsonb_build_object('modelProvider', a.model_provider, 'modelName', a.model_name, 'temperature', a.temperature,
         'maxTokens', a.max_tokens, 'personas', a.personas, 'maxSensitivityTier', a.max_sensitivity_tier,
         'domains', a.domains, 'semanticNamespaces', a.semantic_namespaces, 'active', a.active,
         'gateways', coalesce((
           SELECT jsonb_agg(g.key ORDER BY g.key) FROM code_gateway g
            WHERE g.host_id = a.host_id AND g.id = ANY (a.gateway_ids)), '[]'),
         'skills', coalesce((
           SELECT jsonb_agg(jsonb_build_object('skill', s.name, 'config', x.config, 'priority', x.priority,
                    'sequenceId', x.sequence_id) ORDER BY s.name, s.skill_id)
             FROM agent_skill_t x
             JOIN skill_t s ON s.host_id = x.host_id AND s.skill_id = x.skill_id
            WHERE x.host_id = a.host_id AND x.agent_def_id = a.agent_def_id AND x.active), '[]')) AS spec,
       v.service_id, v.env_tag
  FROM agent_definition_t a
  JOIN api_version_t v ON v.host_id = a.host_id AND v.api_version_id = a.agent_def_id;

CREATE VIEW code_webhook AS
SELECT DISTINCT ON (host_id, url) host_id, webhook_id::text AS id, url AS key,
       jsonb_build_object('secret', secret) AS spec
  FROM webhook_t WHERE active
 ORDER BY host_id, url, webhook_id;

-- Which repository a record's fields were last applied from, and a digest of each value that it gave.
CREATE TABLE code_owner_t (
  host_id           uuid NOT NULL,
  owned_id          uuid NOT NULL,
  kind              text COLLATE "C" NOT NULL,
  key               text COLLATE "C" NOT NULL,
  owner             text COLLATE "C" NOT NULL,
  applied           jsonb NOT NULL,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, owned_id)
);
