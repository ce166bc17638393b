import type { NamedTool } from '../../tools/public.js';

/** The most tools that a skill is drafted from: more is no skill, but a heap. */
export const mostDraftedTools = 200;

const [longestName, longestDescription] = [126, 1000];

/**
 * What a draft says before somebody has written it. It names the APIs and none of the tools: an agent that is not given
 * one of them reads these words too. Names of APIs come from documents: each is put on one line, without markup.
 */
export function draftedWords(tools: readonly NamedTool[]): {
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
