/** What tools say that they should be found by. Pure. */
import { objectIn, textIn, textsIn } from '../effective-catalog/loose-json.js';
import { lightApiWords } from '../endpoints/lightapi-words.js';
import type { Expectation } from './evaluation-metrics.js';
import type { ToolSource } from './search-document.rows.js';

/** What is read of a tool. */
export type Speaking = Pick<ToolSource, 'name' | 'example_prompts' | 'tool_metadata' | 'lightapi'>;

/** Most prompts of one tool, and in all. */
const mostOfOne = 20;
const most = 5_000;

/**
 * Of each tool its keywords together, its semantic description and its examples, also those of LightAPI. The first of
 * every tool comes before the second of any: where there are too many, all are heard for a while.
 */
export function ownPrompts(tools: readonly Speaking[]): { rows: Expectation[]; unasked: number } {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  const said = sorted.map((tool) => ({ name: tool.name, prompts: promptsOf(tool) }));
  const rows = Array.from({ length: mostOfOne }, (_, round) =>
    said.flatMap(({ name, prompts }) => {
      const prompt = prompts[round];
      return prompt === undefined ? [] : [{ prompt, expect: [name] }];
    }),
  ).flat();
  const all = said.reduce((sum, { prompts }) => sum + prompts.length, 0);
  return { rows: rows.slice(0, most), unasked: all - Math.min(rows.length, most) };
}

function promptsOf({ example_prompts: examples, tool_metadata: metadata, lightapi }: Speaking): string[] {
  const routing = objectIn(metadata, 'routing');
  const keywords = textsIn(routing, 'semanticKeywords').join(' ');
  const description = textIn(routing, 'semanticDescription') ?? '';
  const said = [keywords, description, ...examples, ...lightApiWords(lightapi).prompts];
  return [...new Set(said)].filter((prompt) => prompt.trim() !== '');
}
