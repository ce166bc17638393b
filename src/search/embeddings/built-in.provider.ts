import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInTerms } from '../../../packages/ranking/rank.js';
import { dimension, WordVectors } from '../../../packages/ranking/word-vectors.js';
import { packageRoot } from '../../kernel/migrations.js';
import type { EmbeddingProvider } from './embedding.provider.js';

let known: WordVectors | undefined;

/** All zeros where no word is known. */
export function builtInVector(text: string): Float32Array {
  // 5 MB, read once and when the first text comes.
  known ??= new WordVectors(readFileSync(join(packageRoot(), 'vectors', 'english.bin')));
  return known.vectorOf(text);
}

/** Its {@link builtInVector} of length 1, without the zeros behind, to be kept in memory; empty where no word is known. */
export function builtInDirection(text: string): Float32Array {
  const vector = builtInVector(text);
  const length = Math.hypot(...vector);
  return vector.subarray(0, vector.findLastIndex((each) => each !== 0) + 1).map((each) => each / length);
}

/** Of two directions; undefined where one is of no known word. */
export function cosineOf(one: Float32Array, other: Float32Array): number | undefined {
  if (one.length === 0 || other.length === 0) return undefined;
  let cosine = 0;
  // Asked of every text of a catalog: a callback for each number would take most of the time.
  for (let at = 0; at < one.length; at += 1) cosine += (one[at] ?? 0) * (other[at] ?? 0);
  return cosine;
}

/** The built-in provider: makes vectors of what English words mean, without a model, a download or a noticeable cost. */
export const builtInProvider: EmbeddingProvider = {
  profile: { model: 'english-words-2', dimension, batch: 64, lease: 30, ...builtInTerms },
  embed: (texts) => Promise.resolve(texts.map(builtInVector)),
};
