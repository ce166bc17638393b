-- A tool that a spec has made belongs to the service that the spec names as its host, and holds its name from its first approval on.
UPDATE tool_t SET service_id = implementation_class WHERE implementation_type = 'service' AND implementation_class IS NOT NULL;
DELETE FROM tool_name_t n USING tool_t t
 WHERE t.host_id = n.host_id AND t.tool_id = n.tool_id AND t.implementation_type = 'service' AND NOT t.approved;
