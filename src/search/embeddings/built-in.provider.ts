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

/** The built-in provider: makes vectors of what English words mean, without a model, a download or a noticeable cost. */
export const builtInProvider: EmbeddingProvider = {
  profile: { model: 'english-words-1', dimension, batch: 64, lease: 30, ...builtInTerms },
  embed: (texts) => Promise.resolve(texts.map(builtInVector)),
};
