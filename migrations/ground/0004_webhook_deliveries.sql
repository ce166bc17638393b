-- What is on its way to webhooks. Operational: a row lives until it has arrived; one that was given up, 30 days.

CREATE TABLE webhook_delivery_t (
  host_id         uuid NOT NULL,
  delivery_id     uuid NOT NULL,
  webhook_id      uuid NOT NULL,
  -- Of the host's log, and when it came to be.
  position        bigint NOT NULL,
  event_ts        timestamptz(3) NOT NULL,
  -- pending, or dead: given up.
  state           text NOT NULL,
  attempts        integer NOT NULL,
  next_attempt_ts timestamptz(3) NOT NULL,
  last_error      text,
  PRIMARY KEY (host_id, delivery_id)
);

CREATE INDEX webhook_delivery_due_ix ON webhook_delivery_t (next_attempt_ts) WHERE state = 'pending';
CREATE INDEX webhook_delivery_webhook_ix ON webhook_delivery_t (host_id, webhook_id);
