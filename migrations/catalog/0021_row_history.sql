-- The tables behind an agent's catalog keep what their rows were. Left out is what no catalog is made of.
SELECT keep_history('api_t', '{api_id}');
SELECT keep_history('api_version_t', '{api_version_id}', '{spec}');
SELECT keep_history('api_endpoint_t', '{endpoint_id}', '{layers, provenance, digests, beneath, conflicts, gaps}');
SELECT keep_history('tool_t', '{tool_id}', '{script_content, words, overrides}');
SELECT keep_history('skill_t', '{skill_id}');
SELECT keep_history('skill_tool_t', '{skill_id, tool_id}');
SELECT keep_history('skill_dependency_t', '{skill_id, depends_on_skill_id}');
SELECT keep_history('agent_definition_t', '{agent_def_id}');
SELECT keep_history('agent_skill_t', '{agent_def_id, skill_id}');
SELECT keep_history('gateway_t', '{gateway_id}');
SELECT keep_history('tool_exposure_t', '{gateway_id, tool_id}');
