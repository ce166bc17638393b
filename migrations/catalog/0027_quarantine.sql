-- Whether API versions of the host are made in quarantine, unless they say otherwise.

ALTER TABLE host_settings_t ADD COLUMN quarantine boolean NOT NULL DEFAULT true;

-- What agents are told an endpoint does: what an operator says of its tool stands in place of what the document says.
CREATE VIEW endpoint_told AS
SELECT e.host_id, e.endpoint_id,
       coalesce((SELECT t.overrides ->> 'description' FROM tool_t t
                  WHERE t.host_id = e.host_id AND t.endpoint_id = e.endpoint_id), e.endpoint_desc) AS description
  FROM api_endpoint_t e;

CREATE OR REPLACE VIEW graph_endpoint AS
SELECT e.host_id, e.endpoint_id AS id, e.endpoint_name AS name,
       (SELECT r.description FROM endpoint_told r
         WHERE r.host_id = e.host_id AND r.endpoint_id = e.endpoint_id) AS description,
       e.endpoint,
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
