/** Default fields of a drafted skill, and its starter workflow. Pure. */
import type { NamedTool } from '../../tools/public.js';
import { folderName } from '../../documents/skill-md.js';
import { writeYaml } from '../../documents/yaml.js';
import { validateWorkflow, type Workflow } from '../../workflows/shared.js';

/** Tools that a skill is drafted from at most. */
export const MAX_DRAFTED_TOOLS = 200;

const [longestName, longestDescription] = [126, 1000];

/**
 * Makes the default fields of a drafted skill. They name the APIs and none of the tools, since an agent that is not given
 * one of them reads this text too. Names of APIs come from documents, so each is put on one line, without markup.
 */
export function draftedFields(tools: readonly NamedTool[]): {
  readonly name: string;
  readonly description: string;
  readonly contentMarkdown: string;
} {
  const apis = [...new Set(tools.map(({ apiName }) => oneLine(apiName ?? '')))].filter((name) => name !== '');
  const about = apis.length === 0 ? 'Drafted skill' : apis.join(', ');
  const use = apis.length === 0 ? 'Use it for what its tools do.' : `Use it for what ${about} can do.`;
  return {
    name: cut(about, longestName),
    description: cut(use, longestDescription),
    contentMarkdown: `# ${cut(about, longestName)}\n\n${advice}\n`,
  };
}

const advice =
  'Read before you change anything. Ask for what a tool requires and you do not know; do not guess it. When a call ' +
  'fails, say so, and say what was done before.';

function oneLine(text: string): string {
  return cut(text.replace(/[\s\p{Cc}\p{Cf}<>`]+/gu, ' ').trim(), longestName);
}

function cut(text: string, length: number): string {
  const letters = Array.from(text);
  return letters.length <= length
    ? text
    : `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}

/** Namespace of the workflows that drafts begin with. */
const namespace = 'skills';

/**
 * Drafts a workflow that calls each tool once, in order. Its name ends with the end of the skill's id, so that it is unique.
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
