import { dimension, WordVectors } from './word-vectors.js';

/** As `scripts/word-vectors.mjs` writes them. */
function bytesOf(vectors: Readonly<Record<string, readonly number[]>>): Uint8Array {
  const [words, numbers] = [Object.keys(vectors), Object.values(vectors)];
  const names = Buffer.from(words.join('\n'));
  const head = Uint32Array.of(words.length, numbers[0]?.length ?? 0, names.length);
  return Buffer.concat([Buffer.from(head.buffer), names, Buffer.from(Int8Array.from(numbers.flat()).buffer)]);
}

describe('vectors of words', () => {
  const vectors = new WordVectors(bytesOf({ rent: [3, -2], flat: [100, 7], cat: [-127, 127] }));
  const numbersOf = (text: string) => [...vectors.vectorOf(text)];

  it('are summed up for a text, with zeros behind them, in whatever order the words stand', () => {
    expect(numbersOf('Rent a FLAT')).toEqual([103, 5, ...Array.from({ length: dimension - 2 }, () => 0)]);
    expect(numbersOf('flat: rent')).toEqual(numbersOf('Rent a FLAT'));
    expect(numbersOf('rentFlat')).toEqual(numbersOf('rent_flat'));
    expect(numbersOf('rent rent').slice(0, 2)).toEqual([6, -4]);
  });

  it('are zeros where no word is known', () => {
    expect(numbersOf('猫 👍 zzz')).toEqual(Array.from({ length: dimension }, () => 0));
  });

  it('stay exact for the longest text that is read', () => {
    expect(numbersOf('cat '.repeat(25_000)).slice(0, 2)).toEqual([-3_175_000, 3_175_000]);
  });
});
