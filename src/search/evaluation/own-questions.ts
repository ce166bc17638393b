/** The prompts that tools bring along themselves, of which an evaluation asks those that the version might take. */
import { wordsOf } from '../../../packages/ranking/words.js';
import { objectIn, textIn, textsIn } from '../../effective-catalog/shared.js';
import { documentPrompts, type ToolSource } from '../documents/search-document.js';
import type { Expectation } from './evaluation-metrics.js';
import type { Ranking } from './ranking-portions.js';

/** One prompt with where it comes from: `made` of the tool's own name and description, where there is no other for it. */
export interface Question extends Expectation {
  readonly from: 'config' | 'dataSet' | 'own' | 'made';
}

/** Own prompts of one evaluation: each is asked of all tools, twice. */
export const MAX_OWN = 500;

/**
 * The own prompts of the tool, and those of others that find the version at all: however its author words config or
 * description, what it takes from them counts. Where there are more than {@link MAX_OWN}, those that find it best.
 *
 * @param others the other tools of the environment, in pages
 * @param ranking says how well each prompt finds the version
 */
export async function ownQuestions(
  source: ToolSource,
  others: AsyncIterable<readonly ToolSource[]>,
  ranking: Pick<Ranking, 'scores'>,
): Promise<readonly Question[]> {
  const scored: { readonly question: Question; readonly score: number }[] = [];
  for await (const page of others) {
    const { rows } = ownPrompts(page);
    const scores = await ranking.scores(rows.map(({ prompt }) => prompt));
    for (const [place, row] of rows.entries()) {
      const score = scores[place] ?? null;
      if (score !== null) scored.push({ question: { ...row, from: 'own' }, score });
    }
    scored.sort((one, other) => other.score - one.score).splice(MAX_OWN);
  }
  const ofTool = ownPrompts([source]).rows.map((row): Question => ({ ...row, from: 'own' }));
  return [...ofTool, ...scored.map(({ question }) => question)];
}

/** Prompts of the words of its name and of its first sentence, for a tool that nobody has written any for. */
export function madeQuestions({ name, description }: ToolSource): readonly Question[] {
  const [sentence = ''] = description.split(/(?<=[.!?])\s/, 1);
  const prompts = [wordsOf(name).join(' '), sentence.slice(0, MAX_SENTENCE)];
  return [...new Set(prompts)]
    .filter((prompt) => prompt.trim() !== '')
    .map((prompt) => ({ prompt, expect: [name], from: 'made' }));
}

const MAX_SENTENCE = 300;

/** The fields of a tool from which its own prompts are made. */
type Speaking = Pick<
  ToolSource,
  'name' | 'example_prompts' | 'document_prompts' | 'tool_metadata' | 'lightapi'
>;

/** Prompts of one tool, and in all. */
const MAX_PROMPTS_OF_TOOL = 20;
const MAX_PROMPTS = 5_000;

/**
 * Collects each tool's keywords as one prompt, its semantic description and its examples, also those of LightAPI. The
 * first prompt of every tool comes before the second of any, so that the limit cuts none off.
 */
export function ownPrompts(tools: readonly Speaking[]): { rows: Expectation[]; unasked: number } {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  const said = sorted.map((tool) => ({ name: tool.name, prompts: promptsOf(tool) }));
  const rows = Array.from({ length: MAX_PROMPTS_OF_TOOL }, (_, round) =>
    said.flatMap(({ name, prompts }) => {
      const prompt = prompts[round];
      return prompt === undefined ? [] : [{ prompt, expect: [name] }];
    }),
  ).flat();
  const all = said.reduce((sum, { prompts }) => sum + prompts.length, 0);
  return { rows: rows.slice(0, MAX_PROMPTS), unasked: all - Math.min(rows.length, MAX_PROMPTS) };
}

function promptsOf(tool: Speaking): string[] {
  const routing = objectIn(tool.tool_metadata, 'routing');
  const keywords = textsIn(routing, 'semanticKeywords').join(' ');
  const description = textIn(routing, 'semanticDescription') ?? '';
  const said = [keywords, description, ...tool.example_prompts, ...documentPrompts(tool)];
  return [...new Set(said)].filter((prompt) => prompt.trim() !== '');
}
