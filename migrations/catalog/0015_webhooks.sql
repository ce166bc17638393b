-- Who is told that a host's catalog has changed: rebuilt from the log.

CREATE TABLE webhook_t (
  host_id           uuid NOT NULL,
  webhook_id        uuid NOT NULL,
  url               text COLLATE "C" NOT NULL,
  -- The name of a secret, never the secret.
  secret            text NOT NULL,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, webhook_id)
);
