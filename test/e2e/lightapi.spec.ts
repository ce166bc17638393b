import { everyServer } from './server.js';

interface Report {
  readonly apiVersionId: string;
  readonly total: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly items: readonly { endpointId: string; endpoint: string; change: string }[];
  readonly warnings: readonly { code: string }[];
  readonly conflicts: readonly { endpoint: string; field: string; layer: string }[];
  readonly position: number;
}
interface Endpoint {
  readonly description: string;
  readonly active: boolean;
  readonly provenance: Record<string, string>;
  readonly inputSchema: object;
  readonly toolMetadata: {
    readonly tags?: readonly string[];
    readonly capabilityRef?: string;
    readonly lightapi?: object;
    readonly routing: Record<string, unknown>;
    readonly safety: Record<string, unknown>;
  };
}

const get = (operationId: string) => ({ get: { operationId, tags: ['source'], responses: {} } });
const source = (paths: object) => ({ openapi: '3.1.0', info: { title: 'Orders', version: '1' }, paths });
const paths = { '/orders': get('listOrders'), '/orders/{id}': get('getOrder') };
const words = (operations: object, more: object = {}) => ({
  lightapi: '0.1.0',
  sources: { api: { type: 'openapi', version: '1' } },
  info: { title: 'Orders', namespace: 'shop', version: '1', tags: ['shop'] },
  operations,
  ...more,
});
const getOrder = {
  ...{ endpointId: 'shop/orders.get', protocol: 'http', operationId: 'getOrder', source: 'api' },
  ...{ description: 'Use with the number of an order.', visibility: 'restricted', tags: ['lookup'] },
  input: { schema: { type: 'object', properties: { id: { type: 'integer' } } } },
  safety: { destructive: true, requiresConfirmation: true },
  metadata: { routing: { personas: ['clerk'], fallback: 'listOrders' } },
};
const version = { apiVersion: '1', serviceId: 'orders', envTag: 'dev' };
let apis = 0;

