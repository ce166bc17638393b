-- Workflows as nodes of the graph, the skills that use them, and how they are classified.

CREATE VIEW graph_workflow AS
SELECT host_id, wf_def_id AS id, name, namespace, version, lifecycle_status AS status, update_ts AS updated_at
  FROM wf_definition_t
 WHERE active AND host_id = nullif(current_setting('app.host', true), '')::uuid;

-- One edge between a skill and a workflow, in whatever roles.
CREATE VIEW graph_uses_workflow AS
SELECT host_id, skill_id AS from_id, wf_def_id AS to_id,
       array_agg(workflow_role ORDER BY workflow_role COLLATE "C") AS workflow_roles,
       array_agg(DISTINCT start_mode) AS start_modes
  FROM skill_workflow_t
 WHERE active AND host_id = nullif(current_setting('app.host', true), '')::uuid
 GROUP BY host_id, skill_id, wf_def_id;

CREATE VIEW graph_workflow_in_category AS
SELECT host_id, entity_id AS from_id, category_id AS to_id
  FROM entity_category_t
 WHERE entity_type = 'workflow' AND host_id = nullif(current_setting('app.host', true), '')::uuid;

CREATE VIEW graph_workflow_has_tag AS
SELECT host_id, entity_id AS from_id, tag_id AS to_id
  FROM entity_tag_t
 WHERE entity_type = 'workflow' AND host_id = nullif(current_setting('app.host', true), '')::uuid;

GRANT SELECT ON graph_workflow, graph_uses_workflow, graph_workflow_in_category, graph_workflow_has_tag
   TO portal_catalog_query;
