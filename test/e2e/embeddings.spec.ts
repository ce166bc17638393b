import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { EmbeddingEndpoint } from '../embedding-endpoint.js';
import { bankOf } from './embedded-bank.js';
import { until } from '../until.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { newHome } from './home.js';
import { aKind } from './kinds.js';
import { launch } from './launch.js';
import { eachOwnServer, OwnServer } from './own-server.js';

interface Embedding {
  readonly kind: string;
  readonly name: string;
  readonly sourceField: string;
  readonly sourceHash: string;
  readonly model: string;
  readonly dimension: number;
  readonly status: string;
  readonly error: string | null;
  readonly embeddedAt: string | null;
}

async function importBank(server: OwnServer): Promise<void> {
  const api = { apiId: 'bank', apiName: 'Bank' };
  const version = { apiVersion: '1', serviceId: 'bank', envTag: 'dev' };
  const { status, text } = await server.api('POST', '/imports', {
    body: { api, version, document: bankOf(), publish: true },
  });
  if (status >= 300) throw new Error(text);
}

async function embeddings(server: OwnServer, query = ''): Promise<readonly Embedding[]> {
  const { body } = await server.api<{ items: readonly Embedding[] }>('GET', `/embeddings?limit=500${query}`);
  return body.items;
}

/** How many vectors stand in the index, and how many outside of it. */
const indexed = async (server: OwnServer): Promise<readonly number[]> => {
  const [row] = await server.app.get<Database>(DATABASE).asOwner.query<{ inside: number; outside: number }>(
    `SELECT count(*) FILTER (WHERE walked)::int AS inside, count(*) FILTER (WHERE NOT walked)::int AS outside
       FROM search_embedding_t WHERE status = 'ready'`,
  );
  return [row?.inside ?? 0, row?.outside ?? 0];
};

const search = (server: OwnServer, prompt: string) =>
  server.api<{
    items: { name: string; keywordScore: number; vectorScore: number | null }[];
    degraded?: string[];
  }>('POST', '/search', { body: { prompt, kinds: ['tool'] } });

describe('the built-in vectors', () => {
  eachOwnServer((server) => {
    test('are made by themselves, with all that says what they are', async () => {
      await importBank(server());
      await server().settled();
      const rows = await embeddings(server());
      expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'ready'));
      expect(rows.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(
        ['getBalance', 'listLoans', 'listTransfers']
          .flatMap((name) => [`endpoint ${name}`, `tool ${name}`])
          .sort(),
      );
      expect(rows[0]).toMatchObject({
        sourceField: 'text',
        sourceHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        model: 'english-words-2',
        dimension: 384,
        error: null,
        embeddedAt: expect.stringMatching(/Z$/),
      });
      const { body } = await search(server(), 'balance');
      expect(body).not.toHaveProperty('degraded');
      expect(body.items[0]).toMatchObject({ name: 'getBalance', vectorScore: expect.any(Number) });
      expect(await indexed(server())).toEqual([0, rows.length]);
    });

    test('of changed texts are made anew, of unchanged ones never', async () => {
      const before = await embeddings(server(), '&kind=tool');
      const { body } = await server().api<{ items: { name: string; toolId: string }[] }>('GET', '/tools');
      const toolId = body.items.find(({ name }) => name === 'getBalance')?.toolId ?? '';
      const patch = { description: 'Shows what is left.', examplePrompts: ['am I broke?', 'how rich am I?'] };
      await server().api('PATCH', `/tools/${toolId}`, { body: patch });
      await server().settled();
      const after = await embeddings(server(), '&kind=tool');
      expect(after).toHaveLength(5);
      const unchanged = (rows: readonly Embedding[]) => rows.filter(({ name }) => name !== 'getBalance');
      expect(unchanged(after)).toEqual(unchanged(before));
      const own = after.filter(({ name }) => name === 'getBalance');
      expect(own.map(({ sourceField }) => sourceField).sort()).toEqual(['example', 'example', 'text']);
      expect(before.map(({ sourceHash }) => sourceHash)).not.toContain(
        own.find(({ sourceField }) => sourceField === 'text')?.sourceHash,
      );
    });

    test('are not for narrowed tokens', async () => {
      const token = await server().token({ scope: 'catalog:read', maxSensitivityTier: 'internal' });
      expect((await server().api('GET', '/embeddings', { token })).status).toBe(403);
      expect((await server().api('GET', '/embeddings/progress', { token })).status).toBe(403);
    });
  });
});

