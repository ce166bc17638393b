import type { NamedTool } from '../tools/tool.lookup.js';

/** The most tools that a skill is drafted from: more is no skill, but a heap. */
export const mostDraftedTools = 200;

/** Characters of a tool's description that the draft quotes. */
const quoted = 200;

/**
 * What a draft says before somebody has written it: what its tools are for, in their own words. The words of tools
 * come from documents: each is put on one line, and in no Markdown but a list.
 */
export function draftedWords(tools: readonly NamedTool[]): {
  readonly name: string;
  readonly description: string;
  readonly contentMarkdown: string;
} {
  const apis = [...new Set(tools.map(({ apiName }) => apiName ?? '').filter((name) => name !== ''))];
  const about = apis.length === 1 ? oneLine(apis[0] ?? '') : tools.map(({ name }) => name).join(', ');
  const lines = tools.map(({ name, description }) => `- \`${name}\`: ${oneLine(description)}`);
  return {
    name: cut(about, 126),
    description: cut(`Use it for what these tools do: ${tools.map(({ name }) => name).join(', ')}.`, 1000),
    contentMarkdown: `# ${cut(about, 126)}\n\nTools of this skill:\n\n${lines.join('\n')}\n`,
  };
}

function oneLine(text: string): string {
  return cut(text.replace(/[\s\p{Cc}\p{Cf}<>`]+/gu, ' ').trim(), quoted);
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
