import { Invalid } from '../eventsourcing/errors.js';

/** Contract 5. */
export const MOST_PROMPTS = 200;
export const LONGEST_PROMPT = 500;

/** The prompts after the lesson: in the order first given, each once, surrounding blanks aside. */
export function withPrompts(
  known: readonly string[],
  { mode, prompts }: { readonly mode: 'add' | 'replace'; readonly prompts: readonly string[] },
): readonly string[] {
  const all = mode === 'add' ? [...known, ...prompts] : prompts;
  const kept = [...new Set(all.map((prompt) => prompt.trim()))].filter((prompt) => prompt !== '');
  if (kept.length > MOST_PROMPTS) {
    const detail = `A tool keeps at most ${String(MOST_PROMPTS)} example prompts; these would be ${String(kept.length)}.`;
    throw new Invalid('too_many_example_prompts', detail);
  }
  return kept;
}
