-- What may be read across hosts of the projections: which gateways and webhooks there are, and which of
-- those gateways drift (ground/0010).
GRANT SELECT (host_id, gateway_id, active, check_interval_seconds) ON gateway_t TO portal_catalog_all_hosts;
GRANT SELECT (host_id, gateway_id, position, kind, failure, findings) ON gateway_drift_t TO portal_catalog_all_hosts;
GRANT SELECT (host_id, webhook_id, active, url, secret) ON webhook_t TO portal_catalog_all_hosts;

-- Behind a wall a join by an expression finds no index, by a column it does: the ids become columns first. And each is
-- looked up by itself: the planner, who takes them for a hundred, would read all that the host has instead.
CREATE OR REPLACE VIEW taxonomy_read AS
SELECT e.host_id, e.entity_type, e.entity_id, c.names AS categories, t.names AS tags,
       greatest(e.position, c.position, t.position) AS position
  FROM entity_taxonomy_t e
  CROSS JOIN LATERAL (
    SELECT ARRAY(SELECT DISTINCT n COLLATE "C" FROM unnest(array_agg(name)) n WHERE n IS NOT NULL ORDER BY 1) AS names,
           max(found.position) AS position
      FROM (SELECT coalesce(s."globalName", c.name) AS name, c.position
              FROM jsonb_to_recordset(e.categories) s (id uuid, "globalName" text)
              LEFT JOIN LATERAL (
                SELECT CASE WHEN active THEN category_name END AS name, position FROM category_t
                 WHERE host_id = e.host_id AND category_id = s.id LIMIT 1) c ON true) found) c
  CROSS JOIN LATERAL (
    SELECT ARRAY(SELECT DISTINCT n COLLATE "C" FROM unnest(array_agg(name)) n WHERE n IS NOT NULL ORDER BY 1) AS names,
           max(found.position) AS position
      FROM (SELECT coalesce(s."globalName", t.name) AS name, t.position
              FROM jsonb_to_recordset(e.tags) s (id uuid, "globalName" text)
              LEFT JOIN LATERAL (
                SELECT CASE WHEN active THEN tag_name END AS name, position FROM tag_t
                 WHERE host_id = e.host_id AND tag_id = s.id LIMIT 1) t ON true) found) t;
