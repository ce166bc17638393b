import { dimension, lexicalVector } from '../../packages/ranking/lexical-vector.js';
import { lexicalTerms } from '../../packages/ranking/rank.js';
import type { EmbeddingProvider } from './embedding.provider.js';

/** Built in: no model, no download, the same vectors everywhere. They know words and their parts, no meaning. */
export const lexicalProvider: EmbeddingProvider = {
  profile: { model: 'lexical-hash-2', dimension, batch: 64, lease: 30, ...lexicalTerms },
  embed: (texts) => Promise.resolve(texts.map(lexicalVector)),
};
