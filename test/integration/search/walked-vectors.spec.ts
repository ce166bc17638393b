import { randomUUID } from 'node:crypto';
import { migrate } from '../../../src/kernel/migrations.js';
import { eachDatabase } from '../databases.js';
import { Tables } from '../effective-catalog/tables.js';

eachDatabase((open) => {
  test('a database of before walks keeps its vectors, and has those in the index that searches walk among', async () => {
    const database = await open();
    const hostId = randomUUID();
    // As it was: the column takes its index with it.
    await database.asOwner.query(`
      ALTER TABLE search_embedding_t DROP COLUMN walked;
      CREATE INDEX search_embedding_near_ix ON search_embedding_t USING hnsw (embedding vector_cosine_ops)
        WHERE status = 'ready';
      DELETE FROM schema_migration_t WHERE name = 'ground/0015_walked_vectors.sql'`);
    const tables = new Tables(database.asOwner, hostId);
    const embedding = `[1${',0'.repeat(383)}]`;
    for (const [model, status] of [
      ['lexical-hash-2', 'ready'],
      ['meaning', 'ready'],
      ['waiting', 'pending'],
    ] as const) {
      const made = status === 'ready' ? { embedding } : {};
      await tables.add('search_embedding_t', { kind: 'tool', model, status, ...made });
    }
    expect(await migrate(database)).toEqual(['ground/0015_walked_vectors.sql']);
    expect(
      await database
        .of(hostId)
        .query('SELECT model, walked FROM search_embedding_t WHERE host_id = $1 ORDER BY model', [hostId]),
    ).toEqual([
      { model: 'lexical-hash-2', walked: false },
      { model: 'meaning', walked: true },
      { model: 'waiting', walked: false },
    ]);
    const [index] = await database.asOwner.query<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE indexname = 'search_embedding_near_ix'`,
    );
    expect(index?.indexdef).toMatch(/WHERE walked$/);
    const [wall] = await database.asOwner.query<{ stands: boolean }>(
      `SELECT relforcerowsecurity AS stands FROM pg_class WHERE relname = 'search_embedding_t'`,
    );
    expect(wall?.stands).toBe(true);
  });
});
