-- What a thing was classified with, in one row for each thing: such a row has a history, rows that come and go have none.
-- entity_category_t and entity_tag_t stay what lists are filtered by. Rows of before are filled by a rebuild.

ALTER TABLE entity_taxonomy_t
  -- [{id, globalName}], as in the event.
  ADD COLUMN categories jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN tags       jsonb NOT NULL DEFAULT '[]';

CREATE OR REPLACE VIEW taxonomy_read AS
SELECT e.host_id, e.entity_type, e.entity_id, c.names AS categories, t.names AS tags,
       greatest(e.position, c.position, t.position) AS position
  FROM entity_taxonomy_t e
  CROSS JOIN LATERAL (
    SELECT ARRAY(SELECT DISTINCT n COLLATE "C" FROM unnest(array_agg(name)) n WHERE n IS NOT NULL ORDER BY 1) AS names,
           max(found.position) AS position
      FROM (SELECT coalesce(s.value ->> 'globalName', CASE WHEN c.active THEN c.category_name END) AS name, c.position
              FROM jsonb_array_elements(e.categories) s
              LEFT JOIN category_t c ON c.host_id = e.host_id AND c.category_id = (s.value ->> 'id')::uuid) found) c
  CROSS JOIN LATERAL (
    SELECT ARRAY(SELECT DISTINCT n COLLATE "C" FROM unnest(array_agg(name)) n WHERE n IS NOT NULL ORDER BY 1) AS names,
           max(found.position) AS position
      FROM (SELECT coalesce(s.value ->> 'globalName', CASE WHEN t.active THEN t.tag_name END) AS name, t.position
              FROM jsonb_array_elements(e.tags) s
              LEFT JOIN tag_t t ON t.host_id = e.host_id AND t.tag_id = (s.value ->> 'id')::uuid) found) t;

SELECT keep_history('category_t', '{category_id}');
SELECT keep_history('tag_t', '{tag_id}');
SELECT keep_history('entity_taxonomy_t', '{entity_type, entity_id}');
