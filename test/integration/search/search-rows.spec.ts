import { randomUUID } from 'node:crypto';
import { until } from '../../until.js';
import { lexicalVector } from '../../../packages/ranking/lexical-vector.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import type { Visibility } from '../../../src/platform/auth/visibility.js';
import { neighbourhoodOf } from '../../../src/search/documents/catalog-documents.js';
import { corpusStatistics, relatedStatement } from '../../../src/search/host-search/host-search.queries.js';
import { holdFollower, nearStatement } from '../../../src/search/embeddings/embeddings.statement.js';
import { keepDocuments, searchDocuments } from '../../../src/search/documents/search-documents.follower.js';
import { toolDocument, type ToolSource } from '../../../src/search/documents/search-document.js';
import { visibleDocuments } from '../../../src/search/documents/search-documents.filter.js';
import { EmbeddingWorker } from '../../../src/search/embeddings/embedding.worker.js';
import {
  type EmbeddingProvider,
  ProviderFault,
  TextFault,
} from '../../../src/search/embeddings/embedding.provider.js';
import { builtInProvider } from '../../../src/search/embeddings/built-in.provider.js';
import { PromptVectors } from '../../../src/search/embeddings/prompt-vectors.service.js';
import { eachDatabase } from '../databases.js';
import { Tables } from '../effective-catalog/tables.js';

interface Row {
  readonly model: string;
  readonly source_text: string;
  readonly status: string;
  readonly error: string | null;
  readonly waits: number | null;
}