const misbehaviours = [
  EmbeddingEndpoint.refuses(500),
  EmbeddingEndpoint.refuses(429, { 'retry-after': '3600' }),
  EmbeddingEndpoint.ofDimension(1536),
  EmbeddingEndpoint.halfABody,
  EmbeddingEndpoint.slow(3_600_000),
];

describe('vectors of an endpoint', () => {
  let endpoint: EmbeddingEndpoint;
  let server: OwnServer | undefined;
  beforeEach(async () => {
    endpoint = await EmbeddingEndpoint.start();
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await endpoint.stop();
  });

  const settings = () => ({
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_URL: endpoint.url,
    EMBEDDING_MODEL: 'meaning-1',
    EMBEDDING_TIMEOUT: '3000',
    OUTBOUND_ALLOW: '127.0.0.1',
  });

  async function start(): Promise<OwnServer> {
    return (server = await OwnServer.start(aKind, settings()));
  }

  test('find what no word finds; without them search goes on and says so', async () => {
    const own = await start();
    await importBank(own);
    await own.settled();
    const { body } = await search(own, 'am I rich?');
    expect(body.items[0]).toMatchObject({
      name: 'getBalance',
      keywordScore: 0,
      vectorScore: expect.any(Number),
    });
    expect(await indexed(own)).toEqual([(await embeddings(own)).length, 0]);
    for (const [index, misbehaves] of misbehaviours.entries()) {
      endpoint.answer = misbehaves;
      const degraded = await search(own, `which loans are there? ${index}`);
      expect([degraded.status, degraded.body.degraded]).toEqual([200, ['vectors']]);
      expect(degraded.body.items[0]).toMatchObject({ name: 'listLoans', vectorScore: null });
    }
    // What fails five times in a row is left alone for a while.
    const calls = endpoint.calls.length;
    expect((await search(own, 'any loans?')).body.degraded).toEqual(['vectors']);
    expect(endpoint.calls).toHaveLength(calls);
    // Known prompts need nobody.
    expect((await search(own, 'am I rich?')).body).toEqual(body);
  });

  test('count for an agent only where its catalog says what was embedded', async () => {
    const own = await start();
    await importBank(own);
    const ask = async <T = { id: string }>(method: string, path: string, body?: object): Promise<T> =>
      (await own.api<T>(method, path, body === undefined ? {} : { body })).body;
    const { items } = await ask<{ items: { name: string; toolId: string }[] }>('GET', '/tools');
    const { id: skillId } = await ask('POST', '/skills', { name: 'Archive', contentMarkdown: 'x' });
    for (const { name, toolId } of items) {
      const config = name === 'getBalance' ? { description: 'Gives a thing as told.' } : {};
      await ask('PUT', `/skills/${skillId}/tools/${toolId}`, { config });
    }
    await ask('POST', '/apis', { apiId: 'teller', apiName: 'teller' });
    const agent = { apiVersion: '1', apiType: 'agent', serviceId: 'accounts', envTag: 'dev' };
    const { id: agentDefId } = await ask('POST', '/apis/teller/versions', agent);
    await ask('PUT', `/agents/${agentDefId}`, {});
    await ask('POST', `/agents/${agentDefId}/skills`, { skills: [{ skillId }] });
    await own.settled();
    const question = { prompt: 'a thing, rich of credit', agentDefId, kinds: ['tool', 'skill'] };
    const found = await ask<{ items: { name: string; vectorScore: number | null }[] }>(
      'POST',
      '/search',
      question,
    );
    const scores = Object.fromEntries(found.items.map(({ name, vectorScore }) => [name, vectorScore]));
    expect(scores).toEqual({ getBalance: null, listLoans: expect.any(Number) });
  });

  test('that fail say why, and are tried again', async () => {
    const own = await start();
    endpoint.answer = EmbeddingEndpoint.refuses(400);
    await importBank(own);
    const failed = await until(
      () => embeddings(own, '&status=failed'),
      (rows) => rows.length === 6,
    );
    expect(failed[0]).toMatchObject({ error: 'The embedding endpoint answered 400.', embeddedAt: null });
    endpoint.answer = EmbeddingEndpoint.wellBehaved;
    await own.settled();
  });

  test('of another dimension are refused at start, which leaves no database open', async () => {
    endpoint.answer = EmbeddingEndpoint.ofDimension(1536);
    const home = await newHome('embedded');
    await expect(launch(home, settings(), process.stderr)).rejects.toThrow('1536 dimensions');
    const { directory } = home;
    const database = await openDatabase({ directory });
    await database.close();
    await home.raze();
  });
});
