import { anotherDimension, TextFault } from './provider-fault.js';

/**
 * What a provider gave for one text, as it is kept. Throws ProviderFault for another dimension, and TextFault where
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
