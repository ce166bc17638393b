-- What a reviewer of endpoints asks for: conflicts settled, documents accepted, and the rest of the routing metadata as
-- columns. Rows of before are filled by a rebuild.

ALTER TABLE api_endpoint_t
  ADD COLUMN settled       jsonb NOT NULL DEFAULT '{}',
  -- Layer to the digest of what it said when somebody last accepted it.
  ADD COLUMN accepted      jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN changed       boolean NOT NULL DEFAULT false,
  ADD COLUMN category      text COLLATE "C",
  ADD COLUMN document_tags text[] NOT NULL DEFAULT '{}',
  -- Personas in lower case, as they are searched.
  ADD COLUMN persona_keys  text[] NOT NULL DEFAULT '{}';

-- Scopes that a caller of the endpoint needs at the gateway: all of one set, of any one set. A set that needs nothing
-- is one row without scheme and scope, a scheme that knows no scopes one without scope.
CREATE TABLE api_endpoint_scope_t (
  host_id           uuid NOT NULL,
  endpoint_id       uuid NOT NULL,
  scope_set         integer NOT NULL,
  -- Place in the set.
  order_index       integer NOT NULL,
  scheme            text COLLATE "C",
  scope             text COLLATE "C",
  scope_desc        text,
  active            boolean NOT NULL,
  position          bigint NOT NULL,
  aggregate_version bigint NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  PRIMARY KEY (host_id, endpoint_id, scope_set, order_index)
);

CREATE INDEX api_endpoint_category_idx ON api_endpoint_t (host_id, category) WHERE category IS NOT NULL;
CREATE INDEX api_endpoint_namespace_idx ON api_endpoint_t (host_id, semantic_namespace)
  WHERE semantic_namespace IS NOT NULL;
CREATE INDEX api_endpoint_changed_idx ON api_endpoint_t (host_id, endpoint, endpoint_id) WHERE changed;
CREATE INDEX api_endpoint_conflict_idx ON api_endpoint_t (host_id, endpoint, endpoint_id) WHERE conflicts <> '[]';
CREATE INDEX api_endpoint_persona_idx ON api_endpoint_t USING gin (persona_keys) WHERE persona_keys <> '{}';
CREATE INDEX api_endpoint_tag_idx ON api_endpoint_t USING gin (document_tags) WHERE document_tags <> '{}';

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
                  GROUP BY p.scope_set) s), '[]') AS scopes
  FROM api_endpoint_t e
  JOIN api_version_t v ON v.host_id = e.host_id AND v.api_version_id = e.api_version_id
  JOIN api_t a ON a.host_id = e.host_id AND a.api_id = e.api_id;
