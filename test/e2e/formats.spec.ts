import { writeZip } from '../../src/documents/archive.stream.js';
import { eachServer, hostId } from './server.js';

interface Report {
  readonly apiVersionId: string;
  readonly format: string;
  readonly total: number;
  readonly added: number;
  readonly unchanged: number;
  readonly published?: number;
  readonly position: number;
  readonly items: readonly { endpointId: string; endpoint: string }[];
}

const proto = `syntax = "proto3"; package shop;
service Orders { rpc Get(Id) returns (Order); rpc Watch(Id) returns (stream Order); }
message Id { string id = 1; } message Order { string id = 1; }`;
const documents: readonly (readonly [format: string, document: string | object, keys: string[]])[] = [
  [
    'openrpc',
    { openrpc: '1.3.2', info: { title: 'M', version: '1' }, methods: [{ name: 'add', params: [] }] },
    ['add@call'],
  ],
  ['graphql', 'type Query { order(id: ID!): Order } type Order { id: ID! }', ['query/order@call']],
  ['grpc', proto, ['shop.Orders/Get@call', 'shop.Orders/Watch@call']],
];
let apis = 0;

eachServer((server) => {
  const bring = async (apiId: string, document: string | object, more: object = {}) => {
    const version = { apiVersion: '1', serviceId: 'orders', envTag: 'dev' };
    const body = { api: { apiId }, version, document, ...more };
    const answer = await server().api<Report>('POST', '/imports', { body });
    expect(answer.body).toMatchObject({ total: expect.any(Number) });
    return answer.body;
  };

  it('a body without a document is refused with every other fault of it', async () => {
    const version = { apiVersion: '1', envTag: 'dev' };
    const missing = (...pointers: string[]) => ({
      status: 400,
      body: { code: 'invalid_body', errors: pointers.map((pointer) => ({ pointer, detail: 'is missing' })) },
    });
    const without = await server().api('POST', '/imports', { body: { api: { apiId: 'none' }, version } });
    expect(without).toMatchObject(missing('/version/serviceId', '/document'));
    expect(await server().api('POST', '/imports', { body: {} })).toMatchObject(
      missing('/api', '/version', '/document'),
    );
  });

  describe.each(documents)('%s', (format, document, keys) => {
    it('is told by itself, imported once, and read again from what is stored', async () => {
      apis += 1;
      const apiId = `formats-${String(apis)}`;
      const report = await bring(apiId, document);
      expect(report).toMatchObject({ format, added: keys.length });
      expect(report.items.map(({ endpoint }) => endpoint)).toEqual(keys);
      const again = await bring(apiId, document, { format });
      expect(again).toMatchObject({ unchanged: keys.length, position: report.position });
      const resync = await server().api<Report>('POST', `/api-versions/${report.apiVersionId}/resync`);
      expect(resync.body).toMatchObject({ unchanged: keys.length, position: report.position });
      const version = await server().api('GET', `/api-versions/${report.apiVersionId}`);
      expect(version.body).toMatchObject({ apiType: format });
    });
  });

  it('several files come as one upload, packed or not', async () => {
    apis += 1;
    const files = {
      'openapi.yaml':
        'openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: { /a: { $ref: paths/a.yaml } }\n',
      'paths/a.yaml': 'get: { operationId: a, responses: {} }\n',
    };
    const report = await bring(`formats-${String(apis)}`, { files });
    expect(report.items.map(({ endpoint }) => endpoint)).toEqual(['/a@get']);
    const body = await writeZip(
      Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
    );
    const path = `/v1/hosts/${hostId}/api-versions/${report.apiVersionId}/imports`;
    const headers = { authorization: `Bearer ${await server().token()}`, 'content-type': 'application/zip' };
    const answer = await fetch(`${server().address}${path}`, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
    });
    expect(await answer.json()).toMatchObject({ unchanged: 1, position: report.position });
    const slip = { files: { ...files, '../../etc/x.yaml': 'a: 1' } };
    const refused = await server().api<{ code: string }>('POST', '/imports', {
      body: {
        api: { apiId: 'slip' },
        version: { apiVersion: '1', serviceId: 'orders', envTag: 'dev' },
        document: slip,
      },
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'unsafe_path']);
  });

  it('publishes streams only where they are named', async () => {
    apis += 1;
    const report = await bring(`formats-${String(apis)}`, proto, { publish: true });
    expect(report.published).toBe(1);
    const { apiVersionId, items } = report;
    const all = await server().api('POST', '/tools/publish', { body: { filter: { apiVersionId } } });
    expect(all.body).toMatchObject({ published: 0, unchanged: 1 });
    const endpointIds = items.map(({ endpointId }) => endpointId);
    const named = await server().api('POST', '/tools/publish', { body: { endpointIds } });
    expect(named.body).toMatchObject({ published: 1, unchanged: 1 });
  });
});
