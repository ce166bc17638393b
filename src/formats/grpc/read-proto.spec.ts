import { brokenLaws, compile, describeWithCorpus, readCorpus } from '../../../test/import-laws.js';
import { readFlat } from '../../../test/flat-endpoints.js';

const read = (text: string) => readFlat(text, { format: 'auto' });
const readFiles = (files: Record<string, string>) => readFlat({ files }, { format: 'auto' });

const shop = `
syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
import "google/protobuf/timestamp.proto";
option java_package = "a/*b";
// Orders of the shop.
service Orders {
  // Reads one order.
  rpc GetOrder(GetOrderRequest) returns (Order) { option (google.api.http) = { get: "/v1/{name=orders/*}" }; }
  rpc DeleteOrder(GetOrderRequest) returns (google.protobuf.Empty) { option (google.api.http).delete = "/v1/x"; option deprecated = true; }
  rpc Count(google.protobuf.Empty) returns (Order.Line) { option idempotency_level = NO_SIDE_EFFECTS; }
  rpc Watch(GetOrderRequest) returns (stream Order);
  rpc Chat(stream Order) returns (stream Order);
}
message GetOrderRequest {
  // The name.
  string order_name = 1 [(google.api.field_behavior) = REQUIRED];
  int64 big = 2;
  repeated State states = 3;
  map<string, Order> by_name = 4;
  google.protobuf.Timestamp since = 5;
  bytes raw = 6 [json_name = "blob", deprecated = true];
  string etag = 7 [(google.api.field_behavior) = OUTPUT_ONLY];
  Elsewhere odd = 8;
}
enum State { UNKNOWN = 0; OPEN = 1; }
message Order { string id = 1; Order parent = 2; repeated Line lines = 3; message Line { double total = 1; } }
`;

describe('a .proto text', () => {
  it('gives an endpoint for every method', async () => {
    const { endpoints, format, title, warnings } = await read(shop);
    expect({ format, title }).toEqual({ format: 'grpc', title: 'Orders' });
    expect(endpoints.map(({ key, name }) => [key, name])).toEqual(
      ['Chat', 'Count', 'DeleteOrder', 'GetOrder', 'Watch'].map((method) => [
        `shop.v1.Orders/${method}@call`,
        `Orders_${method}`,
      ]),
    );
    expect(warnings).toMatchObject([{ code: 'type_unknown' }]);
    expect(brokenLaws(await read(shop))).toEqual([]);
  });

  it('marks streams, and takes HTTP rules as hints', async () => {
    const { endpoints } = await read(shop);
    const [chat, count, remove, get, watch] = endpoints;
    expect([chat, count, remove, get, watch].map((endpoint) => endpoint?.extras)).toEqual([
      { streaming: 'bidirectional' },
      {},
      { http: { method: 'delete', path: '/v1/x' } },
      { http: { method: 'get', path: '/v1/{name=orders/*}' } },
      { streaming: 'server' },
    ]);
    expect(get).toMatchObject({
      description: 'Reads one order.',
      safety: { readOnly: true, idempotent: true },
    });
    expect(remove).toMatchObject({ safety: { destructive: true }, lifecycleStatus: 'deprecated' });
    expect(count?.safety.readOnly).toBe(true);
  });

  it('takes a message as its JSON form', async () => {
    const { endpoints } = await read(shop);
    const get = endpoints.find(({ name }) => name === 'Orders_GetOrder');
    const accepts = compile(get?.inputSchema ?? {});
    const orderName = 'orders/1';
    const valid = [
      { orderName, big: '9007199254740993', states: ['OPEN'], odd: { any: 1 } },
      { orderName, big: 7, byName: { a: { id: 'x', parent: { parent: { lines: [{ total: 1.5 }] } } } } },
      { orderName, since: '2026-11-21T08:00:00Z', blob: 'aGk=' },
    ];
    for (const value of valid) expect([value, accepts(value)]).toEqual([value, true]);
    const invalid = [
      {},
      { order_name: 'x' },
      { orderName, states: ['LOST'] },
      { orderName, etag: 'x' },
      { orderName, since: 'now' },
    ];
    for (const value of invalid) expect([value, accepts(value)]).toEqual([value, false]);
    expect(get?.outputSchema).toMatchObject({ properties: { parent: { $ref: '#/$defs/shop.v1.Order' } } });
  });

  it('is read in several files, in any order, without the services of those that only help', async () => {
    const files = {
      'shop/orders.proto':
        'syntax = "proto3"; package shop; import "google/longrunning/operations.proto"; service S { rpc A(B) returns (google.longrunning.Operation); }',
      'shop/types.proto': 'syntax = "proto3"; package shop; message B { int32 n = 1; }',
      'google/longrunning/operations.proto':
        'syntax = "proto3"; package google.longrunning; service Operations { rpc Get(X) returns (X); } message X {}',
    };
    const one = await readFiles(files);
    const other = await readFiles(Object.fromEntries(Object.entries(files).reverse()));
    expect(one.endpoints.map(({ key }) => key)).toEqual(['shop.S/A@call']);
    expect(other).toEqual(one);
    expect(one.endpoints[0]?.outputSchema).toMatchObject({ properties: { done: { type: 'boolean' } } });
  });

  it('is refused with file and line', async () => {
    const broken = readFiles({ 'a.proto': 'syntax = "proto3";\nmessage A {\n x y z\n}' });
    await expect(broken).rejects.toThrow(/line 3.*a\.proto/);
    await expect(read('syntax = "proto3"; message A {}')).rejects.toMatchObject({ code: 'no_operations' });
    const odd = 'syntax = "proto3"; package __proto__; service constructor { rpc a(b) returns (c); }';
    await expect(read(odd)).rejects.toMatchObject({ code: 'no_operations' });
    expect(({} as Record<string, unknown>)['nested']).toBeUndefined();
  });
});

