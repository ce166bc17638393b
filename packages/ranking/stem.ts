/**
 * Brings English words to a stem that their forms share: accounts, account; listing, listed, lists, list. Lighter
 * than Porter's: what it leaves apart the ranking finds by other words, what it joins wrongly nothing sets apart again.
 */
export function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  return derived(inflected(singular(word)))
    .replace(/(?<=...)e$/, '')
    .replace(/(?<=...)y$/, 'i');
}

function singular(word: string): string {
  if (/(ss|us|is)$/.test(word)) return word;
  if (/..ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=sh|ch|x|z|ss)es$/, '').replace(/s$/, '');
}

function inflected(word: string): string {
  const stemmed = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(word)?.[1];
  if (stemmed === undefined || stemmed.length < 3) return word;
  if (/(at|bl|iz)$/.test(stemmed)) return `${stemmed}e`;
  return stemmed.replace(/([^aeiouylsz])\1$/, '$1');
}

/** Nouns and adverbs to the verb or adjective that they were made of, as far as endings tell. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/ization$/, 'ize'],
  [/(?<=at)(ion|or)$/, 'e'],
  [/(?<=ct|pt|st|ss)ion$/, ''],
  [/(?<=...)ly$/, ''],
  [/(?<=...)ment$/, ''],
  [/(?<=....)(er|or)$/, ''],
];

function derived(word: string): string {
  return endings.reduce((text, [ending, instead]) => text.replace(ending, instead), word);
}
