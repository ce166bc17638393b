import type { VectorTerms } from '../../../packages/ranking/rank.js';

/** Vectors are comparable where their profile is the same. */
export interface EmbeddingProfile extends VectorTerms {
  /** Names the model and the way its texts are prepared; vectors of different names are never compared. */
  readonly model: string;
  /** Components of a vector. */
  readonly dimension: number;
  /** Maximum of texts in one call. */
  readonly batch: number;
  /** Seconds after which a call has surely ended. */
  readonly lease: number;
}

/** Makes vectors of texts. */
export interface EmbeddingProvider {
  readonly profile: EmbeddingProfile;
  /**
   * Makes one vector for each text, in order. Throws ProviderFault where the provider fails.
   *
   * @param role some models prepare prompts and documents differently
   */
  embed(texts: readonly string[], role: 'query' | 'document'): Promise<readonly Float32Array[]>;
}

/** Nest token of the {@link EmbeddingProvider}. */
export const EMBEDDINGS = Symbol('Embeddings');

/**
 * Names vectors by the model and all else that they depend on: `model`, or `model?pooling=mean&dtype=q8`. Vectors of one
 * name are comparable; empty values are left out.
 */
export function modelName(model: string, made: Readonly<Record<string, string>>): string {
  const set = Object.entries(made).filter(([, value]) => value !== '');
  return set.length === 0 ? model : `${model}?${new URLSearchParams(set).toString()}`;
}

/** Reads a name that {@link modelName} made. */
export function modelOf(name: string): { readonly model: string } & Readonly<Record<string, string>> {
  const [model = '', made = ''] = name.split('?');
  return { ...Object.fromEntries(new URLSearchParams(made)), model };
}

/** The provider could not be reached, or gave what can't be used. Its message holds no text and no secret. */
export class ProviderFault extends Error {
  constructor(
    message: string,
    /** Whether asking again may help. */
    readonly passing: boolean,
    /** Milliseconds that the provider asks to wait. */
    readonly wait?: number,
  ) {
    super(message);
  }
}

/** One of the texts, or its vector, is at fault: the provider works, and may take the others. */
export class TextFault extends ProviderFault {
  constructor(message: string) {
    super(message, false);
  }
}

export function anotherDimension(who: string, given: number, wanted: number): ProviderFault {
  const what = `gives ${String(given)} dimensions where the catalog has ${String(wanted)}`;
  return new ProviderFault(`${who} ${what}: choose another EMBEDDING_MODEL.`, false);
}

/**
 * Checks what a provider gave for one text. Throws ProviderFault for another dimension, and TextFault where
 * nothing can be compared with it: no number, one beyond 32 bits, or zeros alone.
 */
export function usableVector(who: string, given: unknown, dimension: number): Float32Array {
  if (!Array.isArray(given) && !(given instanceof Float32Array))
    throw new TextFault(`${who} gave no vector.`);
  const numbers = Array.from<unknown>(given);
  if (numbers.length !== dimension) throw anotherDimension(who, numbers.length, dimension);
  const vector = Float32Array.from(numbers as number[]);
  if (!numbers.every(Number.isFinite) || !vector.every(Number.isFinite))
    throw new TextFault(`${who} gave what is no number of 32 bits.`);
  if (vector.every((component) => component === 0)) throw new TextFault(`${who} gave a vector of zeros.`);
  return vector;
}
