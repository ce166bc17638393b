-- What an administrator has set for a host: rebuilt from the log.

CREATE TABLE host_settings_t (
  host_id           uuid NOT NULL,
  command_tools     boolean NOT NULL,
  aggregate_version bigint NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id)
);