everyServer((server) => {
  const importer = () => {
    const apiId = `lightapi-${String((apis += 1))}`;
    return async (document: object, more: object = {}) => {
      const body = { api: { apiId }, version, document, ...more };
      const answer = await server().api<Report>('POST', '/imports', { body });
      expect(answer.body).toMatchObject({ total: expect.any(Number) });
      return answer.body;
    };
  };
  const endpoint = async ({ items }: Report, key: string) => {
    const id = items.find((item) => item.endpoint === key)?.endpointId ?? '';
    return (await server().api<Endpoint>('GET', `/endpoints/${id}`)).body;
  };

  describe('a LightAPI document', () => {
    it('speaks over the source, and never of how an endpoint is called', async () => {
      const bring = importer();
      const first = await bring(source(paths));
      const enriched = await bring(words({ getOrder }));
      expect(enriched).toMatchObject({ total: 1, added: 0, apiVersionId: first.apiVersionId, warnings: [] });
      expect(enriched.conflicts).toMatchObject([
        { endpoint: '/orders/{id}@get', field: 'inputSchema', layer: 'lightapi_endpoint' },
      ]);
      const { description, provenance, toolMetadata, inputSchema } = await endpoint(
        first,
        '/orders/{id}@get',
      );
      expect(description).toBe(getOrder.description);
      expect(inputSchema).toMatchObject({ properties: { id: { type: 'string' } }, required: ['id'] });
      expect(toolMetadata).toMatchObject({
        ...{ capabilityRef: 'shop/orders.get', lightapi: getOrder, tags: ['lookup'] },
        routing: {
          ...{ semanticNamespace: 'shop', sensitivityTier: 'restricted', targetPersonas: ['clerk'] },
          fallbackEndpoint: '/orders@get',
        },
        safety: { readOnly: true, destructive: true, humanApprovalRequired: true },
      });
      expect(provenance).toMatchObject({
        ...{
          description: 'lightapi_endpoint',
          inputSchema: 'source',
          'routing.semanticNamespace': 'lightapi_api',
        },
        'routing.sensitivityTier': 'lightapi_endpoint',
      });
      const other = await endpoint(first, '/orders@get');
      expect(other).toMatchObject({ toolMetadata: { tags: ['shop'] }, provenance: { tags: 'lightapi_api' } });
    });

    it('twice is once, and its words outlive the next source, whose newcomers inherit them', async () => {
      const bring = importer();
      await bring(source(paths));
      const first = await bring(words({ getOrder }));
      const second = await bring(words({ getOrder }));
      expect(second).toMatchObject({ total: 1, unchanged: 1, changed: 0, position: first.position });
      const again = await bring(source({ ...paths, '/new': get('fresh') }));
      expect(again).toMatchObject({ added: 1, unchanged: 2, changed: 0 });
      const fresh = await endpoint(again, '/new@get');
      expect(fresh.provenance).toMatchObject({
        method: 'source',
        'routing.semanticNamespace': 'lightapi_api',
      });
      expect(await bring(source({ ...paths, '/new': get('fresh') }))).toMatchObject({ unchanged: 3 });
      expect(await bring(words({ getOrder }))).toMatchObject({ unchanged: 1, changed: 0, added: 0 });
    });

    it('speaks in one of its layers where that is named', async () => {
      const bring = importer();
      await bring(source(paths));
      const report = await bring(words({ getOrder }), { layer: 'lightapi_endpoint' });
      expect(report.items.map(({ endpoint }) => endpoint)).toEqual(['/orders/{id}@get']);
      const { provenance } = await endpoint(report, '/orders/{id}@get');
      expect(Object.values(provenance)).not.toContain('lightapi_api');
      const rest = await bring(words({ getOrder }), { layer: 'lightapi_api' });
      expect(rest).toMatchObject({ changed: 2, added: 0 });
    });

    it('keeps what it finds no endpoint for, out of use until its source comes', async () => {
      const bring = importer();
      await bring(source({ '/orders': get('listOrders') }));
      const waiting = await bring(
        words({ getOrder: { ...getOrder, metadata: { portalEndpoint: '/orders/{id}@get' } } }),
      );
      expect(waiting.warnings).toMatchObject([{ code: 'operation_unattached' }]);
      expect(await endpoint(waiting, '/orders/{id}@get')).toMatchObject({ active: false });
      await bring(source(paths));
      expect(await endpoint(waiting, '/orders/{id}@get')).toMatchObject({
        active: true,
        provenance: { method: 'source', description: 'lightapi_endpoint' },
      });
    });

    it('is a source of its own where the version has no other', async () => {
      const bring = importer();
      const report = await bring(words({ getOrder }), { publish: true });
      expect(report).toMatchObject({
        format: 'lightapi',
        formatVersion: '0.1.0',
        added: 1,
        published: 1,
        conflicts: [],
      });
      expect(await endpoint(report, 'shop/orders.get')).toMatchObject({
        active: true,
        sourceProtocol: 'lightapi',
        provenance: { inputSchema: 'source', description: 'lightapi_endpoint' },
      });
      expect(await bring(words({ getOrder }), { publish: true })).toMatchObject({
        unchanged: 1,
        published: 0,
      });
      const resync = await server().api<Report>('POST', `/api-versions/${report.apiVersionId}/resync`);
      expect(resync.body).toMatchObject({ unchanged: 1, position: report.position });
    });

    it('keeps an endpoint that stands under namespace and operation id, and says what can’t be called', async () => {
      const bring = importer();
      const { endpointId: _, operationId: __, source: ___, ...rest } = getOrder;
      const one = { ...rest, method: 'GET', endpoint: '/orders/{id}' };
      const first = await bring(words({ getOrder: { ...one, endpointId: 'shop/getOrder' } }), {
        publish: true,
      });
      const again = await bring(words({ getOrder: one }), { publish: true });
      expect(again).toMatchObject({ total: 1, added: 0, published: 0 });
      expect(again.items).toMatchObject([
        { endpoint: 'shop/getOrder', endpointId: first.items[0]?.endpointId },
      ]);
      expect(await bring(words({ getOrder: one }))).toMatchObject({ unchanged: 1 });
      const fresh = await importer()(words({ getOrder: { ...one, input: { schema: { type: 'object' } } } }));
      expect(fresh.items).toMatchObject([{ endpoint: 'getOrder@get' }]);
      expect(fresh.warnings).toMatchObject([{ code: 'operation_uncallable' }]);
    });

    it('is refused with all its faults, and where its layer is not one of words', async () => {
      const body = {
        api: { apiId: 'refused' },
        version,
        document: { lightapi: '0.1.0', info: {}, operations: {} },
      };
      const refused = await server().api<{ code: string; errors: { pointer: string }[] }>(
        'POST',
        '/imports',
        { body },
      );
      expect([refused.status, refused.body.code]).toEqual([400, 'malformed_lightapi']);
      expect(refused.body.errors.map(({ pointer }) => pointer)).toContain('/document/info/namespace');
      const layered = { ...body, document: source(paths), layer: 'lightapi_api' };
      const answer = await server().api<{ code: string }>('POST', '/imports', { body: layered });
      expect([answer.status, answer.body.code]).toEqual([409, 'format_mismatch']);
    });
  });
});
