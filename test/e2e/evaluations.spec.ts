import { v7 } from 'uuid';
import { eachServer, hostId, type Server } from './server.js';

interface Evaluation {
  readonly id: string;
  readonly dataSet: string;
  readonly position: number;
  readonly metrics: { readonly prompts: number; readonly hit1: number; readonly forbiddenHits: number };
  readonly confusions: readonly {
    readonly expected: string;
    readonly found: string;
    readonly times: number;
  }[];
  readonly results: readonly { readonly prompt: string; readonly rank: number | null }[];
  readonly comparison?: {
    readonly compared: number;
    readonly better: readonly object[];
    readonly worse: readonly object[];
  };
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

async function importBank(server: Server): Promise<void> {
  const api = { apiId: 'bank', apiName: 'Bank' };
  const version = { apiVersion: '1', serviceId: 'bank', envTag: 'dev' };
  const { status, text } = await server.api('POST', '/imports', {
    body: { api, version, document: bank, publish: true },
  });
  if (status >= 300) throw new Error(text);
}

/** An agent that is given both tools. */
async function tellerOf(server: Server, apiId: string, serviceId = 'bank'): Promise<{ agentDefId: string }> {
  const ask = async <T>(method: string, at: string, body: object = {}): Promise<T> =>
    (await server.api<T>(method, at, method === 'GET' ? {} : { body })).body;
  const { items } = await ask<{ items: { toolId: string }[] }>('GET', '/tools');
  const { id: skillId } = await ask<{ id: string }>('POST', '/skills', { name: apiId, contentMarkdown: 'x' });
  for (const { toolId } of items) await ask('PUT', `/skills/${skillId}/tools/${toolId}`);
  await ask('POST', '/apis', { apiId, apiName: apiId });
  const version = { apiVersion: '1', apiType: 'agent', serviceId, envTag: 'dev' };
  const { id: agentDefId } = await ask<{ id: string }>('POST', `/apis/${apiId}/versions`, version);
  await ask('PUT', `/agents/${agentDefId}`, { maxSensitivityTier: 'internal' });
  await ask('POST', `/agents/${agentDefId}/skills`, { skills: [{ skillId }] });
  return { agentDefId };
}

eachServer((server) => {
  const run = (body: object, token?: string) =>
    server().api<Evaluation>('POST', '/evaluations', { body, ...(token !== undefined && { token }) });
  const teach = (prompts: readonly string[], mode = 'add') =>
    server().api('POST', '/tools/examples', { body: { items: [{ toolName: 'getBalance', prompts }], mode } });

  beforeAll(() => importBank(server()));

  test('a run says how well prompts are met, and is kept', async () => {
    const { status, body } = await run({ rows });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      dataSet: '',
      metrics: {
        ...{ prompts: 2, hit1: 0.5, mrr: 0.5, forbiddenHits: 1, latency: { p50: expect.any(Number) } },
        intervals: { hit1: { low: 0, high: 1 } },
      },
      confusions: [
        { expected: 'getBalance', found: 'listTransfers', times: 1, prompt: 'am I short of money?' },
      ],
    });
    expect((await server().api('GET', `/evaluations/${body.id}`)).body).toEqual(body);
    const { body: list } = await server().api<{ items: { id: string }[] }>('GET', '/evaluations');
    expect(list.items.map(({ id }) => id)).toContain(body.id);
  });

