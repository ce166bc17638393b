/** The prompts that tools bring along themselves, of which an evaluation asks those that the version might take. */
import { askedOf, rank } from '../../../packages/ranking/rank.js';
import { wordsOf } from '../../../packages/ranking/words.js';
import { Pace } from '../../kernel/pace.js';
import type { ToolSource } from '../documents/search-document.js';
import { ownPrompts } from './evaluations.service.js';
import type { PagedCatalog } from './paged-ranking.js';
import type { Question } from './version-questions.js';

/** Own prompts of one evaluation: each is asked of all tools, twice. */
export const MAX_OWN = 500;

/**
 * The own prompts of the tool, and those of others that find the version at all: however its author words config or
 * description, what it takes from them counts. Where there are more than {@link MAX_OWN}, those that find it best.
 *
 * @param others the other tools of the environment, in pages
 */
export async function ownQuestions(
  source: ToolSource,
  others: AsyncIterable<readonly ToolSource[]>,
  { own, statistics }: PagedCatalog,
): Promise<readonly Question[]> {
  if (own === undefined) return [];
  const pace = new Pace();
  const scored: { readonly question: Question; readonly score: number }[] = [];
  for await (const page of others) {
    for (const row of ownPrompts(page).rows) {
      const [found] = rank(askedOf(row.prompt, statistics), [own], statistics);
      if (found !== undefined) scored.push({ question: { ...row, from: 'own' }, score: found.score });
      await pace.step();
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
