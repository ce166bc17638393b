-- When each gateway that is checked by itself is due next. Operational: a row is made again where it is missing.

CREATE TABLE gateway_check_t (
  host_id       uuid NOT NULL,
  gateway_id    uuid NOT NULL,
  next_check_ts timestamptz NOT NULL,
  PRIMARY KEY (host_id, gateway_id)
);

CREATE INDEX gateway_check_due_ix ON gateway_check_t (next_check_ts);
