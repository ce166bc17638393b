import { ImportPool } from './import-pool.js';
import { ReadDocuments } from './import-reading.service.js';
import type { ReadResult, ReadTask } from './read-import.worker.js';

class CountingPool extends ImportPool {
  reads = 0;

  override read(task: ReadTask, hostId: string): Promise<ReadResult> {
    this.reads += 1;
    return super.read(task, hostId);
  }
}

const task = (description: string, more: Partial<ReadTask> = {}): ReadTask => {
  const get = { operationId: 'a', description, responses: {} };
  const document = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { '/a': { get } } };
  const body = Buffer.from(JSON.stringify({ document, layer: 'source' }));
  return { body, mediaType: 'application/json', holds: 'document', ...more };
};

describe('documents that come again', () => {
  const pool = new CountingPool();
  const documents = new ReadDocuments(pool);
  afterAll(() => {
    pool.close();
  });
  beforeEach(() => (pool.reads = 0));

  it('are read once', async () => {
    const first = await documents.read(task('Does it.'), 'host');
    expect(JSON.parse(first.document?.offers[0]?.facts ?? '')).toMatchObject({ description: 'Does it.' });
    expect(await documents.read(task('Does it.'), 'host')).toEqual(first);
    expect(pool.reads).toBe(1);
  });

  it('are told apart by every byte, and by how they are to be read', async () => {
    const { document: one } = await documents.read(task('One.'), 'host');
    const { document: other } = await documents.read(task('Other.'), 'host');
    expect(one?.offers[0]?.digest).not.toBe(other?.offers[0]?.digest);
    expect((await documents.read(task('One.', { format: 'mcp' }), 'host')).refusal?.code).toBe(
      'format_mismatch',
    );
    expect(pool.reads).toBe(3);
  });

  it('are read anew where they were refused', async () => {
    const broken: ReadTask = { body: '{"document": "{"}', mediaType: 'application/json', holds: 'document' };
    for (const _ of [1, 2])
      expect((await documents.read(broken, 'host')).refusal?.code).toBe('malformed_json');
    expect(pool.reads).toBe(2);
  });

  it('keep what is remembered from those who change what they are given', async () => {
    const first = await documents.read(task('Kept.'), 'host');
    Object.assign(first.envelope, { layer: 'gateway' });
    expect((await documents.read(task('Kept.'), 'host')).envelope).toEqual({ layer: 'source' });
  });
});
