import { eachServer, hostId, type TestServer } from './server.js';

interface Evaluation {
  readonly id: string;
  readonly dataSet: string;
  readonly metrics: { readonly prompts: number; readonly hit1: number; readonly forbiddenHits: number };
  readonly confusions: readonly {
    readonly expected: string;
    readonly found: string;
    readonly times: number;
  }[];
  readonly results: readonly { readonly prompt: string; readonly rank: number | null }[];
  readonly comparison?: { readonly better: readonly object[]; readonly worse: readonly object[] };
}

const path = (operationId: string, description: string): object => ({
  get: { operationId, description, responses: { 200: { description: 'ok' } } },
});

const bank = {
  openapi: '3.1.0',
  info: { title: 'Bank', version: '1' },
  paths: {
    '/balance': path('getBalance', 'Shows the balance of an account.'),
    '/transfers': path('listTransfers', 'Lists transfers of money.'),
  },
};

const rows = [
  { prompt: 'what is my balance?', expect: ['getBalance'] },
  { prompt: 'am I short of money?', expect: ['getBalance'], forbid: ['listTransfers'] },
];

async function importBank(server: TestServer): Promise<void> {
  const api = { apiId: 'bank', apiName: 'Bank' };
  const version = { apiVersion: '1', serviceId: 'bank', envTag: 'dev' };
  const { status, text } = await server.api('POST', '/imports', {
    body: { api, version, document: bank, publish: true },
  });
  if (status >= 300) throw new Error(text);
}

eachServer((server) => {
  const run = async (body: object, token?: string) => {
    await server().settled();
    return server().api<Evaluation>('POST', '/evaluations', { body, ...(token !== undefined && { token }) });
  };
  const teach = (prompts: readonly string[], mode = 'add') =>
    server().api('POST', '/tools/examples', { body: { items: [{ toolName: 'getBalance', prompts }], mode } });

  beforeAll(() => importBank(server()));

  test('a run says how well prompts are met, and is kept', async () => {
    const { status, body } = await run({ rows });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      dataSet: '',
      metrics: { prompts: 2, hit1: 0.5, mrr: 0.5, forbiddenHits: 1, latency: { p50: expect.any(Number) } },
      confusions: [
        { expected: 'getBalance', found: 'listTransfers', times: 1, prompt: 'am I short of money?' },
      ],
    });
    expect((await server().api('GET', `/evaluations/${body.id}`)).body).toEqual(body);
    const { body: list } = await server().api<{ items: { id: string }[] }>('GET', '/evaluations');
    expect(list.items.map(({ id }) => id)).toContain(body.id);
  });

  test('a data set is kept by name, and two runs of it are compared', async () => {
    expect((await server().api('PUT', '/evaluation-sets/tellers', { body: { rows } })).status).toBe(200);
    const { body: sets } = await server().api<{ items: object[] }>('GET', '/evaluation-sets');
    expect(sets.items).toEqual([expect.objectContaining({ name: 'tellers', rowCount: 2 })]);
    const before = await run({ dataSet: 'tellers' });
    await teach(['am I short of money', 'am I broke']);
    const after = await run({ dataSet: 'tellers', compareWith: before.body.id });
    expect(after.body).toMatchObject({ dataSet: 'tellers', metrics: { hit1: 1 } });
    expect(after.body.comparison).toEqual({
      better: [{ prompt: 'am I short of money?', before: null, now: 1 }],
      worse: [],
    });
  });

  test('the catalog is its own test', async () => {
    await teach(['list my transfers'], 'replace');
    const { body } = await run({ self: true });
    expect(body.results).toEqual([expect.objectContaining({ prompt: 'list my transfers', rank: 2 })]);
    expect(body.confusions).toEqual([
      expect.objectContaining({ expected: 'getBalance', found: 'listTransfers' }),
    ]);
  });

  test('asks one agent’s catalog alone', async () => {
    const other = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e99';
    expect((await run({ rows, agentDefId: other })).status).toBe(404);
  });

  test('is for those who may browse, and a run for those who reach the same', async () => {
    const { body } = await run({ rows });
    const narrowed = await server().token({ scope: 'catalog:read', maxSensitivityTier: 'internal' });
    expect((await run({ rows }, narrowed)).status).toBe(403);
    expect((await run({ rows }, await server().token({ scope: 'catalog:agent' }))).status).toBe(403);
    const elsewhere = await server().token({ sid: 'other', scope: 'catalog:read' });
    expect((await server().api('GET', `/evaluations/${body.id}`, { token: elsewhere })).status).toBe(404);
    const foreign = await server().token({ host: hostId.replace('01', '02') });
    expect((await run({ rows }, foreign)).status).toBe(403);
  });

  test('says what is wrong with a request', async () => {
    expect((await run({})).status).toBe(400);
    expect((await run({ rows, self: true })).status).toBe(400);
    expect((await run({ rows: [{ prompt: 'x' }] })).status).toBe(400);
    expect((await run({ dataSet: 'unknown' })).status).toBe(404);
    expect((await run({ rows, compareWith: hostId })).status).toBe(404);
  });
});