describe('messages as protobuf writes them in JSON', () => {
  const inputOf = async (text: string) => (await read(text)).endpoints[0]?.inputSchema ?? {};

  it('have names without the lines that end or part them', async () => {
    const schema = await inputOf(
      'syntax = "proto3"; service S { rpc A(B) returns (B); } message B { string class_ = 1; string _from_2 = 2; string aB_c = 3; }',
    );
    expect(Object.keys(schema['properties'] as object)).toEqual(['From2', 'aBC', 'class']);
  });

  it('say in words what is chosen among, with the comment on it', async () => {
    const schema = await inputOf(`syntax = "proto3";
service S { rpc Charge(Ask) returns (Ask); }
// A charge.
message Ask {
  int64 cents = 1;
  // How it is paid.
  oneof method { string card_token = 2; string iban = 3; }
  optional string note = 4;
}`);
    expect(schema['description']).toBe(
      'A charge.\n\nAt most one of `cardToken`, `iban` may be given (method). How it is paid.',
    );
    expect(Object.keys(schema['properties'] as object)).toEqual(['cardToken', 'cents', 'iban', 'note']);
  });

  it('require what an edition calls required', async () => {
    const schema = await inputOf(`edition = "2023";
service S { rpc Say(Ask) returns (Ask); }
message Ask { string text = 1 [features.field_presence = LEGACY_REQUIRED]; string more = 2; }`);
    expect(schema['required']).toEqual(['text']);
  });
});

describeWithCorpus('the .proto files of the corpus', () => {
  it('library', async () => {
    const { endpoints, warnings } = await readFlat(
      readCorpus('grpc/google/example/library/v1/library.proto'),
      { format: 'auto' },
    );
    expect(endpoints).toHaveLength(11);
    expect(warnings).toEqual([]);
  });

  it('speech, with what it imports', async () => {
    const paths = [
      'cloud/speech/v1/cloud_speech',
      'cloud/speech/v1/resource',
      'longrunning/operations',
      'rpc/status',
    ];
    const files = paths.map((path) => [
      `google/${path}.proto`,
      Buffer.from(readCorpus(`grpc/google/${path}.proto`)).toString(),
    ]);
    const document = await readFiles(Object.fromEntries(files) as Record<string, string>);
    expect(document.endpoints.map(({ name, extras }) => [name, extras['streaming']])).toEqual([
      ['Speech_LongRunningRecognize', undefined],
      ['Speech_Recognize', undefined],
      ['Speech_StreamingRecognize', 'bidirectional'],
    ]);
    expect(document.warnings).toMatchObject([
      {
        code: 'service_left_out',
        detail: expect.stringContaining('google.longrunning.Operations') as string,
      },
      ...document.endpoints.map(() => ({ code: 'definition_large' })),
    ]);
    expect(brokenLaws(document)).toEqual([]);
  });
});
