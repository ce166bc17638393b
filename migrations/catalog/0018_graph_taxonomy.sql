-- Categories and tags as nodes of the graph, and what is classified with them.

CREATE VIEW graph_category AS
SELECT host_id, category_id AS id, category_name AS name, category_desc AS description, entity_type, parent_category_id,
       update_ts AS updated_at
  FROM category_t
 WHERE active
   AND host_id IN (nullif(current_setting('app.host', true), '')::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
   AND nullif(current_setting('app.host', true), '') IS NOT NULL;

CREATE VIEW graph_tag AS
SELECT host_id, tag_id AS id, tag_name AS name, tag_desc AS description, entity_type, update_ts AS updated_at
  FROM tag_t
 WHERE active
   AND host_id IN (nullif(current_setting('app.host', true), '')::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
   AND nullif(current_setting('app.host', true), '') IS NOT NULL;

CREATE VIEW graph_skill_in_category AS
SELECT host_id, entity_id AS from_id, category_id AS to_id
  FROM entity_category_t
 WHERE entity_type = 'skill' AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_skill_has_tag AS
SELECT host_id, entity_id AS from_id, tag_id AS to_id
  FROM entity_tag_t
 WHERE entity_type = 'skill' AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_tool_in_category AS
SELECT host_id, entity_id AS from_id, category_id AS to_id
  FROM entity_category_t
 WHERE entity_type = 'tool' AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_tool_has_tag AS
SELECT host_id, entity_id AS from_id, tag_id AS to_id
  FROM entity_tag_t
 WHERE entity_type = 'tool' AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_endpoint_in_category AS
SELECT host_id, entity_id AS from_id, category_id AS to_id
  FROM entity_category_t
 WHERE entity_type = 'endpoint' AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_endpoint_has_tag AS
SELECT host_id, entity_id AS from_id, tag_id AS to_id
  FROM entity_tag_t
 WHERE entity_type = 'endpoint' AND host_id = nullif(current_setting('app.host', true), '')::uuid;

GRANT SELECT ON graph_category, graph_tag, graph_skill_in_category, graph_skill_has_tag, graph_tool_in_category,
                graph_tool_has_tag, graph_endpoint_in_category, graph_endpoint_has_tag
   TO portal_catalog_query;
