-- The rest of a tool's routing metadata as columns, and the scopes of its endpoint.

ALTER TABLE tool_t
  ADD COLUMN category     text COLLATE "C",
  -- Personas in lower case, as they are searched.
  ADD COLUMN persona_keys text[] NOT NULL DEFAULT '{}';

CREATE INDEX tool_category_ix ON tool_t (host_id, category) WHERE category IS NOT NULL;
CREATE INDEX tool_namespace_ix ON tool_t (host_id, semantic_namespace) WHERE semantic_namespace IS NOT NULL;
CREATE INDEX tool_persona_ix ON tool_t USING gin (persona_keys) WHERE persona_keys <> '{}';

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
                  WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id), '[]') AS scopes
  FROM tool_t t;
