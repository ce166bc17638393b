-- Workflows approve calls and come with skills: a catalog of then needs them as they were.
SELECT keep_history('wf_definition_t', '{wf_def_id}', '{definition, tool_calls, warnings}');
SELECT keep_history('skill_workflow_t', '{skill_id, wf_def_id, workflow_role}');
