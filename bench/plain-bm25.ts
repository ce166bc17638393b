/**
 * What a plain search would do: Okapi BM25 (k1 1.2, b 0.75) over names, descriptions and schemas as one text, without the
 * words that say nothing, with crude stems or as they are.
 */

const [k1, b] = [1.2, 0.75];

const stopWords = new Set(
  (
    'a an and are as at be by can could do does for from has have how i if in into is it its me my of on or our please ' +
    'that the their there this to was we what when where which who will with would you your'
  ).split(' '),
);

function wordsOf(text: string, stemmed: boolean): string[] {
  const spaced = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopWords.has(word));
  return words.map((word) =>
    stemmed && word.length > 4 ? word.replace(/ies$/, 'y').replace(/(ing|ed|es|s)$/, '') : word,
  );
}

/** Names and descriptions of all properties. */
function schemaText(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return '';
  const { properties = {}, items } = schema as { properties?: Record<string, unknown>; items?: unknown };
  const inner = Object.entries(properties).map(([name, property]) => {
    const { description = '' } = (property ?? {}) as { description?: string };
    return `${name} ${description} ${schemaText(property)}`;
  });
  return [...inner, schemaText(items)].join(' ');
}

interface Tool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schema?: object;
}

export function plainBm25(tools: readonly Tool[], stemmed = true): (prompt: string) => readonly string[] {
  const texts = tools.map((tool) =>
    wordsOf(`${tool.name} ${tool.description} ${schemaText(tool.schema)}`, stemmed),
  );
  const usual = texts.reduce((sum, words) => sum + words.length, 0) / texts.length;
  const postings = new Map<string, Map<number, number>>();
  for (const [index, words] of texts.entries()) {
    for (const word of words) {
      const known = postings.get(word) ?? new Map<number, number>();
      postings.set(word, known.set(index, (known.get(index) ?? 0) + 1));
    }
  }
  return (prompt) => {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(prompt, stemmed))) {
      const found = postings.get(word) ?? new Map<number, number>();
      const rarity = Math.log(1 + (texts.length - found.size + 0.5) / (found.size + 0.5));
      for (const [index, times] of found) {
        const length = (texts[index]?.length ?? 0) / usual;
        const worth = (rarity * times * (k1 + 1)) / (times + k1 * (1 - b + b * length));
        scores.set(index, (scores.get(index) ?? 0) + worth);
      }
    }
    const best = [...scores].sort(([one, a], [other, z]) => z - a || one - other).slice(0, 10);
    return best.flatMap(([index]) => tools[index]?.id ?? []);
  };
}
