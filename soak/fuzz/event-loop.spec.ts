import { ScriptedGateway } from '../../test/e2e/gateway-servers.js';
import { filledBodies, filledSpecs, fillings } from '../../test/e2e/filled-bodies.js';
import type { HostileRequest, ListedTool } from '../../test/e2e/hostile-places.js';
import {
  addressRequests,
  argumentRequests,
  drawnRequests,
  rejectedRequests,
  textOf,
  textRequests,
  worstTexts,
} from '../../test/e2e/hostile-requests.js';
import { newHome, type Home } from '../../test/e2e/home.js';
import { seed } from '../../test/soak.js';
import { hostId, ServiceProcess } from '../../test/system/service-process.js';
import { describeUnless, noServer } from '../../test/unless.js';
import { ProcessorTime } from './processor-time.js';

/** Of requests drawn at random, as many as `FUZZ_REQUESTS` says. */
const DRAWN = { count: Number(process.env['FUZZ_REQUESTS'] ?? 6_000), seed };

describeUnless(noServer, 'nothing that a caller sends holds the event loop', () => {
  let home: Home;
  let service: ServiceProcess;
  let token: string;
  let time: ProcessorTime;

  beforeAll(async () => {
    home = await newHome('server');
    service = await ServiceProcess.start(home, {
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      OUTBOUND_ALLOW: '127.0.0.1',
    });
    token = await service.token({ scope: 'catalog:read catalog:write catalog:admin catalog:all-services' });
    time = new ProcessorTime(service.address, send);
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

  const slowOf = (requests: Iterable<HostileRequest>): Promise<string[]> => time.above(requests);

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

  it.each(Object.keys(fillings) as (keyof typeof fillings)[])(
    'bodies of every route with every limit filled with %s',
    async (filling) => {
      expect(await slowOf(filledBodies(filling))).toEqual([]);
    },
  );

  it('specs at their limits', async () => {
    expect(await slowOf(filledSpecs())).toEqual([]);
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

  it(`${String(DRAWN.count)} requests drawn by the seed ${String(DRAWN.seed)}, none of which fails`, async () => {
    expect(await slowOf(drawnRequests(DRAWN.seed, DRAWN.count))).toEqual([]);
  });

  it('a folder of a skill', async () => {
    const first = { path: 'SKILL.md', content: '---\nname: lists\ndescription: d d d\n---\nx\n' };
    const units = ['- a\n', '[', '<a>', '_', '# a\n'];
    const files = Array.from({ length: 15 }, (_, at) => {
      const unit = units[at % units.length] ?? '';
      return { path: `f${String(at)}.md`, content: `[see](x)\n\n${unit.repeat(260_000 / unit.length)}` };
    });
    const folder = post('/skills/import?dryRun=true', { files: [first, ...files] });
    // So large that it is read piece by piece: others are answered between any two files of it.
    let others = 0;
    const done = new AbortController();
    const asked = (async () => {
      while (!done.signal.aborted) {
        await (await fetch(`${service.address}/health/live`)).text();
        others += 1;
      }
    })();
    await send(folder).finally(() => {
      done.abort();
    });
    await asked;
    expect(others).toBeGreaterThan(files.length);
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
