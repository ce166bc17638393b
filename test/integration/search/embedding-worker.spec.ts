import { randomUUID } from 'node:crypto';
import { lexicalVector } from '../../../packages/ranking/lexical-vector.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { EmbeddingWorker } from '../../../src/search/embedding.worker.js';
import type { EmbeddingProvider } from '../../../src/search/embedding.provider.js';
import { lexicalProvider } from '../../../src/search/lexical.provider.js';
import { PromptVectors } from '../../../src/search/prompt-vectors.service.js';
import { ProviderFault, TextFault } from '../../../src/search/provider-fault.js';
import { eachDatabase } from '../databases.js';
import { Tables } from '../effective-catalog/tables.js';

interface Row {
  readonly source_text: string;
  readonly status: string;
  readonly error: string | null;
  readonly waits: number | null;
}

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  }, 60_000);

  /** A host with these texts, each of a tool of its own. */
  const hostWith = async (model: string, texts: readonly string[]) => {
    const hostId = randomUUID();
    const tables = new Tables(database.asOwner, hostId);
    const ids = texts.map(() => randomUUID());
    for (const [index, text] of texts.entries()) {
      const own = { kind: 'tool', entity_id: ids[index], source_field: 'text', source_hash: text };
      await tables.add('search_embedding_t', { ...own, model, dimension: 384, source_text: text });
    }
    const rows = () =>
      database.of(hostId).query<Row>(
        `SELECT source_text, status, error, extract(epoch FROM not_before - now())::float8 AS waits
           FROM search_embedding_t WHERE host_id = $1 ORDER BY model, source_text`,
        [hostId],
      );
    return { hostId, ids, rows };
  };

  const workerWith = (model: string, embed: EmbeddingProvider['embed']) =>
    new EmbeddingWorker(
      database,
      { profile: { ...lexicalProvider.profile, model }, embed },
      { quiet: () => Promise.resolve() },
    );

  const live = async (hostId: string): Promise<readonly string[]> =>
    (
      await database
        .of(hostId)
        .query<{ model: string }>('SELECT model FROM search_model_t WHERE host_id = $1', [hostId])
    ).map(({ model }) => model);

  test('a text that is refused holds up no other, and not the swap', async () => {
    const texts = Array.from({ length: 10 }, (_, index) => (index === 6 ? 'X' : `text ${String(index)}`));
    const { hostId, rows } = await hostWith('picky', texts);
    await workerWith('picky', (given) =>
      given.includes('X')
        ? Promise.reject(new TextFault('No X here.'))
        : Promise.resolve(given.map(lexicalVector)),
    ).work();
    const [refused, ...others] = (await rows()).sort((a, b) => (a.status < b.status ? -1 : 1));
    expect(refused).toMatchObject({ source_text: 'X', status: 'failed', error: 'No X here.' });
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 'ready'));
    expect(await live(hostId)).toEqual(['picky']);
  });

  test('a provider that asks to wait is left alone for as long', async () => {
    const { hostId, rows } = await hostWith('busy', ['a']);
    let calls = 0;
    const worker = workerWith('busy', () => {
      calls += 1;
      throw new ProviderFault('Too many.', true, 600_000);
    });
    await worker.work();
    const [row] = await rows();
    expect(row).toMatchObject({ status: 'failed', error: 'Too many.' });
    expect(row?.waits).toBeGreaterThan(500);
    await database
      .of(hostId)
      .query('UPDATE search_embedding_t SET not_before = NULL WHERE host_id = $1', [hostId]);
    await worker.work();
    expect(calls).toBe(1);
  });

  test('a text without a word is like nothing, and takes nothing from the others of its tool', async () => {
    const { hostId, ids } = await hostWith('lexical-hash-2', ['show the balance', '👍']);
    const [tool, alone] = ids;
    await database.of(hostId).query(
      `INSERT INTO search_embedding_t (host_id, kind, entity_id, source_field, source_hash, model, dimension, source_text)
         SELECT host_id, kind, $2, 'example', 'x', model, dimension, '👍' FROM search_embedding_t WHERE host_id = $1 LIMIT 1`,
      [hostId, tool],
    );
    await workerWith('lexical-hash-2', (given) => Promise.resolve(given.map(lexicalVector))).work();
    const vectors = new PromptVectors(database, lexicalProvider, () => undefined);
    const of = { kinds: ['tool'], ids } as const;
    const cosines = await vectors.cosines(hostId, await vectors.of(hostId, 'balance'), of);
    expect([cosines.get(tool ?? ''), cosines.has(alone ?? '')]).toEqual([expect.any(Number), false]);
    expect(cosines.get(tool ?? '')).toBeGreaterThan(0.3);
    expect(await vectors.cosines(hostId, await vectors.of(hostId, '👍'), of)).toEqual(new Map());
  });
});
