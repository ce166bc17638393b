/** What an agent is told of a tool within one skill: where the link speaks, its words stand in place of the tool's. Pure. */
import { lightApiWords } from '../endpoints/lightapi-words.js';
import type { Offer } from './disclosure.offer.js';
import { textIn, textsIn } from './loose-json.js';

export function descriptionOf({ tool, link }: Pick<Offer, 'tool' | 'link'>): string {
  return textIn(link.config, 'description') ?? tool.description;
}

/** Contract 5, of one tool. */
const mostPrompts = 200;
const longestPrompt = 500;

/** The examples of the link; where it has none, those of operators first, then those of LightAPI. */
export function examplePromptsOf({
  tool,
  endpoint,
  link,
}: Pick<Offer, 'tool' | 'endpoint' | 'link'>): readonly string[] {
  const described = lightApiWords(endpoint?.lightapi).prompts.filter(({ length }) => length <= longestPrompt);
  const prompts =
    'examples' in link.config ? textsIn(link.config, 'examples') : [...tool.example_prompts, ...described];
  return [...new Set(prompts)].slice(0, mostPrompts);
}
