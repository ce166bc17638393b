-- Gateways and the tools selected for them: rebuilt from the log.

CREATE TABLE gateway_t (
  host_id                uuid NOT NULL,
  gateway_id             uuid NOT NULL,
  service_id             text COLLATE "C" NOT NULL,
  env_tag                text NOT NULL,
  url                    text NOT NULL,
  protocol_version       text NOT NULL,
  max_sensitivity_tier   text NOT NULL,
  -- How to authenticate: the name of a secret, never the secret.
  auth                   jsonb,
  check_interval_seconds integer,
  aggregate_version      bigint NOT NULL,
  active                 boolean NOT NULL,
  update_ts              timestamptz(3) NOT NULL,
  update_user            text NOT NULL,
  position               bigint NOT NULL,
  PRIMARY KEY (host_id, gateway_id),
  -- Told to look at the end of a batch, like the names of skills.
  CONSTRAINT gateway_identity_uk EXCLUDE USING btree (host_id WITH =, service_id WITH =, env_tag WITH =)
    WHERE (active) DEFERRABLE INITIALLY IMMEDIATE
);

-- The order of the list.
CREATE INDEX gateway_service_ix ON gateway_t (host_id, service_id, (gateway_id::text) COLLATE "C");

-- An exposure that was taken away stays as an inactive row: its position tells when.
CREATE TABLE tool_exposure_t (
  host_id           uuid NOT NULL,
  gateway_id        uuid NOT NULL,
  tool_id           uuid NOT NULL,
  target_host       text,
  protocol          text,
  runtime           jsonb NOT NULL,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, gateway_id, tool_id)
);

CREATE INDEX tool_exposure_tool_ix ON tool_exposure_t (host_id, tool_id);

-- What the floors above read.

CREATE VIEW gateway_read AS
SELECT host_id, gateway_id, service_id, env_tag, max_sensitivity_tier, active, position
  FROM gateway_t;

CREATE VIEW tool_exposure_read AS
SELECT host_id, gateway_id, tool_id, active, position
  FROM tool_exposure_t;