  test('is not run again under its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'nightly' };
    const once = (body: object) => server().api<Evaluation>('POST', '/evaluations', { body, headers });
    const first = await once({ rows });
    const again = await once({ rows });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await once({ rows: rows.slice(1) })).status).toBe(422);
    const { body: list } = await server().api<{ items: { id: string }[] }>('GET', '/evaluations?limit=500');
    expect(list.items.filter(({ id }) => id === first.body.id)).toHaveLength(1);
  });

  test('a data set is kept by name, and two runs of it are compared', async () => {
    expect((await server().api('PUT', '/evaluation-sets/tellers', { body: { rows } })).status).toBe(200);
    const { body: sets } = await server().api<{ items: object[] }>('GET', '/evaluation-sets');
    expect(sets.items).toEqual([expect.objectContaining({ name: 'tellers', rowCount: 2 })]);
    const whole = await server().api('GET', '/evaluation-sets/tellers');
    expect(whole.body).toEqual({ ...sets.items[0], rows });
    expect((await server().api('GET', '/evaluation-sets/unknown')).status).toBe(404);
    for (const list of ['/evaluation-sets', '/evaluations', '/embeddings']) {
      expect((await server().api('GET', `${list}?active=all`)).status).toBe(200);
      expect((await server().api('GET', `${list}?active=false`)).body).toEqual({ items: [] });
    }
    const before = await run({ dataSet: 'tellers' });
    await teach(['am I short of money', 'am I broke']);
    const after = await run({ dataSet: 'tellers', compareWith: before.body.id });
    expect(after.body).toMatchObject({ dataSet: 'tellers', metrics: { hit1: 1 } });
    expect(after.body.comparison).toMatchObject({
      compared: 2,
      better: [{ prompt: 'am I short of money?', before: null, now: 1 }],
      worse: [],
      differences: { hit1: { difference: 0.5, low: 0, high: 1 } },
      flips: { gained: 1, lost: 0 },
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

  test('its own prompts are of the service that is asked', async () => {
    expect((await run({ self: true, serviceId: 'bank' })).body.metrics.prompts).toBe(1);
    expect((await run({ self: true, serviceId: 'other' })).status).toBe(404);
  });

  test('an agent’s tools are asked whoever provides them', async () => {
    const { agentDefId } = await tellerOf(server(), 'branch', 'branch');
    const own = await server().token({ sid: 'branch', scope: 'catalog:read' });
    const { status, body } = await run({ self: true, agentDefId }, own);
    expect([status, body.metrics.prompts]).toEqual([201, 1]);
  });

  test('asks one agent’s catalog alone', async () => {
    const other = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e99';
    expect((await run({ rows, agentDefId: other })).status).toBe(404);
  });

  test('asks it as it was', async () => {
    const { agentDefId } = await tellerOf(server(), 'teller');
    const { body: now } = await run({ rows, agentDefId });
    expect(now.metrics.hit1).toBe(0.5);
    await teach(['am I short of money'], 'replace');
    expect((await run({ rows, agentDefId })).body.metrics.hit1).toBe(1);
    const past = await run({ rows, agentDefId, asOf: String(now.position) });
    expect(past.status).toBe(201);
    expect(past.body).toMatchObject({ metrics: { hit1: 0.5 }, position: expect.any(Number) });
    expect(past.body.position).toBeLessThanOrEqual(now.position);
    const reader = await server().token({ scope: 'catalog:read' });
    expect((await run({ rows, agentDefId, asOf: '1' }, reader)).status).toBe(403);
    const self = await run({ self: true, agentDefId, asOf: now.position });
    expect(self.body.results.map(({ prompt }) => prompt)).toEqual(['list my transfers']);
  });

  test('asks all of the host as it was', async () => {
    await teach(['am I short of money'], 'replace');
    const { body: now } = await run({ rows });
    await teach(['what is left'], 'replace');
    expect((await run({ rows })).body.metrics.hit1).toBe(0.5);
    const past = await run({ rows, asOf: now.position, compareWith: now.id });
    expect(past.body).toMatchObject({ position: now.position, metrics: { hit1: 1 } });
    expect(past.body.comparison).toMatchObject({ compared: 2, better: [], worse: [] });
    const self = await run({ self: true, asOf: String(now.position) });
    expect(self.body.results.map(({ prompt }) => prompt)).toEqual(['am I short of money']);
    expect((await run({ rows, asOf: 1 })).body.metrics.hit1).toBe(0);
    expect((await run({ rows, asOf: now.position, serviceId: 'other' })).body.metrics.hit1).toBe(0);
    expect((await run({ rows, asOf: 1_000_000 })).status).toBe(400);
    const elsewhere = await server().token({ sid: 'other', scope: 'catalog:read catalog:admin' });
    expect((await run({ rows, asOf: now.position }, elsewhere)).body.metrics.hit1).toBe(0);
    const reader = await server().token({ scope: 'catalog:read' });
    expect((await run({ rows, asOf: '1' }, reader)).status).toBe(403);
  });

  describe('as an import would leave the catalog', () => {
    const version = { apiVersion: '1', serviceId: 'bank', envTag: 'dev' };
    const imported = (paths: object) => ({
      ...{ api: { apiId: 'bank' }, version, publish: true },
      document: { ...bank, paths },
    });
    const overdraft = path('getOverdraft', 'Says whether you are short of money.');
    const asked = [{ prompt: 'am I short of money?', expect: ['getOverdraft'] }];
    const position = async () => {
      const { body } = await server().api<{ items: { position: number }[] }>('GET', '/events?limit=500');
      return body.items.at(-1)?.position;
    };
    beforeAll(() => teach(['show my balance'], 'replace'));

    test('finds what would be there, and leaves no trace', async () => {
      const before = await position();
      const { status, body } = await run({
        rows: asked,
        import: imported({ ...bank.paths, '/overdraft': overdraft }),
      });
      expect([status, body.metrics.hit1]).toEqual([201, 1]);
      expect(await position()).toBe(before);
      expect((await run({ rows: asked })).body.metrics.hit1).toBe(0);
      const { body: tools } = await server().api<{ items: { name: string }[] }>('GET', '/tools');
      expect(tools.items.map(({ name }) => name).sort()).toEqual(['getBalance', 'listTransfers']);
    });

    test('does not find what would be gone, and compares with what is', async () => {
      const row = [{ prompt: 'list transfers', expect: ['listTransfers'] }];
      const now = await run({ rows: row });
      const then = await run({
        rows: row,
        import: imported({ '/balance': bank.paths['/balance'] }),
        compareWith: now.body.id,
      });
      expect(then.body.comparison?.worse).toEqual([{ prompt: 'list transfers', before: 1, now: null }]);
    });

    test('asks one agent, who is given no new tool, but hears new words', async () => {
      const { agentDefId } = await tellerOf(server(), 'second');
      const paths = {
        '/balance': path('getBalance', 'Says whether you are short of money.'),
        '/overdraft': overdraft,
      };
      const { body } = await run({ rows: [{ ...rows[1] }, ...asked], agentDefId, import: imported(paths) });
      expect(body.results.map(({ rank }) => rank)).toEqual([1, null]);
    });

    test('lets its tools ask for themselves', async () => {
      const body = { self: true, import: imported({ ...bank.paths, '/overdraft': overdraft }) };
      expect((await run(body)).body.metrics.prompts).toBeGreaterThan(0);
    });

    test('is for those who may import, and says what is wrong with the document', async () => {
      const reader = await server().token({ scope: 'catalog:read' });
      expect((await run({ rows, import: imported(bank.paths) }, reader)).status).toBe(403);
      const broken = { ...imported({}), document: 'openapi: [' };
      expect((await run({ rows, import: broken })).status).toBe(400);
      const agentDefId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e99';
      const past = await run({ rows, agentDefId, asOf: '1', import: imported({}) });
      expect(past.status).toBe(400);
      const elsewhere = { ...imported(bank.paths), version: { ...version, serviceId: 'other' } };
      const narrow = await server().token({ sid: 'bank', scope: 'catalog:read catalog:write' });
      expect((await run({ rows, import: elsewhere }, narrow)).status).toBe(403);
    });
  });

  test('is for those who may browse, and a run for those who reach the same', async () => {
    const { body } = await run({ rows });
    const narrowed = await server().token({ scope: 'catalog:read', maxSensitivityTier: 'internal' });
    expect((await run({ rows }, narrowed)).status).toBe(403);
    expect((await run({ rows }, await server().token({ scope: 'catalog:agent' }))).status).toBe(403);
    const elsewhere = await server().token({ sid: 'other', scope: 'catalog:read' });
    expect((await server().api('GET', `/evaluations/${body.id}`, { token: elsewhere })).status).toBe(404);
    const foreign = await server().token({ host: v7() });
    expect((await run({ rows }, foreign)).status).toBe(403);
  });

  test('a data set and a run are gone when they are deleted, by those who may', async () => {
    const reader = await server().token({ scope: 'catalog:read' });
    await server().api('PUT', '/evaluation-sets/old', { body: { rows } });
    const { body } = await run({ dataSet: 'old' });
    for (const [path, shown] of [
      ['/evaluation-sets/old', { name: 'old', rowCount: 2 }],
      [`/evaluations/${body.id}`, { id: body.id, dataSet: 'old' }],
    ] as const) {
      expect((await server().api('DELETE', path, { token: reader })).status).toBe(403);
      const gone = await server().api('DELETE', path);
      expect([gone.status, gone.body]).toEqual([200, expect.objectContaining(shown)]);
      expect((await server().api('GET', path)).status).toBe(404);
      expect((await server().api('DELETE', path)).status).toBe(404);
    }
  });

  test('says what is wrong with a request', async () => {
    expect((await run({})).status).toBe(400);
    expect((await run({ rows, self: true })).status).toBe(400);
    expect((await run({ rows: [{ prompt: 'x' }] })).status).toBe(400);
    expect((await run({ dataSet: 'unknown' })).status).toBe(404);
    expect((await run({ rows, compareWith: hostId })).status).toBe(404);
  });
});
