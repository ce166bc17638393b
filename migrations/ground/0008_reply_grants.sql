-- What the caller of a kept reply was allowed: it is given again only to who may do as much.
ALTER TABLE idempotency_key_t ADD COLUMN grants text[] NOT NULL DEFAULT '{}';
