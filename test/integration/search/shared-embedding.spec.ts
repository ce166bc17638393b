import { randomUUID } from 'node:crypto';
import { lexicalVector } from '../../../packages/ranking/lexical-vector.js';
import { connectServer, type OpenDatabase } from '../../../src/platform/database/open-database.js';
import type { EmbeddingProvider } from '../../../src/search/embeddings/embedding.provider.js';
import { EmbeddingWorker } from '../../../src/search/embeddings/embedding.worker.js';
import { builtInProvider } from '../../../src/search/embeddings/built-in.provider.js';
import { eachDatabase, freshServerDatabase } from '../databases.js';
import { Tables } from '../effective-catalog/tables.js';

const hostId = randomUUID();
const texts = Array.from({ length: 30 }, (_, index) => `text ${String(index).padStart(2, '0')}`);
const profile = { ...builtInProvider.profile, model: 'shared', batch: 4 };

eachDatabase((open, kind) => {
  let instances: readonly [OpenDatabase, OpenDatabase];
  let close = (): Promise<void> => Promise.resolve();

  // The embedded database is one process's; of a PostgreSQL each instance has connections of its own.
  beforeAll(async () => {
    if (kind === 'embedded') {
      const database = await open();
      instances = [database, database];
      return;
    }
    const server = await freshServerDatabase();
    const both = (instances = [await connectServer(server.url, 2), await connectServer(server.url, 2)]);
    close = async () => {
      await Promise.all(both.map((instance) => instance.close()));
      await server.drop();
    };
  });
  afterAll(() => close());

  test('instances that work at once share the texts: each is embedded once', async () => {
    const [first] = instances;
    const tables = new Tables(first.asOwner, hostId);
    await tables.add('host_head_t', {});
    for (const text of texts) {
      const of = { kind: 'tool', entity_id: randomUUID(), source_field: 'text', source_hash: text };
      await tables.add('search_embedding_t', {
        ...of,
        model: 'shared',
        dimension: 384,
        source_text: text,
      });
    }
    const asked = instances.map((): string[] => []);
    let bothAreAtIt = (): void => undefined;
    const untilBothAre = new Promise<void>((resolve) => (bothAreAtIt = resolve));
    const embedFor =
      (own: string[]): EmbeddingProvider['embed'] =>
      async (given) => {
        own.push(...given);
        if (asked.every((each) => each.length > 0)) bothAreAtIt();
        await untilBothAre;
        return given.map(lexicalVector);
      };
    const workers = instances.map(
      (database, index) =>
        new EmbeddingWorker(
          database,
          { profile, embed: embedFor(asked[index] ?? []) },
          { whenIdle: () => Promise.resolve() },
        ),
    );
    await Promise.all(workers.map((worker) => worker.work()));
    expect(asked.flat().sort()).toEqual(texts);
    const rows = await first
      .of(hostId)
      .query<{ status: string; attempts: number }>(
        'SELECT DISTINCT status, attempts FROM search_embedding_t WHERE host_id = $1',
        [hostId],
      );
    expect(rows).toEqual([{ status: 'ready', attempts: 1 }]);
    expect(
      await first.of(hostId).query('SELECT model FROM search_model_t WHERE host_id = $1', [hostId]),
    ).toEqual([{ model: 'shared' }]);
  });
});
