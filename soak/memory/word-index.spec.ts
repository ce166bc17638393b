import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { analyse } from '../../packages/ranking/document.js';
import { WordIndex } from '../../packages/ranking/word-index.js';

describe('the index of words', () => {
  it('says within a third how many bytes it takes', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const now = (): number => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    // What others have left behind goes in several turns.
    const taken = async (): Promise<number> => {
      for (let [before, bytes] = [Infinity, now()]; ; [before, bytes] = [bytes, now()]) {
        if (before - bytes < 10_000) return bytes;
        await nextTurn();
      }
    };
    const documents = Array.from({ length: 20_000 }, (_, at) => {
      const own = Array.from({ length: 20 }, (_unused, word) => `word${String((at * (word + 3)) % 9_000)}`);
      const id = `id-${String(at).padStart(33, '0')}`;
      return [id, analyse({ id, texts: { name: `get ${String(at)}`, description: own.join(' ') } })] as const;
    });
    const before = await taken();
    const index = new WordIndex();
    for (const [id, written] of documents) index.put(id, written, { informational: 1, other: 1 });
    const real = (await taken()) - before;
    expect(index.bytes / real).toBeGreaterThan(2 / 3);
    expect(index.bytes / real).toBeLessThan(3 / 2);
    expect(index.size).toBe(documents.length);
  });
});
