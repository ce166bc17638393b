import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Logger } from '@nestjs/common';
import { Invalid } from '../kernel/errors.js';
import { ImportPool, type PoolLimits } from './import-pool.js';
import type { ReadTask } from './read-import.worker.js';

const HOST = 'host';
const pools: ImportPool[] = [];

function newPool(limits: Partial<PoolLimits> = {}): ImportPool {
  const pool = new ImportPool(limits);
  pools.push(pool);
  return pool;
}

afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

/** Processes that were started. */
const children: ChildProcess[] = [];
subscribe('child_process', (message) => {
  children.push((message as { process: ChildProcess }).process);
});

const operations = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `/things/${String(index)}/{id}`,
      { get: { description: 'x'.repeat(2_000) } },
    ]),
  );

const asText = (document: object, more: Partial<ReadTask> = {}): ReadTask => ({
  body: new TextEncoder().encode(JSON.stringify(document)),
  mediaType: 'application/json',
  holds: 'document?',
  ...more,
});

describe('ImportPool', () => {
  it('gives what the document holds', async () => {
    const { document, envelope } = await newPool().read(
      asText({ openapi: '3.1.0', paths: operations(1_500) }),
      HOST,
    );
    expect(envelope).toEqual({});
    expect(document?.format).toBe('openapi');
    expect(document?.offers).toHaveLength(1_500);
    expect(new Set(document?.offers.map(({ endpoint }) => endpoint)).size).toBe(1_500);
  });

  it('reads an envelope apart from the document in it', async () => {
    const body = { api: { apiId: 'a' }, dryRun: true, document: 'openapi: 3.1.0\npaths: {}\n' };
    const { envelope, document } = await newPool().read(asText(body, { holds: 'document' }), HOST);
    expect(envelope).toEqual({ api: { apiId: 'a' }, dryRun: true });
    expect(document).toMatchObject({ format: 'openapi', offers: [] });
  });

  it('tells of members that stand twice in a document that is part of the body', async () => {
    const text = '{"api":{"a":1,"a":2},"document":{"openapi":"3.1.0","paths":{"/a":{},"/a":{}}}}';
    const task = { ...asText({}, { holds: 'document' }), body: new TextEncoder().encode(text) };
    const { document } = await newPool().read(task, HOST);
    expect(document?.warnings).toMatchObject([{ code: 'duplicate_member', pointer: '/paths/~1a' }]);
  });

  it('reads what is stored as it was read when it came: YAML in braces too', async () => {
    const pool = newPool();
    const body = new TextEncoder().encode('{openapi: 3.1.0, paths: {/a: {get: {}}}}');
    const { document } = await pool.read({ body, mediaType: 'application/yaml', holds: 'document?' }, HOST);
    const again = await pool.read({ body: document?.spec ?? '', mediaType: '', holds: 'packed' }, HOST);
    expect(again.document?.digest).toBe(document?.digest);
    expect(again.document?.offers).toHaveLength(1);
  });

  it('keeps nothing under a key that is too long for an index', async () => {
    const long = 'x'.repeat(1_100);
    const of = (more: object) => ({ protocol: 'http', method: 'GET', endpoint: '/a', ...more });
    const operations = {
      a: of({ endpointId: `shop/${long}` }),
      b: of({ endpointId: 'shop/b', metadata: { portalEndpoint: long } }),
      c: of({ endpointId: 'shop/c', endpoint: `/${long}` }),
    };
    const info = { title: 'A', version: '1', namespace: 'shop' };
    const { document } = await newPool().read(asText({ lightapi: '0.1.0', info, operations }), HOST);
    expect(document?.warnings.map(({ code }) => code)).toEqual(['operation_skipped']);
    const found = document?.enrichment?.operations.map(({ key, named, called }) => ({ key, named, called }));
    expect(found).toEqual([{ key: 'shop/b', called: '/a@get' }, { key: 'shop/c' }]);
  });

  it('refuses a document in the result, and a body that is none by Invalid', async () => {
    const pool = newPool();
    const refused = await pool.read(asText({ document: '{"openapi": ' }, { holds: 'document' }), HOST);
    expect(refused.refusal).toMatchObject({
      code: 'malformed_json',
      detail: expect.stringContaining('line 1'),
    });
    const broken = pool.read(
      {
        body: new TextEncoder().encode('{"document": '),
        mediaType: 'application/json',
        holds: 'document',
      },
      HOST,
    );
    await expect(broken).rejects.toBeInstanceOf(Invalid);
    const endless = pool.read(
      asText({ document: {}, junk: 'x'.repeat(300_000) }, { holds: 'document' }),
      HOST,
    );
    await expect(endless).rejects.toMatchObject({ code: 'invalid_body' });
  });

  it('uses a worker again, and several where there is more to do than one can', async () => {
    const pool = newPool({ workers: 2 });
    const results = await Promise.all(
      [1, 2, 3, 4, 5].map((count) => pool.read(asText({ openapi: '3.1.0', paths: operations(count) }), HOST)),
    );
    expect(results.map(({ document }) => document?.offers.length)).toEqual([1, 2, 3, 4, 5]);
  });

  it('ends what takes too long, and goes on with a new worker', async () => {
    const pool = newPool({ workers: 1, timeMs: 20 });
    await expect(
      pool.read(asText({ openapi: '3.1.0', paths: operations(2_000) }), HOST),
    ).rejects.toMatchObject({
      code: 'document_too_expensive',
    });
    const patient = newPool({ workers: 1 });
    await expect(patient.read(asText({ openapi: '3.1.0', paths: {} }), HOST)).resolves.toMatchObject({
      document: { offers: [] },
    });
  });

  it('ends what takes too much memory', async () => {
    const pool = newPool({ workers: 1, memoryMib: 48 });
    const list = `{"openapi":"3.1.0","paths":{},"x":[${'{"a":[1]},'.repeat(600_000)}0]}`;
    const task = { ...asText({}), body: new TextEncoder().encode(list) };
    await expect(pool.read(task, HOST)).rejects.toMatchObject({ code: 'document_too_expensive' });
    await expect(pool.read(asText({ openapi: '3.1.0', paths: {} }), HOST)).resolves.toMatchObject({
      document: { offers: [] },
    });
  });

  it('lets hosts take turns, each with its share of those who wait', async () => {
    const pool = newPool({ workers: 1, waiting: 2 });
    const ended: string[] = [];
    const read = async (name: string): Promise<void> => {
      const task = asText({ openapi: '3.1.0', paths: {}, info: { title: name } });
      const said = await pool.read(task, name.charAt(0)).then(
        () => name,
        (error: unknown) => `${name} ${String((error as { code?: unknown }).code)}`,
      );
      ended.push(said);
    };
    await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(read));
    expect(ended).toEqual(['a4 imports_busy', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('refuses more than may wait, and all when it closes', async () => {
    const pool = newPool({ workers: 1, waiting: 1 });
    const task = () => asText({ openapi: '3.1.0', paths: operations(50) });
    const [first, second, third] = await Promise.allSettled([
      pool.read(task(), HOST),
      pool.read(task(), HOST),
      pool.read(task(), HOST),
      Promise.resolve().then(() => {
        pool.close();
      }),
    ]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'stopping' } });
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'stopping' } });
    expect(third).toMatchObject({
      status: 'rejected',
      reason: { status: 429, code: 'imports_busy', headers: { 'retry-after': '60' } },
    });
    await expect(pool.read(task(), HOST)).rejects.toMatchObject({ status: 503, code: 'stopping' });
  });

  describe('whose worker is killed', () => {
    const task = asText({ openapi: '3.1.0', paths: operations(1) });
    beforeAll(() => {
      Logger.overrideLogger(false);
    });
    beforeEach(() => {
      children.length = 0;
    });

    it('at work has the document read by another', async () => {
      const reading = newPool().read(task, HOST);
      children[0]?.kill('SIGKILL');
      expect((await reading).document?.offers).toHaveLength(1);
      expect(children).toHaveLength(2);
    });

    it('at work twice says that nothing was imported, and what to do', async () => {
      const pool = newPool();
      const reading = pool.read(task, HOST);
      children[0]?.kill('SIGKILL');
      subscribe('child_process', killed);
      await expect(reading).rejects.toMatchObject({
        status: 503,
        code: 'import_worker_ended',
        headers: { 'retry-after': '10' },
      });
      unsubscribe('child_process', killed);
      expect((await pool.read(task, HOST)).document?.offers).toHaveLength(1);
    });

    it('after a rest that is too long has its memory given back', async () => {
      const pool = newPool({ idleMs: 1 });
      await pool.read(task, HOST);
      await once(children[0] as ChildProcess, 'exit');
      expect((await pool.read(task, HOST)).document?.offers).toHaveLength(1);
      expect(children).toHaveLength(2);
    });

    it('at rest gives the next document to another at once', async () => {
      const pool = newPool();
      await pool.read(task, HOST);
      children[0]?.kill('SIGKILL');
      expect((await pool.read(task, HOST)).document?.offers).toHaveLength(1);
      expect(children).toHaveLength(2);
    });
  });
});

function killed(message: unknown): void {
  const { process: child } = message as { process: ChildProcess };
  setImmediate(() => child.kill('SIGKILL'));
}
