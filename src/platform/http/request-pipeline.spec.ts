import { request as httpRequest } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { CatalogAdapter } from './catalog-adapter.js';
import { installPipeline } from './request-pipeline.js';
import { PipelineServer, type Call } from '../../../test/pipeline-server.js';
const other = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e03';
let server: PipelineServer;

beforeAll(async () => {
  server = await PipelineServer.start();
});
afterAll(async () => {
  await server.stop();
});

const outcome = (method: string, path: string, call?: Call): Promise<string> =>
  server.outcome(method, path, call);

describe('the order of refusals', () => {
  const wrong = { claims: { host: other }, raw: '{' };

  it('401 comes before all', async () => {
    expect(await outcome('POST', '/things', { ...wrong, claims: null })).toBe('401 token_missing');
    expect(await outcome('GET', '/things?limit=x&serviceId=other', { claims: null })).toBe(
      '401 token_missing',
    );
  });

  it('403 comes before 400', async () => {
    expect(await outcome('POST', '/things', wrong)).toBe('403 host_not_covered');
    expect(await outcome('GET', '/things?limit=x&serviceId=other')).toBe('403 service_not_covered');
    expect(await outcome('GET', '/things/nonsense', { claims: { scope: 'catalog:agent' } })).toBe(
      '403 insufficient_scope',
    );
    expect(await outcome('POST', '/things', { body: { serviceId: 'other', odd: 1 } })).toBe(
      '403 service_not_covered',
    );
  });

  it('401 and 403 come before the body is read', async () => {
    const huge = Buffer.alloc(2 << 20, 'x');
    expect(await outcome('POST', '/things', { raw: huge, claims: null })).toBe('401 token_missing');
    expect(await outcome('POST', '/things', { raw: huge, claims: { host: other } })).toBe(
      '403 host_not_covered',
    );
    expect(await outcome('POST', '/things', { raw: huge })).toBe('413 body_too_large');
  });
});

describe('the rate limit', () => {
  it('holds per caller, and says when to come back', async () => {
    const limited = await PipelineServer.start(2);
    const first = await limited.call('GET', '/things');
    expect(first.headers.get('ratelimit')).toMatch(/^"caller";r=1;t=\d+$/);
    expect(first.headers.get('ratelimit-policy')).toBe('"caller";q=2;w=60');
    await limited.call('GET', '/things');
    const third = await limited.call('GET', '/things');
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(third.headers.get('ratelimit')).toMatch(/r=0/);
    expect((await limited.call('GET', '/things', { claims: { sub: 'b' } })).status).toBe(200);
    expect((await limited.call('GET', '//open', { claims: null })).status).toBe(200);
    await limited.stop();
  });
});

describe('a route that may do without a token', () => {
  it('takes none or a valid one, and no other', async () => {
    expect(await outcome('GET', '//public', { claims: null })).toMatch(/^200/);
    expect(await outcome('GET', '//public')).toMatch(/^200/);
    const authorization = { claims: null, headers: { authorization: 'Bearer nothing' } };
    expect(await outcome('GET', '//public', authorization)).toBe('401 token_invalid');
  });

  it('is limited by address without one, by caller with one', async () => {
    const limited = await PipelineServer.start(1);
    const statuses = [];
    for (const call of [{ claims: null }, { claims: null }, {}, {}])
      statuses.push((await limited.call('GET', '//public', call)).status);
    expect(statuses).toEqual([200, 429, 200, 429]);
    await limited.stop();
  });
});

describe('a route', () => {
  it('of the catalog without an operation is never opened', () => {
    const instance = new CatalogAdapter(1).getInstance<FastifyInstance>();
    installPipeline(instance, server.parts);
    instance.get('/beside', () => '');
    expect(() => instance.get('/v1/hosts/:hostId/open', () => '')).toThrow('@Operation');
  });

  it('of HEAD has its stations once', async () => {
    const limited = await PipelineServer.start(5);
    const { headers } = await limited.call('HEAD', '/things');
    expect(headers.get('ratelimit')).toMatch(/r=4/);
    await limited.stop();
  });
});

describe('what is no HTTP', () => {
  it('is answered as a problem', async () => {
    const answered = new Promise<string>((resolve, reject) => {
      const sent = httpRequest(server.address, { headers: { big: 'x'.repeat(20_000) } }, (response) => {
        resolve(`${String(response.statusCode)} ${String(response.headers['content-type'])}`);
      });
      sent.on('error', reject).end();
    });
    expect(await answered).toMatch(/^431 application\/problem\+json/);
  });
});
