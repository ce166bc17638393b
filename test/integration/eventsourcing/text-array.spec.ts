import fc from 'fast-check';
import type { Database } from '../../../src/eventsourcing/sql.js';
import { textArray } from '../../../src/eventsourcing/text-array.js';
import { eachDatabase } from '../databases.js';

eachDatabase((open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  const sent = async (texts: readonly string[]) => {
    const [row] = await database.asOwner.query<{ texts: string[] }>('SELECT $1::text[] AS texts', [
      textArray(texts),
    ]);
    return row?.texts;
  };

  test('texts arrive as they were sent, whatever is in them', async () => {
    const odd = ['', 'NULL', 'null', '"', '\\', '\\"', '{}', '{a,b}', ',', "'", ' a ', '\n', 'ü😀'];
    expect(await sent(odd)).toEqual(odd);
    expect(await sent(['x'.repeat(300_000), '😀'.repeat(100_000)])).toEqual([
      'x'.repeat(300_000),
      '😀'.repeat(100_000),
    ]);
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1 }), async (texts) => {
        expect(await sent(texts)).toEqual(texts);
      }),
    );
  });
});
