import { analyse, documentOf, statisticsOf } from './document.js';
import { modelTerms, rank, type VectorTerms } from './rank.js';

/**
 * A catalog with a model that is made here: it knows that the words of a topic mean the same, and takes all that is done with it for one;
 * words know what is done, and only one word for each topic.
 */
const topics = {
  order: ['order', 'purchase'],
  invoice: ['invoice', 'bill'],
  flat: ['flat', 'apartment'],
  doctor: ['doctor', 'physician'],
  car: ['car', 'automobile'],
  film: ['film', 'movie'],
} as const;
const acts = ['cancel', 'rename', 'archive', 'compare', 'share'];
type Topic = keyof typeof topics;
const names = Object.keys(topics) as Topic[];

const tools = names.flatMap((topic) =>
  acts.map((act) =>
    documentOf(`${act}-${topic}`, analyse({ id: `${act}-${topic}`, texts: { name: `${act}_${topic}` } })),
  ),
);
const statistics = statisticsOf(tools);
const topicOf = (text: string) => names.find((topic) => topics[topic].some((word) => text.includes(word)));

/** Where the right tool stands among what is found: 1 first, 0 not at all; of several that are alike, in the middle. */
function reciprocalRank(prompt: string, right: string, terms: VectorTerms): number {
  const candidates = tools.map((document) => ({
    document,
    cosine: topicOf(prompt) === topicOf(document.id) ? 0.8 : 0.15,
  }));
  const found = rank(prompt, candidates, statistics, terms);
  const score = found.find(({ candidate }) => candidate.document.id === right)?.score;
  if (score === undefined) return 0;
  const before = found.filter((each) => each.score > score + 1e-9).length;
  const alike = found.filter((each) => Math.abs(each.score - score) <= 1e-9).length;
  return 1 / (before + (alike + 1) / 2);
}

/** Mean over prompts with the word of the tools, and with another one for the same. */
function quality(terms: VectorTerms): number {
  const ranks = names.flatMap((topic) =>
    acts.flatMap((act) =>
      topics[topic].map((word) => reciprocalRank(`${act} the ${word} for me`, `${act}-${topic}`, terms)),
    ),
  );
  return ranks.reduce((sum, each) => sum + each, 0) / ranks.length;
}

test('words and the vectors of a model find more together than either alone', () => {
  const words = quality({ ...modelTerms, share: 0 });
  const vectors = quality({ ...modelTerms, share: 1 });
  const together = quality(modelTerms);
  expect(words).toBeLessThan(0.8);
  expect(vectors).toBeLessThan(0.5);
  expect(together).toBe(1);
});
