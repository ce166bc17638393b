-- What a webhook wants to be told; one of before: changes of the catalog.
ALTER TABLE webhook_t ADD COLUMN kinds text[] NOT NULL DEFAULT '{catalog-changed}';

CREATE OR REPLACE VIEW code_webhook AS
SELECT DISTINCT ON (host_id, url) host_id, webhook_id::text AS id, url AS key,
       jsonb_build_object('secret', secret, 'kinds', kinds) AS spec
  FROM webhook_t WHERE active
 ORDER BY host_id, url, webhook_id;
