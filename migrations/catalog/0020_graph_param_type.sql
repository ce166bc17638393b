-- `type` is what every node of an answer has: the type of a parameter needs a name of its own.

CREATE OR REPLACE VIEW graph_tool_param AS
SELECT p.host_id, p.param_id AS id, p.name, p.tool_id, p.param_type AS type, p.required, p.description, p.order_index,
       t.service_id, t.env_tag, t.sensitivity_tier, p.param_type
  FROM tool_param_t p
  JOIN tool_t t ON t.host_id = p.host_id AND t.tool_id = p.tool_id
 WHERE p.active AND t.active AND t.endpoint_active
   AND p.host_id = nullif(current_setting('app.host', true), '')::uuid;
