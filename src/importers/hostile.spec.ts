import { hostileDocuments } from '../../test/hostile-documents.js';
import { writeZip } from './archive/zip.stream.js';
import { ImportPool } from './import-pool.js';

/** A worker of 300 MB: what needs more, or takes too long, is ended by the pool, which rejects. */
const pool = new ImportPool({ workers: 1, memoryMib: 300 });
afterAll(() => {
  pool.close();
});

describe('a hostile document', () => {
  const read = async (document: unknown) => {
    const body = new TextEncoder().encode(JSON.stringify({ document }));
    const { document: found, refusal } = await pool.read({
      body,
      mediaType: 'application/json',
      holds: 'document',
    });
    return refusal?.code ?? found?.offers.length;
  };

  it.each(hostileDocuments)('%s', async (_name, document, end) => {
    expect(await read(document)).toBe(end);
  });

  it('that unpacks to far more than it is', async () => {
    const zip = await writeZip([{ path: 'openapi.yaml', bytes: Buffer.alloc(40 * 1024 * 1024, ' ') }]);
    expect(zip.length).toBeLessThan(100_000);
    expect(await read({ archive: Buffer.from(zip).toString('base64') })).toBe('document_too_expensive');
  });
});
