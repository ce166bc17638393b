import { setImmediate as nextTurn } from 'node:timers/promises';
import { readingForReads, readingForWrites } from './spec-reading.pool.js';
import { specWork } from './spec-reading.js';

const HOST = 'host';

const spec = (parameters: number, description = 'Reads one file by its path.') =>
  JSON.stringify({
    ...{ version: '1.0.0', name: 'read_file', description },
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: parameters }, (_, at) => [`p${String(at)}`, { type: 'string' }]),
      ),
    },
  });

/** How often the event loop went round while the work was done. */
async function turnsDuring<Result>(work: Promise<Result>): Promise<{ turns: number; result: Result }> {
  let turns = 0;
  const done = new AbortController();
  const counted = (async () => {
    for (; !done.signal.aborted; turns += 1) await nextTurn();
  })();
  const result = await work.finally(() => {
    done.abort();
  });
  await counted;
  return { turns, result };
}

/** Where all is done in one step it goes round twice or so; while another thread is at it, as often as it can. */
const MANY = 20;

describe('a long spec is read beside all else', () => {
  const text = spec(3_500);
  const asked = { lint: true, pointers: ['/inputSchema/properties/p9', '/description'] };

  it('and linted, with what is said of it as where it is short', async () => {
    const { turns, result } = await turnsDuring(readingForReads(HOST).do('spec', text, asked));
    expect(turns).toBeGreaterThan(MANY);
    expect(result).toEqual(specWork.spec(text, asked));
    expect(result.findings.length).toBeGreaterThan(3_500);
  });

  it('and compared with another', async () => {
    const [before, after] = [specWork.spec(text).value, specWork.spec(spec(3_400, 'Reads.')).value];
    if (before === undefined || after === undefined) throw new Error('These are specs.');
    const { turns, result } = await turnsDuring(
      readingForWrites(HOST).do('judge', before, after, [], '2026-01-01'),
    );
    expect(turns).toBeGreaterThan(MANY);
    expect(result).toEqual(specWork.judge(before, after, [], '2026-01-01'));
  });

  it('but a short one at once', async () => {
    const { turns, result } = await turnsDuring(readingForReads(HOST).do('spec', spec(3), asked));
    expect(turns).toBeLessThan(MANY);
    expect(result.places).toEqual([
      { pointer: '/inputSchema/properties/p9', line: 1 },
      { pointer: '/description', line: 1 },
    ]);
  });

  it('with its faults, and a text that is far too long at once', async () => {
    const faults = await readingForReads(HOST).do('spec', text.replaceAll('"string"', '"strong"'));
    expect(faults.value).toBeUndefined();
    expect(faults.faults[0]).toMatchObject({ pointer: '/inputSchema/properties/p0/type' });
    const long = await readingForReads(HOST).do('spec', spec(10_000));
    expect(long.faults).toMatchObject([{ rule: 'too_large' }]);
  });
});
