import { spelledWordsOf } from './words.js';

/** Components of every vector that is compared (contract of the catalog: 384). */
export const dimension = 384;

/**
 * Vectors of English words (vectors/README.md): a text's vector is the sum of those of its words, so texts are near each other whose words
 * mean about the same, whether or not they share any. The numbers are whole, and few enough words are read that 32 bits hold each sum as it
 * is: the same on every machine, in whatever order it is added up.
 */
export class WordVectors {
  private readonly places: ReadonlyMap<string, number>;
  private readonly steps: Int8Array;
  private readonly width: number;

  /** @param bytes as `scripts/word-vectors.mjs` writes them: words, dimensions and bytes of the words; the words; a byte for each number */
  constructor(bytes: Uint8Array) {
    const head = new DataView(bytes.buffer, bytes.byteOffset, 12);
    const [words, width, length] = [0, 4, 8].map((at) => head.getUint32(at, true)) as [
      number,
      number,
      number,
    ];
    const names = new TextDecoder().decode(bytes.subarray(12, 12 + length)).split('\n');
    this.places = new Map(names.map((word, place) => [word, place]));
    this.steps = new Int8Array(bytes.buffer, bytes.byteOffset + 12 + length, words * width);
    this.width = width;
  }

  /** Zeros behind those of the words up to {@link dimension}; all zeros where no word is known. */
  vectorOf(text: string): Float32Array {
    const vector = new Float32Array(dimension);
    for (const word of spelledWordsOf(text)) {
      const place = this.places.get(word);
      if (place === undefined) continue;
      const from = place * this.width;
      for (let at = 0; at < this.width; at += 1)
        vector[at] = (vector[at] ?? 0) + (this.steps[from + at] ?? 0);
    }
    return vector;
  }
}
