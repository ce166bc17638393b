import { setsIn } from './retrieval-sets.js';

/** What a bench of searches is made of. */
export interface SearchTexts {
  toolAt(index: number): { readonly name: string; readonly description: string; readonly schema?: object };
  /** What somebody might ask for. */
  promptAt(index: number): string;
}

const verbs =
  'get list create update delete search send cancel approve export import book pay convert verify'.split(' ');
const nouns =
  'account invoice order customer payment ticket flight hotel weather report document contract shipment refund budget ' +
  'employee calendar message policy claim loan transfer portfolio device sensor alert image song restaurant route';
const subjects = nouns.split(' ');

/** Words by their rank, the frequent ones far more often, as in any language. */
const rare = (seed: number): string => `term${Math.floor(40_000 ** (hashed(seed) ** 0.7))}`;
const hashed = (seed: number): number =>
  ((Math.imul(seed ^ (seed >>> 13), 0x5bd1e995) >>> 8) % 65_536) / 65_536;
const of = (list: readonly string[], seed: number): string =>
  list[Math.floor(hashed(seed) * list.length)] ?? '';

/** Name and description of the made-up tool of this number. */
export function textsOf(index: number) {
  const [verb, subject, object] = [
    of(verbs, index * 3),
    of(subjects, index * 5 + 1),
    of(subjects, index * 7 + 2),
  ];
  const words = Array.from({ length: 12 }, (_, place) => rare(index * 131 + place));
  return {
    name: `${verb}_${subject}_${object}_${words[0] ?? ''}`,
    description: `Use this to ${verb} the ${subject} of a ${object}, by ${words.join(' ')}.`,
  };
}

/** What somebody might ask for the made-up tool of this number. */
export function promptOf(index: number): string {
  const { name } = textsOf(index * 37);
  const [verb = '', subject = '', object = '', word = ''] = name.split('_');
  return `could you ${verb} the ${subject} for that ${object} with ${word} please`;
}

/** Least and greatest length of a prompt, in characters; short ones are as many as ones ten times as long. */
const [SHORTEST, LONGEST] = [20, 2_000];

/** Prompts in a row, until there are as many characters as this one shall have. */
function ofRealLength(index: number, prompt: (index: number) => string): string {
  const length = SHORTEST * (LONGEST / SHORTEST) ** hashed(index * 11 + 5);
  let text = prompt(index);
  for (let next = index + 1; text.length < length; next += 1) text += ` ${prompt(next)}`;
  return text.slice(0, length);
}

export const madeUpTexts: SearchTexts = {
  toolAt: textsOf,
  promptAt: (index) => ofRealLength(index, promptOf),
};

/**
 * The tools with their schemas and the prompts of all sets in a folder. Tools beyond those that there are repeat them, each
 * under a name of its own, and with a few words more.
 */
export async function textsOfSets(folder: string): Promise<SearchTexts> {
  const sets = await setsIn(folder);
  const tools = sets.flatMap((set) => set.tools);
  const queries = sets.flatMap((set) => set.queries);
  if (tools.length === 0 || queries.length === 0)
    throw new Error(`There are no tools and prompts in ${folder}.`);
  const queryAt = (index: number): string => queries[(index * 7) % queries.length]?.query ?? '';
  return {
    toolAt(index) {
      const { name, description, schema = {} } = tools[index % tools.length] ?? { name: '', description: '' };
      if (index < tools.length) return { name, description, schema };
      const words = Array.from({ length: 4 }, (_, place) => rare(index * 131 + place));
      return { name: `${name}_${words[0] ?? ''}`, description: `${description} ${words.join(' ')}`, schema };
    },
    promptAt: (index) => ofRealLength(index, queryAt),
  };
}

/** Prompts that are made to take long, of 20,000 characters. */
export const hostilePrompts: Readonly<Record<string, string>> = {
  'one letter': 'a'.repeat(20_000),
  'different words': Array.from({ length: 4_000 }, (_, at) => `w${at}`)
    .join(' ')
    .slice(0, 20_000),
  misspelt: 'trasnfer acocunt inovice custmoer paymnet '.repeat(500).slice(0, 20_000),
  'another script': 'перевести деньги со счета '.repeat(800).slice(0, 20_000),
  emoji: '😀'.repeat(10_000),
  'accents out of their order': `a${'\u0301'.repeat(9_999)}${'\u0323'.repeat(9_999)}`,
  'characters made of many': '\ufdfa'.repeat(20_000),
  'regular expressions': '.*(a|[a-z]+)+$^{2,}?'.repeat(1_000),
};
