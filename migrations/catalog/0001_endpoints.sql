-- APIs, their versions and their endpoints. Projections of the log:
-- no foreign keys, since the log alone says what exists. Ordered text is COLLATE "C" (code point by code point).

CREATE TABLE api_t (
  host_id           uuid NOT NULL,
  api_id            text COLLATE "C" NOT NULL,
  api_name          text COLLATE "C" NOT NULL,
  api_desc          text,
  business_group    text,
  lob               text,
  platform          text,
  capability        text,
  region            text,
  git_repo          text,
  active            boolean NOT NULL,
  position          bigint NOT NULL,
  aggregate_version bigint NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  PRIMARY KEY (host_id, api_id)
);

CREATE TABLE api_version_t (
  host_id             uuid NOT NULL,
  api_version_id      uuid NOT NULL,
  api_id              text COLLATE "C" NOT NULL,
  api_version         text COLLATE "C" NOT NULL,
  api_type            text NOT NULL,
  service_id          text NOT NULL,
  env_tag             text,
  api_version_desc    text,
  quarantine          boolean NOT NULL,
  spec                text,
  spec_digest         text,
  spec_format         text,
  spec_format_version text,
  active              boolean NOT NULL,
  position            bigint NOT NULL,
  aggregate_version   bigint NOT NULL,
  update_ts           timestamptz(3) NOT NULL,
  update_user         text NOT NULL,
  PRIMARY KEY (host_id, api_version_id)
);

CREATE UNIQUE INDEX api_version_natural_uk ON api_version_t (host_id, api_id, api_version);

CREATE TABLE api_endpoint_t (
  host_id            uuid NOT NULL,
  endpoint_id        uuid NOT NULL,
  api_version_id     uuid NOT NULL,
  api_id             text COLLATE "C" NOT NULL,
  service_id         text NOT NULL,
  env_tag            text,
  endpoint           text COLLATE "C" NOT NULL,
  http_method        text NOT NULL,
  endpoint_path      text NOT NULL,
  endpoint_name      text NOT NULL,
  endpoint_desc      text NOT NULL,
  source_protocol    text NOT NULL,
  lifecycle_status   text NOT NULL,
  routing_domain     text,
  semantic_namespace text,
  sensitivity_tier   text NOT NULL,
  semantic_weight    real NOT NULL,
  cost_tier          text,
  target_personas    text[] NOT NULL,
  tool_schema        jsonb NOT NULL,
  response_schema    jsonb,
  tool_metadata      jsonb NOT NULL,
  layers             jsonb NOT NULL,
  provenance         jsonb NOT NULL,
  digests            jsonb NOT NULL,
  beneath            jsonb NOT NULL,
  conflicts          jsonb NOT NULL,
  gaps               text[] NOT NULL,
  enrichment         text NOT NULL,
  vanished           text[] NOT NULL,
  deactivated        boolean NOT NULL,
  active             boolean NOT NULL,
  position           bigint NOT NULL,
  aggregate_version  bigint NOT NULL,
  update_ts          timestamptz(3) NOT NULL,
  update_user        text NOT NULL,
  PRIMARY KEY (host_id, endpoint_id)
);

CREATE INDEX api_endpoint_version_idx ON api_endpoint_t (host_id, api_version_id);
CREATE INDEX api_endpoint_order_idx ON api_endpoint_t (host_id, endpoint, endpoint_id);
CREATE INDEX api_endpoint_routing_idx
  ON api_endpoint_t (host_id, active, routing_domain, semantic_namespace, sensitivity_tier);

-- What the floors above read. `position` moves whenever anything that the row shows has changed.

CREATE VIEW api_version_read AS
SELECT v.host_id, v.api_version_id, v.api_id, a.api_name, v.api_type, v.api_version, v.service_id, v.env_tag,
       v.quarantine, v.active AND a.active AS active, greatest(v.position, a.position) AS position
  FROM api_version_t v
  JOIN api_t a ON a.host_id = v.host_id AND a.api_id = v.api_id;

CREATE VIEW endpoint_read AS
SELECT e.host_id, e.endpoint_id, e.api_version_id, e.api_id, a.api_name, v.api_type, v.api_version,
       e.service_id, e.env_tag, v.quarantine, e.endpoint, e.http_method, e.endpoint_path, e.endpoint_name,
       e.endpoint_desc, e.source_protocol, e.lifecycle_status,
       e.active AND v.active AND a.active AS active, e.tool_metadata, e.tool_schema, e.response_schema,
       greatest(e.position, v.position, a.position) AS position
  FROM api_endpoint_t e
  JOIN api_version_t v ON v.host_id = e.host_id AND v.api_version_id = e.api_version_id
  JOIN api_t a ON a.host_id = e.host_id AND a.api_id = e.api_id;
