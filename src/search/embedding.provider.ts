import type { VectorTerms } from '../../packages/ranking/rank.js';

/** What makes vectors comparable: of one model, made the same way. */
export interface EmbeddingProfile extends VectorTerms {
  /** Names the model and the way its texts are prepared; vectors of different names are never compared. */
  readonly model: string;
  /** Components of a vector. */
  readonly dimension: number;
  /** Most texts of one call. */
  readonly batch: number;
  /** Seconds within which a call has come to an end: who has not come back by then never will. */
  readonly lease: number;
}

/** Makes vectors of texts: a port of two members. */
export interface EmbeddingProvider {
  readonly profile: EmbeddingProfile;
  /**
   * One vector of the profile's dimension for each text, in order. Throws ProviderFault where the provider fails.
   *
   * @param role some models want what is asked and what is found prepared differently
   */
  embed(texts: readonly string[], role: 'query' | 'document'): Promise<readonly Float32Array[]>;
}

/** Nest token of the {@link EmbeddingProvider}. */
export const EMBEDDINGS = Symbol('Embeddings');
