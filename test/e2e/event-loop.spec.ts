import { ScriptedGateway } from './gateway-servers.js';
import {
  addressRequests,
  drawnRequests,
  rejectedRequests,
  textRequests,
  type HostileRequest,
} from './hostile-requests.js';
import { hostId } from './server.js';
import { kinds, newHome, ServiceProcess, type Home } from './service-process.js';

/**
 * Milliseconds for which a request may hold the event loop: 100, and half as much again on a machine that is busy with other
 * things. What seems to hold it longer is tried alone, and its best try counts.
 */
const MOST = 150;
const TRIES = 10;
/** Of requests drawn at random: `FUZZ_REQUESTS=6000 FUZZ_SEED=2 npm test -- event-loop`. */
const DRAWN = {
  count: Number(process.env['FUZZ_REQUESTS'] ?? 200),
  seed: Number(process.env['FUZZ_SEED'] ?? 1),
  most: 250,
};

const onServer = kinds.includes('server');
if (!onServer) process.stdout.write('Not run: TEST_DATABASE_URL is not set.\n');

(onServer ? describe : describe.skip)('nothing that a caller sends holds the event loop', () => {
  let home: Home;
  let service: ServiceProcess;
  let token: string;

  beforeAll(async () => {
    home = await newHome('server');
    service = await ServiceProcess.start(home, {
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      OUTBOUND_ALLOW: '127.0.0.1',
    });
    token = await service.token({ scope: 'catalog:read catalog:write catalog:admin catalog:all-services' });
  });
  afterAll(async () => {
    await service.stop('SIGTERM');
    await home.raze();
  });

  const send = async ({ title, method, path, body }: HostileRequest): Promise<string> => {
    const response = await fetch(`${service.address}/v1/hosts/${hostId}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (response.status >= 500)
      throw new Error(`${title}: ${text.slice(0, 500)}\n${service.said.slice(-3000)}`);
    return text;
  };

  let computed = 0;
  /**
   * Milliseconds for which the loop was held at most since it was last asked: no longer than the process computed. On a busy
   * machine it also waits for the processor, which is nobody's fault.
   */
  const held = async (): Promise<number> => {
    const text = await (await fetch(`${service.address}/metrics`)).text();
    const milliseconds = (name: string) =>
      1000 * Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? NaN);
    const before = computed;
    computed = milliseconds('process_cpu_seconds_total');
    return Math.min(milliseconds('nodejs_eventloop_lag_max_seconds'), computed - before);
  };

  /** What held the loop for too long, and does so each time when it is sent alone. */
  const slowOf = async (requests: readonly HostileRequest[], most = MOST): Promise<string[]> => {
    await held();
    for (const request of requests) await send(request);
    if ((await held()) < most) return [];
    const slow: string[] = [];
    for (const request of requests) {
      let best = Infinity;
      for (let tries = 0; tries < TRIES && best >= most; tries += 1) {
        await held();
        await send(request);
        best = Math.min(best, await held());
      }
      if (best >= most) slow.push(`${request.title}: ${best.toFixed(0)} ms`);
    }
    return slow;
  };

  it('texts at their limit', async () => {
    const slow: string[] = [];
    for (const group of textRequests()) slow.push(...(await slowOf(group)));
    expect(slow).toEqual([]);
  });

  it('names in paths, and queries', async () => {
    const slow: string[] = [];
    for (const group of addressRequests()) slow.push(...(await slowOf(group)));
    expect(slow).toEqual([]);
  });

  it('bodies that are refused', async () => {
    const slow: string[] = [];
    for (const request of rejectedRequests()) slow.push(...(await slowOf([request])));
    expect(slow).toEqual([]);
  });

  it(`${String(DRAWN.count)} requests drawn by the seed ${String(DRAWN.seed)}, none of which fails`, async () => {
    const slow: string[] = [];
    for (const request of drawnRequests(DRAWN.seed, DRAWN.count))
      slow.push(...(await slowOf([request], DRAWN.most)));
    expect(slow).toEqual([]);
  });

  const post = (path: string, body: object, method = 'POST'): HostileRequest => ({
    title: `${method} ${path}`,
    method,
    path,
    body: JSON.stringify(body),
  });
  const branches = (prefix: string) =>
    Array.from({ length: 8_000 }, (_, at) => ({ const: `${prefix}${String(at)}` }));

  it('folders of skills', async () => {
    const first = { path: 'SKILL.md', content: '---\nname: lists\ndescription: d d d\n---\nx\n' };
    const folder = (unit: string) => {
      const content = `[see](x)\n\n${unit.repeat(260_000 / unit.length)}`;
      const files = [
        first,
        ...Array.from({ length: 15 }, (_, at) => ({ path: `f${String(at)}.md`, content })),
      ];
      return { ...post('/skills/import?dryRun=true', { files }), title: `files of ${JSON.stringify(unit)}` };
    };
    const slow = [];
    for (const unit of ['- a\n', '[', '<a>', '_', '# a\n']) slow.push(...(await slowOf([folder(unit)])));
    expect(slow).toEqual([]);
  });

  it('documents that change costly schemas', async () => {
    const document = (prefix: string) => ({
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      paths: {
        '/e': {
          get: {
            operationId: 'e',
            parameters: [{ name: 'x', in: 'query', schema: { anyOf: branches(prefix) } }],
            responses: {},
          },
        },
      },
    });
    const version = { apiVersion: '1', serviceId: 's', envTag: 'dev' };
    const imported = (prefix: string) =>
      post('/imports', { api: { apiId: 'grade' }, version, document: document(prefix), publish: true });
    await send(imported('a'));
    expect(await slowOf(['b', 'c', 'd'].map(imported))).toEqual([]);
  });

  it('the answer of a gateway with costly schemas', async () => {
    const gateway = await ScriptedGateway.start();
    const listed = (prefix: string) => [
      { name: 'costly', inputSchema: { type: 'object', properties: { x: { anyOf: branches(prefix) } } } },
    ];
    const gatewayId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5ee1';
    try {
      const version = { apiVersion: '1', serviceId: 's', envTag: 'dev' };
      const document = { tools: listed('a') };
      const made = await send(
        post('/imports', { api: { apiId: 'listed' }, version, document, publish: true }),
      );
      const { apiVersionId } = JSON.parse(made) as { apiVersionId: string };
      const list = await send({ title: 'tools', method: 'GET', path: `/tools?apiVersionId=${apiVersionId}` });
      const { items } = JSON.parse(list) as { items: { toolId: string }[] };
      expect(items).toHaveLength(1);
      await send(post(`/gateways/${gatewayId}`, { serviceId: 's', envTag: 'dev', url: gateway.url }, 'PUT'));
      await send(
        post(`/gateways/${gatewayId}/exposures`, { tools: items.map(({ toolId }) => ({ toolId })) }, 'PUT'),
      );
      gateway.tools = listed('b');
      const drift = { title: 'drift', method: 'GET', path: `/gateways/${gatewayId}/drift` };
      expect(await send(drift)).toContain('schema_changed');
      expect(await slowOf([drift, drift])).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
});
