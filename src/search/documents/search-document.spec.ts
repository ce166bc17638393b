import { distinctWords } from '../found.js';
import { MOST_WORDS, wordColumns } from './search-document.js';

const host = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
const random = Array.from({ length: 30_000 }, (_, at) => `qx${at.toString(36)}z`).join(' ');

it('a record is found by its first words, however many different ones it has', () => {
  const { words, terms } = wordColumns(host, {
    id: 'a',
    texts: { name: 'pay invoice', description: `${random} invoice` },
    examples: ['late words'],
  });
  expect(distinctWords(words).size).toBe(MOST_WORDS);
  expect(terms.length).toBeLessThan(MOST_WORDS + 10);
  expect(words.fields.name).toEqual(['pay', 'invoic']);
  expect(words.examples).toEqual([['lat', 'word']]);
});

it('a record is found by what it says of itself, however many words its examples have', () => {
  const { words } = wordColumns(host, {
    id: 'a',
    texts: {
      name: 'pages',
      description: 'Merges pages of portable files.',
      keywords: 'office',
      parameters: 'margin',
      details: 'seldom',
    },
    examples: [random, 'late words'],
  });
  expect(distinctWords(words).size).toBe(MOST_WORDS);
  expect(words.fields).toMatchObject({
    name: ['pag'],
    description: ['merg', 'pag', 'portabl', 'fil'],
    keywords: ['offic'],
    parameters: ['margin'],
    details: [],
  });
});
