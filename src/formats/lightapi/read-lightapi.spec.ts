import { describeWithCorpus, readCorpus } from '../../../test/import-laws.js';
import { readFlat } from '../../../test/flat-endpoints.js';

const info = { title: 'Orders', namespace: 'shop', version: '1' };
const operation = { protocol: 'http', method: 'GET', endpoint: '${env.base}/orders/{id}' };
const documentOf = (operations: object, more: object = {}) => ({
  lightapi: '0.1.0',
  info,
  operations,
  ...more,
});
const read = (document: object) => readFlat(document, { format: 'auto' });
const only = async (more: object, root: object = {}) => {
  const { endpoints, enrichment, warnings } = await read(
    documentOf({ getOrder: { ...operation, ...more } }, root),
  );
  const [endpoint, said] = [endpoints[0], enrichment?.operations[0]];
  if (endpoint === undefined || said === undefined) throw new Error('No operation was read.');
  return { endpoint, ...said, warnings };
};

describe('a LightAPI operation', () => {
  it('stands by its endpointId, else by operation id and method', async () => {
    expect((await only({ endpointId: 'shop/orders.get' })).key).toBe('shop/orders.get');
    expect(await only({ operationId: 'fetchOrder' })).toMatchObject({
      key: 'fetchOrder@get',
      formerKey: 'shop/fetchOrder',
    });
    expect(await only({})).toMatchObject({ key: 'getOrder@get', called: '/orders/{id}@get' });
    const { endpoints } = await read(
      documentOf({ one: { protocol: 'mcp', kind: 'tool', name: 'get_order' } }),
    );
    expect(endpoints.map(({ key }) => key)).toEqual(['one@call']);
    const named = await only({ metadata: { portalEndpoint: '/v2/orders/{id}@get' } });
    expect(named.named).toBe('/v2/orders/{id}@get');
  });

  it.each([
    ['jsonrpc', { protocol: 'jsonrpc', method: 'getOrder', endpoint: 'x' }, 'getOrder@call'],
    ['openrpc', { protocol: 'openrpc', method: 'getOrder', source: 's' }, 'getOrder@call'],
    ['grpc', { protocol: 'grpc', service: 'a.B', method: 'Get' }, 'a.B/Get@call'],
    ['mcp', { protocol: 'mcp', kind: 'tool', name: 'get_order' }, 'get_order@call'],
    ['http by operation id', { protocol: 'http', operationId: 'x', source: 's' }, undefined],
  ])('is found by what is called: %s', async (_name, operation, called) => {
    const { enrichment } = await read(documentOf({ one: operation }));
    expect(enrichment?.operations[0]?.called).toBe(called);
  });

  it('says tier, flags and lifecycle in the words of the catalog', async () => {
    const { facts } = await only({
      visibility: 'restricted',
      lifecycle: 'deprecated',
      safety: { destructive: true, requiresConfirmation: true },
      idempotency: { safeToRetry: true },
    });
    expect(facts).toMatchObject({
      routing: { sensitivityTier: 'restricted' },
      safety: { destructive: true, humanApprovalRequired: true, idempotent: true },
      lifecycleStatus: 'deprecated',
    });
    expect((await only({ lifecycle: 'draft' })).facts.lifecycleStatus).toBeUndefined();
  });

  it('takes routing extras in long and short words, which win over visibility and safety', async () => {
    const routing = {
      ...{
        domain: 'retail',
        personas: ['clerk'],
        keywords: ['order'],
        weight: 0.5,
        sensitivity: 'confidential',
      },
      ...{
        contextRequirements: ['id'],
        fallback: 'listOrders',
        humanApprovalRequired: false,
        read_only: true,
      },
    };
    const safety = { requiresConfirmation: true };
    const { facts, warnings } = await only({ visibility: 'public', safety, metadata: { routing } });
    expect(facts.routing).toEqual({
      ...{ domain: 'retail', targetPersonas: ['clerk'], semanticKeywords: ['order'], semanticWeight: 0.5 },
      ...{ sensitivityTier: 'confidential', contextRequirements: { requiredInputs: ['id'] } },
      fallbackEndpoint: 'listOrders',
    });
    expect(facts.safety).toEqual({ readOnly: true, humanApprovalRequired: false });
    expect(warnings).toEqual([]);
  });

  it('leaves out routing of the wrong kind, with a warning each', async () => {
    const approvalWorkflow = 'w'.repeat(6_000);
    const routing = {
      domain: 'd'.repeat(300),
      weight: 'high',
      personas: [1],
      approvalWorkflow,
      mood: 'good',
    };
    const { facts, warnings } = await only({ metadata: { routing } });
    expect([facts.routing, facts.safety]).toEqual([undefined, undefined]);
    expect(warnings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(
      ['domain', 'personas', 'weight', 'approvalWorkflow', 'mood'].map(
        (word) => `routing_ignored /operations/getOrder/metadata/routing/${word}`,
      ),
    );
  });

  it('has a weight that a column can hold, or none', async () => {
    const weightOf = async (weight: number) =>
      (await only({ metadata: { routing: { weight } } })).facts.routing?.semanticWeight;
    expect(await Promise.all([2.5, 1e-60, 1e300, -1].map(weightOf))).toEqual([
      2.5,
      1e-60,
      undefined,
      undefined,
    ]);
  });

  it('is kept whole, and is an endpoint of its own', async () => {
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
    const more = { input: { schema }, request: { path: { id: '${input.id}' } }, summary: 'One order' };
    const { facts, endpoint } = await only(more);
    expect(facts.lightapi).toEqual({ ...operation, ...more });
    expect(endpoint).toMatchObject({
      ...{ method: 'get', path: '/orders/{id}', name: 'getOrder', inputSchema: schema },
      parameters: { id: { in: 'path', name: 'id' } },
    });
  });

  it('fills its path from inputs of the same name where no request says how', async () => {
    const schema = { type: 'object', properties: { id: { type: 'string' }, q: { type: 'string' } } };
    const { endpoint, unfilled } = await only({ input: { schema } });
    expect(endpoint.parameters).toEqual({
      id: { in: 'path', name: 'id' },
      q: { in: 'argument', name: 'q' },
    });
    expect(unfilled).toEqual([]);
    const said = await only({ input: { schema }, request: { path: { id: '${input.q}' } } });
    expect(said.endpoint.parameters).toMatchObject({ q: { in: 'path', name: 'id' }, id: { in: 'argument' } });
    expect((await only({})).unfilled).toEqual(['id']);
  });

  it('keeps how its tooling embeds it', async () => {
    const embedding = { model: 'tool-description-embedding', source: 'semanticDescription' };
    const { facts, warnings } = await only({ metadata: { routing: { embedding } } });
    expect(facts.routing).toMatchObject({ embedding });
    expect(warnings).toEqual([]);
    const odd = await only({ metadata: { routing: { embedding: 'fast' } } });
    expect(odd.warnings).toMatchObject([{ code: 'routing_ignored' }]);
  });

  it('inherits what the document says of the API', async () => {
    const { inherited, key } = await only(
      {},
      {
        info: { ...info, tags: ['shop'], metadata: { routing: { domain: 'retail' } } },
        agent: {
          destructiveOperations: ['getOrder'],
          capabilities: [{ area: 'orders', operations: ['getOrder'] }],
        },
      },
    );
    expect(key).toBe('getOrder@get');
    expect(inherited).toEqual({
      routing: { semanticNamespace: 'shop', domain: 'retail' },
      safety: { destructive: true },
      tags: ['shop'],
      capability: { group: 'orders' },
    });
  });
});

describe('a LightAPI document', () => {
  it('is refused with every fault', async () => {
    const reading = read({ lightapi: '0.1.0', info: { title: 'x' }, operations: {}, extra: 1 });
    await expect(reading).rejects.toMatchObject({ code: 'malformed_lightapi' });
    const fault = (await reading.catch((reason: unknown) => reason)) as { faults: { pointer: string }[] };
    expect(fault.faults.map(({ pointer }) => pointer).sort()).toEqual(
      ['/extra', '/info/namespace', '/info/version', '/operations'].sort(),
    );
  });

  it('of the profile endpoint is about one of them', async () => {
    const one = documentOf({ getOrder: operation }, { profile: 'endpoint' });
    expect((await read(one)).endpoints).toHaveLength(1);
    const two = documentOf({ getOrder: operation, endOrder: operation }, { profile: 'endpoint' });
    await expect(read(two)).rejects.toMatchObject({
      code: 'malformed_lightapi',
      faults: [{ pointer: '/operations' }],
    });
    expect((await read({ ...two, profile: 'bundle' })).endpoints).toHaveLength(2);
  });

  it('loses only the operations that are wrong', async () => {
    const { endpoints, warnings } = await read(
      documentOf({ good: operation, bad: { protocol: 'smtp' }, odd: { ...operation, extra: 1 } }),
    );
    expect(endpoints.map(({ key }) => key)).toEqual(['good@get']);
    expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['operation_skipped', '/operations/bad/protocol'],
      ['operation_skipped', '/operations/odd/extra'],
    ]);
  });

  it('is warned about references that lead nowhere', async () => {
    const { warnings } = await only(
      { source: 'a', server: 'b', authentication: 'c' },
      { sources: { a: { type: 'http', version: '1', servers: {} } } },
    );
    expect(warnings.map(({ pointer }) => pointer)).toEqual([
      '/operations/getOrder/authentication',
      '/operations/getOrder/server',
    ]);
    const inherited = await only({ source: 'a' }, { context: { inherits: { sources: ['a'] } } });
    expect(inherited.warnings).toEqual([]);
  });
});

describeWithCorpus('the LightAPI document of the corpus', () => {
  it('is read without a warning', async () => {
    const document = await readFlat(readCorpus('sample/account-api.lightapi.yaml'), { format: 'auto' });
    expect(document.warnings).toEqual([]);
    expect(document.enrichment?.operations.map(({ key, named }) => [key, named])).toEqual([
      ['retail-banking/accounts.close', '/accounts/{accountNo}@delete'],
      ['retail-banking/accounts.create', '/accounts@post'],
      ['retail-banking/accounts.get', '/accounts/{accountNo}@get'],
      ['retail-banking/transfers.create', '/transfers@post'],
    ]);
  });
});
