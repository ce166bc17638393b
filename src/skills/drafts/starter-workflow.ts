import { folderName } from '../../documents/skill-md.js';
import { writeYaml } from '../../documents/yaml.js';
import { validateWorkflow, type Workflow } from '../../workflows/shared.js';

/** Namespace of the workflows that drafts begin with. */
const namespace = 'skills';

/**
 * A draft of a workflow that calls each tool once, in order: somewhere to start from. Its name ends like the id of its
 * skill, so that it is nobody else's.
 */
export function starterWorkflow(skillId: string, skillName: string, tools: readonly string[]): Workflow {
  const identity = { namespace, name: `${folderName(skillName)}-${skillId.slice(-8)}`, version: '1.0.0' };
  const definition = writeYaml({
    document: { dsl: '1.0.3', ...identity },
    do: tools.map((tool) => ({
      [tool]: { call: 'mcp', with: { method: 'tools/call', parameters: { name: tool, arguments: {} } } },
    })),
  });
  const { toolCalls, problems } = validateWorkflow(definition, { identity });
  const warnings = problems.map(({ path, code, message }) => ({ path, code, message }));
  return { ...identity, definition, toolCalls: [...toolCalls], warnings };
}
