import { MAX_MISSPELT, MAX_PROMPT_WORDS, promptOf, promptWordsOf } from './prompt.js';
import type { Statistics } from './document.js';

/** Statistics that count how often they are asked; every so many-th word is known. */
function counting(known: (word: string) => boolean) {
  const asked = { frequency: 0, near: 0 };
  const statistics: Statistics = {
    documents: 100_000,
    frequency: (word) => {
      asked.frequency += 1;
      return known(word) ? 1 + (word.length % 7) : 0;
    },
    vocabulary: [],
    near: (written) => {
      asked.near += 1;
      return [`${written}x`];
    },
  };
  return { asked, statistics };
}

const numbered = (script: string): string =>
  Array.from({ length: 20_000 }, (_, at) =>
    String.fromCodePoint((script.codePointAt(0) ?? 0) + (at % 90)),
  ).join('');

describe('the work of a prompt', () => {
  it.each([
    ['one letter', 'a'.repeat(20_000)],
    ['one letter, as words', 'a '.repeat(10_000)],
    ['the same word', 'weather '.repeat(2_500)],
    [
      'as many different words as there is room for',
      Array.from({ length: 4_000 }, (_, at) => `w${at}`).join(' '),
    ],
    [
      'made-up words',
      Array.from({ length: 2_000 }, (_, at) => `trasnf${'abcdefgh'[at % 8] ?? ''}${at}er`).join(' '),
    ],
    ['another script', numbered('п')],
    ['a script without blanks', numbered('天')],
    ['emoji', '😀👩‍👩‍👧'.repeat(2_000)],
    ['characters of regular expressions', '.*(a|[a-z]+)+$^\\b{2,}?'.repeat(900)],
    ['accents upon accents', `e${'\u0301'.repeat(19_999)}`],
    ['accents out of their order', `e${'\u0301'.repeat(10_000)}${'\u0323'.repeat(9_999)}`],
    ['characters that are made of many', '\ufdfa'.repeat(20_000)],
  ])('is bounded, of 20,000 characters: %s', (_, text) => {
    for (const known of [() => true, () => false, (word: string) => word.length % 2 === 0]) {
      const { asked, statistics } = counting(known);
      const { terms, pairs } = promptOf(text.slice(0, 20_000), statistics);
      expect(terms.length).toBeLessThanOrEqual(48);
      expect(pairs.size).toBeLessThanOrEqual(48 * 48);
      expect(asked.near).toBeLessThanOrEqual(MAX_MISSPELT);
      // Each word is asked for twice and weighed once, and each spelling weighed.
      expect(asked.frequency).toBeLessThanOrEqual(3 * (MAX_PROMPT_WORDS + 3 * MAX_MISSPELT));
    }
  });
});

describe('the joined words of a prompt', () => {
  it('are read once each, however often they stand before others', () => {
    expect(promptWordsOf(`${'aB '.repeat(5_000)}GitLab`).joined).toEqual(['ab', 'gitlab']);
  });

  it('take the room that the other words leave', () => {
    const names = (count: number): string => Array.from({ length: count }, (_, at) => `w${at}xA`).join(' ');
    const { times, joined } = promptWordsOf(names(1_500));
    expect([times.size, joined.length]).toEqual([1_500, MAX_PROMPT_WORDS - 1_500]);
    const all = counting(() => true);
    promptOf(names(20_000), all.statistics);
    expect(all.asked.frequency).toBeLessThanOrEqual(3 * MAX_PROMPT_WORDS);
  });
});
