import { ScriptedGateway } from '../e2e/gateway-servers.js';
import type { HostileRequest, ListedTool } from './hostile-places.js';
import {
  addressRequests,
  argumentRequests,
  drawnRequests,
  rejectedRequests,
  textOf,
  textRequests,
  worstTexts,
} from './hostile-requests.js';
import { newHome, type Home } from '../e2e/home.js';
import { slowness } from '../slowness.js';
import { describeUnless, noServer } from '../unless.js';
import { hostId, ServiceProcess } from './service-process.js';

/** Milliseconds for which a request may hold the event loop, on a machine of usual speed. */
const MOST = 100;
/** What holds it for longer is tried alone: what does so each time is slow, and not the machine. */
const TRIES = 10;
/** Requests between two looks at the loop. */
const TOGETHER = 10;
/** Of requests drawn at random: `FUZZ_REQUESTS=6000 FUZZ_SEED=2 npm test -- event-loop`. */
const DRAWN = {
  count: Number(process.env['FUZZ_REQUESTS'] ?? 200),
  seed: Number(process.env['FUZZ_SEED'] ?? 1),
};

describeUnless(noServer, 'nothing that a caller sends holds the event loop', () => {
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
    const response = await fetch(service.address + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: body() }),
    });
    const text = await response.text();
    // A gateway that is not there, or whose credential is not, is 502; what fails inside of a command is -32603.
    const failed = /"error":\{"code":-32603,"message":"(?!gateway_secret_unavailable)/;
    if ((response.status >= 500 && response.status !== 502) || failed.test(text))
      throw new Error(`${title}: ${text.slice(0, 500)}\n${service.said.slice(-3000)}`);
    return text;
  };

  let computed = 0;
  /**
   * Milliseconds for which the loop was held at most since it was last asked: no longer than the process computed (on a busy
   * machine it also waits for the processor, which is nobody's fault), and as on a machine of usual speed.
   */
  const held = async (): Promise<number> => {
    const text = await (await fetch(`${service.address}/metrics`)).text();
    const milliseconds = (name: string) =>
      1000 * Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? NaN);
    const before = computed;
    computed = milliseconds('process_cpu_seconds_total');
    const longest = Math.min(milliseconds('nodejs_eventloop_lag_max_seconds'), computed - before);
    return longest < MOST ? longest : longest / slowness();
  };

  /** How long one holds the loop at the best of its tries. */
  const alone = async (request: HostileRequest): Promise<number> => {
    let best = Infinity;
    for (let tries = 0; tries < TRIES && best >= MOST; tries += 1) {
      await held();
      await send(request);
      best = Math.min(best, await held());
    }
    return best;
  };

  /** What holds the loop for too long, and does so each time when it is sent alone. */
  const slowOf = async (requests: Iterable<HostileRequest>): Promise<string[]> => {
    const slow: string[] = [];
    const left = [...requests];
    await held();
    while (left.length > 0) {
      const some = left.splice(0, TOGETHER);
      for (const request of some) await send(request);
      if ((await held()) < MOST) continue;
      for (const request of some) {
        const best = await alone(request);
        if (best >= MOST) slow.push(`${request.title}: ${best.toFixed(0)} ms`);
      }
    }
    return slow;
  };

  const post = (path: string, body: object, method = 'POST'): HostileRequest => ({
    title: `${method} ${path}`,
    method,
    path: `/v1/hosts/${hostId}${path}`,
    body: () => JSON.stringify(body),
  });
  const get = (path: string): HostileRequest => ({
    title: `GET ${path}`,
    method: 'GET',
    path: `/v1/hosts/${hostId}${path}`,
  });
  const branches = (prefix: string) =>
    Array.from({ length: 8_000 }, (_, at) => ({ const: `${prefix}${String(at)}` }));

  it('texts of bodies at their limit', async () => {
    expect(await slowOf(textRequests())).toEqual([]);
  });

  it('names in paths, and queries', async () => {
    expect(await slowOf(addressRequests())).toEqual([]);
  });

  it.each([
    ['one by one', false, ['search_tools', 'find_nodes', 'draft_skill', 'query_graph']],
    ['behind two', true, ['list_commands', 'invoke_command']],
  ])('arguments of the commands at /mcp, which are listed %s', async (_, commandTools, names) => {
    await send(post('/settings', { commandTools }, 'PUT'));
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const listed = await send({ ...post('', list), path: '/mcp' });
    const { result } = JSON.parse(/^data: (.*)$/m.exec(listed)?.[1] ?? '') as {
      result: { tools: ListedTool[] };
    };
    expect(result.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(await slowOf(argumentRequests(result.tools))).toEqual([]);
  });

  it('values that a graph query compares with', async () => {
    const operators = [
      'eq',
      'contains',
      'starts_with',
      'ends_with',
      'token_match',
      'all_tokens',
      'any_tokens',
    ];
    const requests = worstTexts.map((worst, at) => {
      const operator = operators[at % operators.length] ?? '';
      const filters = { description: { [operator]: textOf(worst, Infinity) } };
      const query = { query_type: 'traversal', nodes: [{ id: 't', entity: 'Tool', filters }] };
      return { ...post('/graph/query', { query }), title: `${operator} ${JSON.stringify(worst)}` };
    });
    expect(await slowOf(requests)).toEqual([]);
  });

  it('bodies that are refused', async () => {
    expect(await slowOf(rejectedRequests())).toEqual([]);
  });

  it(
    `${String(DRAWN.count)} requests drawn by the seed ${String(DRAWN.seed)}, none of which fails`,
    async () => {
      expect(await slowOf(drawnRequests(DRAWN.seed, DRAWN.count))).toEqual([]);
    },
    Math.max(300_000, DRAWN.count * 1_000),
  );

  it('a folder of a skill', async () => {
    const first = { path: 'SKILL.md', content: '---\nname: lists\ndescription: d d d\n---\nx\n' };
    const units = ['- a\n', '[', '<a>', '_', '# a\n'];
    const files = Array.from({ length: 15 }, (_, at) => {
      const unit = units[at % units.length] ?? '';
      return { path: `f${String(at)}.md`, content: `[see](x)\n\n${unit.repeat(260_000 / unit.length)}` };
    });
    const folder = post('/skills/import?dryRun=true', { files: [first, ...files] });
    expect(await slowOf([folder])).toEqual([]);
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
      const list = await send(get(`/tools?apiVersionId=${apiVersionId}`));
      const { items } = JSON.parse(list) as { items: { toolId: string }[] };
      expect(items).toHaveLength(1);
      await send(post(`/gateways/${gatewayId}`, { serviceId: 's', envTag: 'dev', url: gateway.url }, 'PUT'));
      await send(
        post(`/gateways/${gatewayId}/exposures`, { tools: items.map(({ toolId }) => ({ toolId })) }, 'PUT'),
      );
      gateway.tools = listed('b');
      const drift = get(`/gateways/${gatewayId}/drift`);
      expect(await send(drift)).toContain('schema_changed');
      expect(await slowOf([drift, drift])).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
});