eachDatabase((open, kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  /** Each of a tool of its own; their ids. */
  const addTexts = async (hostId: string, model: string, texts: readonly string[]): Promise<string[]> => {
    const tables = new Tables(database.asOwner, hostId);
    const ids = texts.map(() => randomUUID());
    for (const [index, text] of texts.entries()) {
      const own = { kind: 'tool', entity_id: ids[index], source_field: 'text', source_hash: text };
      await tables.add('search_embedding_t', { ...own, model, dimension: 384, source_text: text });
    }
    return ids;
  };

  const hostWith = async (model: string, texts: readonly string[]) => {
    const hostId = randomUUID();
    await new Tables(database.asOwner, hostId).add('host_head_t', {});
    const ids = await addTexts(hostId, model, texts);
    const rows = () =>
      database.of(hostId).query<Row>(
        `SELECT model, source_text, status, error, extract(epoch FROM not_before - now())::float8 AS waits
           FROM search_embedding_t WHERE host_id = $1 ORDER BY model, source_text`,
        [hostId],
      );
    return { hostId, ids, rows };
  };

  const workerWith = (model: string, embed: EmbeddingProvider['embed'], alone = false) =>
    new EmbeddingWorker(
      database,
      { profile: { ...builtInProvider.profile, model, alone }, embed },
      { whenIdle: () => Promise.resolve() },
    );

  const lexically = (given: readonly string[]) => Promise.resolve(given.map(lexicalVector));

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
    const { hostId, ids } = await hostWith(builtInProvider.profile.model, ['show the balance', '👍']);
    const [tool, alone] = ids;
    await database.of(hostId).query(
      `INSERT INTO search_embedding_t (host_id, kind, entity_id, source_field, source_hash, model, dimension, source_text)
         SELECT host_id, kind, $2, 'example', 'x', model, dimension, '👍' FROM search_embedding_t WHERE host_id = $1 LIMIT 1`,
      [hostId, tool],
    );
    await workerWith(builtInProvider.profile.model, builtInProvider.embed.bind(builtInProvider)).work();
    const vectors = new PromptVectors(database, builtInProvider, () => undefined);
    const of = { kinds: ['tool'], ids } as const;
    const cosines = await vectors.cosines(hostId, await vectors.of(hostId, 'balance'), of);
    const none = { cosine: undefined, exampleCosine: undefined };
    expect([cosines.get(tool ?? ''), cosines.get(alone ?? '')]).toEqual([
      { ...none, cosine: expect.any(Number) as number },
      none,
    ]);
    expect(cosines.get(tool ?? '')?.cosine).toBeGreaterThan(0.3);
    expect([...(await vectors.cosines(hostId, await vectors.of(hostId, '👍'), of)).values()]).toEqual([
      none,
      none,
    ]);
  });

  test('an instance that a newer model has overtaken makes none of its vectors again, and hands over what it has', async () => {
    const { hostId, rows } = await hostWith('former', ['a', 'b']);
    const former = workerWith('former', lexically);
    await former.work();
    await workerWith('latter', lexically).work();
    expect(await live(hostId)).toEqual(['latter']);
    await former.lookForOtherModels();
    expect((await rows()).map(({ model }) => model)).toEqual(['latter', 'latter']);
    // What its follower has taken in since.
    await addTexts(hostId, 'former', ['c']);
    await former.lookForOtherModels();
    expect((await rows()).map(({ model, source_text: text }) => [model, text])).toEqual([
      ['latter', 'a'],
      ['latter', 'b'],
      ['latter', 'c'],
    ]);
  });

  test('vectors that an instance has stored where no search walks are brought there by one whose searches do', async () => {
    const { hostId } = await hostWith('meaning', ['a', 'b']);
    const walked = async (): Promise<boolean[]> =>
      (
        await database
          .of(hostId)
          .query<{ walked: boolean }>('SELECT walked FROM search_embedding_t WHERE host_id = $1', [hostId])
      ).map((row) => row.walked);
    // As also one does that is older than these walks.
    await workerWith('meaning', lexically).work();
    await workerWith('meaning', lexically).work();
    expect(await walked()).toEqual([false, false]);
    await workerWith('meaning', lexically, true).work();
    expect(await walked()).toEqual([true, true]);
  });

  if (kind === 'server') {
    test('a text that is replaced while a new model comes is not kept for that', async () => {
      const { hostId, rows } = await hostWith('known', ['old words']);
      await new Tables(database.asOwner, hostId).add('checkpoint_t', { follower: searchDocuments });
      const worker = workerWith('coming', lexically);
      let working: Promise<void> | undefined;
      await database.of(hostId).transaction(async (tx) => {
        await tx.query(holdFollower, [hostId, searchDocuments]);
        working = worker.work();
        await Promise.race([working, someoneWaits()]);
        await tx.query(
          `UPDATE search_embedding_t SET source_text = 'new words', source_hash = 'new' WHERE host_id = $1`,
          [hostId],
        );
      });
      await working;
      expect((await rows()).map(({ source_text: text }) => text)).toEqual(['new words']);
    });
  }

  /** Until a session of this database waits for a lock. */
  async function someoneWaits(): Promise<void> {
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await until(
      () => database.asOwner.query(waiting),
      (sessions) => sessions.length > 0,
    );
  }

  describe('documents', () => {
    const hostId = randomUUID();
    const versions = { mine: randomUUID(), other: randomUUID() };
    const reader: Visibility = { hostId, services: ['mine'], environments: ['dev'], tiers: 'all' };
    const embedded = { model: 'm', dimension: 384, fields: ['name'] } as const;
    const tools: Record<string, string> = {};

    const add = async (
      name: string,
      service: 'mine' | 'other',
      more: Partial<ToolSource> = {},
    ): Promise<void> => {
      const id = (tools[name] = randomUUID());
      const row: ToolSource = {
        ...{ tool_id: id, name, description: '', implementation_type: 'lightapi_endpoint', input_schema: {} },
        ...{
          example_prompts: [],
          document_prompts: null,
          service_id: service,
          env_tag: 'dev',
          source_protocol: 'openapi',
        },
        ...{
          lifecycle_status: 'active',
          tool_metadata: {},
          api_id: service,
          api_version_id: versions[service],
        },
        ...{ endpoint: `/${name}@get`, endpoint_name: name, endpoint_path: `/${name}` },
        ...{ lightapi: null, tags: null, categories: null, ...more },
      };
      await database.of(hostId).transaction(async (tx) => {
        await keepDocuments(tx, { hostId, kind: 'tool', ids: [id], position: 1, embedded }, [
          toolDocument(hostId, row),
        ]);
      });
    };

    test('of other services neither count nor tell how a word is spelt', async () => {
      await add('getBalance', 'mine');
      const question = { prompt: `${'filler '.repeat(3)}balance trasnfer`, kinds: ['tool'] } as const;
      const statistics = async (visibility: Visibility) => {
        const { documents, frequency, vocabulary } = (
          await corpusStatistics(database.of(hostId), visibility, question)
        )('tool');
        return [documents, frequency('balanc'), vocabulary];
      };
      const before = await statistics(reader);
      expect(before).toEqual([1, 1, []]);
      await add('transferBalance', 'other');
      expect(await statistics(reader)).toEqual(before);
      expect(await statistics({ ...reader, environments: ['prod'] })).toEqual([0, 0, []]);
      expect(await statistics({ ...reader, services: 'all' })).toEqual([2, 2, ['transf']]);
      const tiers = ['public', 'internal'] as const;
      expect(await statistics({ ...reader, services: 'all', tiers })).toEqual([2, 2, ['transf']]);
    });

    test('are known by every word of a long prompt', async () => {
      const prompt = `${Array.from({ length: 500 }, (_, index) => `w${index}x`).join(' ')} balance`;
      const statistics = await corpusStatistics(database.of(hostId), reader, { prompt, kinds: ['tool'] });
      expect(statistics('tool').frequency('balanc')).toBe(1);
    });

    test('are referred to within their API version; what is hidden there is not named, nor another in its place', async () => {
      await add('mine', 'mine', { endpoint: '/same@get' });
      await add('other', 'other', { endpoint: '/same@get' });
      await add('hidden', 'mine', {
        ...{ endpoint: '/hidden@get', tool_metadata: { routing: { sensitivityTier: 'restricted' } } },
      });
      await add('foreign', 'other', { endpoint: '/hidden@get' });
      const where = visibleDocuments({ ...reader, services: 'all', tiers: ['public', 'internal'] });
      const statement = relatedStatement(where.sql(), where.values.length + 1);
      const asked = [...where.values, ['/same@get', '/hidden@get', '/getBalance@get'], []];
      const around = neighbourhoodOf(await database.of(hostId).query(statement, asked));
      const named = (key: string, version: string) => around.byEndpoint(key, version).map(({ name }) => name);
      expect(named('/same@get', versions.mine)).toEqual(['mine']);
      expect(named('/same@get', versions.other)).toEqual(['other']);
      expect(named('/hidden@get', versions.mine)).toEqual([]);
      expect(named('/hidden@get', versions.other)).toEqual(['foreign']);
      expect(named('/getBalance@get', versions.other)).toEqual(['getBalance']);
    });

    test('of which one has many examples leave room for the others among the nearest', async () => {
      const near = `[1${',0'.repeat(383)}]`;
      const less = `[1,1${',0'.repeat(382)}]`;
      const vectorOf = async (tool: string, source_hash: string, embedding: string): Promise<void> => {
        const made = { kind: 'tool', entity_id: tools[tool], source_field: 'example', source_hash };
        const rest = {
          model: 'near',
          dimension: 384,
          source_text: '',
          status: 'ready',
          walked: true,
          embedding,
        };
        await new Tables(database.asOwner, hostId).add('search_embedding_t', { ...made, ...rest });
      };
      for (let index = 0; index < 10; index += 1) await vectorOf('mine', String(index), near);
      await vectorOf('other', '0', less);
      await vectorOf('foreign', '0', less);
      for (const exact of [true, false]) {
        const rows = await database
          .of(hostId)
          .query<{ name: string }>(nearStatement('WHERE (d.host_id = $1)', 2, exact), [
            hostId,
            'near',
            near,
            3,
          ]);
        expect(rows.map(({ name }) => name).sort()).toEqual(['foreign', 'mine', 'other']);
      }
    });
  });
});
