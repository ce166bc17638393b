/** Longer texts may be slices that hold on to what they were cut from. */
const MAX_LENGTH = 12;
const MAX_REMEMBERED = 20_000;

/** The same function of a word, quicker for the words that come again and again. Its results are shared: they must not be changed. */
export function remembering<Made extends object | string>(
  make: (word: string) => Made,
): (word: string) => Made {
  const known = new Map<string, Made>();
  return (word) => {
    if (word.length > MAX_LENGTH) return make(word);
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const made = make(word);
    known.set(word, made);
    return made;
  };
}

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

/** Characters of one text that are read. */
const MAX_CHARACTERS = 100_000;
/** Longer runs without a blank are keys and hashes: nobody asks for them. */
const MAX_WORD_LENGTH = 64;

/** Words that say nothing of what is wanted: English ones, and what people put around a request. */
const stopWords = new Set(
  (
    'a an and are as at be been being but by am can could did do does for from get had has have he her him his how i ' +
    'if in into is it its just let like ll me my need of on or our please re s she should so some any t than that the ' +
    'them then there these they this those to us use using ve want was we were what when where which who why will ' +
    'with would you your d m'
  ).split(' '),
);

/** Scripts written without blanks between words: two neighbouring characters make a word. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const unspaced = new RegExp(`^[${scripts}]`, 'u');
/** What words are made of. */
const letter = '[\\p{L}\\p{M}\\p{N}]';

/**
 * The words under which a text is found: {@link wordsOf}, and behind them each ideograph by itself, for who asks for that
 * alone.
 */
export function indexWordsOf(text: string): string[] {
  const words = wordsOf(text);
  if (isAscii.test(text)) return words;
  // A set, so that a long text of ideographs takes no longer for each of them.
  const found = new Set(words);
  const ideographs = new Set(words.flatMap((word) => word.match(ideograph) ?? []));
  return [...words, ...[...ideographs].filter((each) => !found.has(each))];
}

const ideograph = /\p{Script=Han}/gu;

/**
 * The words of a text in any script, in their order: names are split where the case changes and at signs, letters
 * lose case and accents, English words are stemmed, and words that say nothing are left out.
 */
export function wordsOf(text: string): string[] {
  return spelledWordsOf(text)
    .filter((word) => !stopWords.has(word))
    .map(stemOf);
}

/** The words of a text as they are spelt, split and without case and accents as those of {@link wordsOf}; all of them. */
export function spelledWordsOf(text: string): readonly string[] {
  const { read, letters } = readingOf(text);
  const { split, plural, run } = letters;
  const found = read.replace(split, ' ').replace(plural, '').toLowerCase().match(run) ?? [];
  const words =
    letters === ascii ? found : found.flatMap((word) => (unspaced.test(word) ? neighbours(word) : [word]));
  return words.filter((word) => word.length <= MAX_WORD_LENGTH);
}

/**
 * The parts of names that are split where the case changes, each with the next and all together, as one word: people write
 * `gitlab` for GitLab, and look for `github actions` where GitHubActions stands. Behind them `apis` where APIs stands.
 */
export function joinedWordsOf(text: string): string[] {
  const { read, letters } = readingOf(text);
  const joined = (read.match(letters.run) ?? []).flatMap((name) => {
    const parts = name.split(letters.split);
    const pairs = parts.slice(1).map((part, index) => `${parts[index] ?? ''}${part}`);
    const whole = parts.length > 2 ? [name] : [];
    return [...pairs, ...whole, ...parts.filter((part) => part.search(letters.plural) !== -1)];
  });
  return joined.filter((word) => word.length <= MAX_WORD_LENGTH).map((word) => stemOf(word.toLowerCase()));
}

const stemOf = remembering(stem);

const isAscii = /^[\0-\x7f]*$/;

/** How names are found among the letters and signs of a text. */
interface Letters {
  /** Of one way of writing, also where no blank is between two. */
  readonly run: RegExp;
  /** Where the case changes: before a capital behind what is none, and before the last capital of several, where that begins a word. */
  readonly split: RegExp;
  /** The s of PDFs, which is no word; before a capital As is one, as in PDFAsImage. */
  readonly plural: RegExp;
}

/** What {@link anyScript} says of such a text, in a fraction of the time. */
const ascii: Letters = {
  run: /[A-Za-z0-9]+/g,
  split: /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?!(?!As[A-Z])[A-Z]s(?![a-z0-9]))/g,
  plural: /(?<=[A-Z]{2})s(?![A-Za-z0-9])/g,
};

const anyScript: Letters = {
  run: new RegExp(`[${letter}&&[${scripts}]]+|[${letter}--[${scripts}]]+`, 'gv'),
  split: /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!(?!As\p{Lu})\p{Lu}s(?![\p{Ll}\p{N}]))/gu,
  plural: /(?<=\p{Lu}{2})s(?![\p{L}\p{N}])/gu,
};

function readingOf(text: string): { readonly read: string; readonly letters: Letters } {
  const read = text.slice(0, MAX_CHARACTERS);
  return isAscii.test(read) ? { read, letters: ascii } : { read: plain(read), letters: anyScript };
}

/** Marks upon one letter that are read: no language writes more, and to put them in order takes the square of their number. */
const tooManyMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Without accents, and each character in the form that is read. */
function plain(text: string): string {
  return (
    text
      .replace(tooManyMarks, '$1')
      .normalize('NFKD')
      // Some characters are made of many: U+FDFA of eighteen.
      .slice(0, MAX_CHARACTERS)
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
  );
}

function neighbours(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
