-- The history of what checks of gateways found and what operators accepted of it: rebuilt from the log.

CREATE TABLE gateway_drift_t (
  host_id          uuid NOT NULL,
  gateway_id       uuid NOT NULL,
  position         bigint NOT NULL,
  kind             text NOT NULL,
  checked_ts       timestamptz(3) NOT NULL,
  protocol_version text,
  -- Why the gateway could not be asked.
  failure          jsonb,
  findings         jsonb NOT NULL,
  update_ts        timestamptz(3) NOT NULL,
  update_user      text NOT NULL,
  PRIMARY KEY (host_id, gateway_id, position)
);
