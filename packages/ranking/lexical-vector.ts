import { dimension } from './word-vectors.js';
import { remembering, wordsOf } from './words.js';

/**
 * A vector of length 1 made of the words alone, by feature hashing: words and their runs of three letters each add to
 * one component. Deterministic, without a model: texts are near each other as far as they share words or parts of
 * words, never because they mean the same. All zeros where there is no word.
 */
export function lexicalVector(text: string): Float32Array {
  const vector = new Float32Array(dimension);
  const times = new Map<string, number>();
  for (const word of wordsOf(text)) times.set(word, (times.get(word) ?? 0) + 1);
  for (const [word, count] of times) {
    const worth = 1 + Math.log(count);
    const [whole = 0, ...parts] = hashesOf(word);
    add(vector, whole, worth);
    for (const part of parts) add(vector, part, (partWorth * worth) / Math.sqrt(parts.length));
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((component) => component / length);
}

/** Weight of all parts of a word together; the word itself has 1. */
const partWorth = 0.7;

/** Hashes of the word, and of its runs of three letters. */
const hashesOf = remembering((word): readonly number[] => {
  const bounded = `^${word}$`;
  const parts = Array.from({ length: bounded.length - 2 }, (_, start) => bounded.slice(start, start + 3));
  return [hashOf(word), ...parts.map((part) => hashOf(`~${part}`))];
});

/** Adds to one component. One bit of the hash is the sign, so that collisions cancel out on average. */
function add(vector: Float32Array, hash: number, worth: number): void {
  const component = (hash >>> 1) % dimension;
  vector[component] = (vector[component] ?? 0) + (hash & 1 ? worth : -worth);
}

/** FNV-1a over UTF-16 units, its bits mixed once more (the finalizer of MurmurHash3). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
