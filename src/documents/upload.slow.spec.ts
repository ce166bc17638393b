import { unpacked, writeTar, writeZip } from './archive.stream.js';
import { brokenLaws, compile, describeWithCorpus, readCorpus } from '../../test/import-laws.js';
import { readFlat } from '../../test/flat-endpoints.js';

const read = async (source: Uint8Array | object) => readFlat(await unpacked(source), { format: 'auto' });
const archived = (entries: Record<string, string>) =>
  Object.entries(entries).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));

const files = {
  'shop/openapi.yaml': [
    'openapi: 3.1.0',
    'info: { title: Shop, version: "1" }',
    'paths:',
    '  /orders/{id}: { $ref: "./paths/order.yaml" }',
    '  /away: { $ref: "../../etc/passwd" }',
    'components: { schemas: { Id: { type: integer, minimum: 1 } } }',
  ].join('\n'),
  'shop/paths/order.yaml': [
    'get:',
    '  operationId: getOrder',
    '  parameters: [{ $ref: "../common%20parts.json#/parameters/id" }]',
    '  responses: { 200: { description: ok, content: { application/json: { schema: { $ref: "../common%20parts.json#/schemas/Order" } } } } }',
  ].join('\n'),
  'shop/common parts.json': JSON.stringify({
    parameters: {
      id: { name: 'id', in: 'path', required: true, schema: { $ref: 'openapi.yaml#/components/schemas/Id' } },
    },
    schemas: {
      Order: {
        type: 'object',
        properties: { parent: { $ref: '#/schemas/Order' }, odd: { $ref: 'http://127.0.0.1:1/x' } },
      },
    },
  }),
  'shop/README.md': '# Shop',
};

describe('an upload of several files', () => {
  it('reads a reference once that aliases of YAML repeat', async () => {
    const schemas = [
      'Pair: { type: object, properties: { owner: &o { $ref: "#/Owner" }, buyer: *o } }',
      'Owner: { type: object, properties: { name: { type: string } } }',
    ].join('\n');
    const answer = { 200: { content: { 'application/json': { schema: { $ref: 'parts.yaml#/Pair' } } } } };
    const main = { openapi: '3.1.0', paths: { '/a': { get: { responses: answer } } } };
    const { endpoints, warnings } = await read({
      files: { 'openapi.json': JSON.stringify(main), 'parts.yaml': schemas },
    });
    expect(warnings).toEqual([]);
    expect(JSON.stringify(endpoints[0]?.outputSchema)).toContain('"name":{"type":"string"}');
  });

  it('follows references in schemas that have an address of their own', async () => {
    const person = {
      $id: 'https://schemas.example/person',
      type: 'object',
      properties: {
        boss: { $ref: 'person.json' },
        at: { $ref: '#/$defs/Place' },
        id: { $ref: 'https://schemas.example/id' },
      },
      $defs: {
        Place: { $id: 'place', type: 'object', properties: { of: { $ref: './id.json' }, in: { $ref: '#' } } },
      },
    };
    const answer = { 200: { content: { 'application/json': { schema: { $ref: 'schemas/person.json' } } } } };
    const { endpoints, warnings } = await read({
      files: {
        'openapi.json': JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get: { responses: answer } } } }),
        'schemas/person.json': JSON.stringify(person),
        'schemas/id.json': JSON.stringify({ $id: 'https://schemas.example/id', type: 'integer' }),
      },
    });
    expect(warnings).toEqual([]);
    const accepts = compile(endpoints[0]?.outputSchema ?? {});
    const valid = { id: 1, boss: { id: 2 }, at: { of: 3, in: { in: { of: 4 } } } };
    expect(accepts(valid)).toBe(true);
    const invalid = [{ boss: { id: 'x' } }, { at: { of: 'x' } }, { at: { in: { of: 'x' } } }, { id: 'x' }];
    expect(invalid.map((value) => accepts(value))).toEqual([false, false, false, false]);
  });

  const kinds: [string, () => Promise<Uint8Array | object>][] = [
    ['files', () => Promise.resolve({ files })],
    ['zip', () => writeZip(archived(files))],
    ['tar.gz', () => writeTar(archived(files))],
    [
      'zip in JSON',
      async () => ({
        archive: Buffer.from(await writeZip(archived(files))).toString('base64'),
        main: 'shop/openapi.yaml',
      }),
    ],
  ];
  it.each(kinds)('is one document, whose references lead from file to file: %s', async (_kind, pack) => {
    const document = await read(await pack());
    const { endpoints, warnings, title } = document;
    expect(title).toBe('Shop');
    expect(endpoints.map(({ key }) => key)).toEqual(['/orders/{id}@get']);
    expect(endpoints[0]).toMatchObject({
      inputSchema: { properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] },
      outputSchema: { properties: { parent: { $ref: expect.stringMatching(/^#\/\$defs\/Order/) } } },
    });
    expect(warnings.map(({ code, pointer }) => `${code} ${pointer}`).sort()).toEqual([
      'external_reference /files/shop~1common parts.json/schemas/Order/properties/odd',
      'external_reference /paths/~1away',
    ]);
    expect(brokenLaws(document)).toEqual([]);
  });

  it('is stored as one text that says the same', async () => {
    const first = await read({ files });
    const again = await read(Buffer.from(first.text));
    expect(again).toEqual(first);
    const reversed = Object.fromEntries(Object.entries(files).reverse());
    expect((await read({ files: reversed })).text).toBe(first.text);
  });

  it('may be .proto or GraphQL files side by side', async () => {
    const proto = {
      'a/service.proto':
        'syntax = "proto3"; package a; import "a/types.proto"; service S { rpc Get(Id) returns (Id); }',
      'a/types.proto': 'syntax = "proto3"; package a; message Id { string id = 1; }',
    };
    const grpc = await read({ files: proto });
    expect(grpc).toMatchObject({ format: 'grpc', warnings: [], endpoints: [{ key: 'a.S/Get@call' }] });
    expect(await read(Buffer.from(grpc.text))).toEqual(grpc);
    const graphql = await read({
      files: { 'a.graphql': 'type Query { one: One }', 'b.gql': 'type One { id: ID }' },
    });
    expect(graphql).toMatchObject({ format: 'graphql', endpoints: [{ key: 'query/one@call' }] });
  });

  it('names its description, or has one that is found', async () => {
    const api = (title: string) => JSON.stringify({ openapi: '3.1.0', info: { title }, paths: {} });
    const both = { 'a.json': api('A'), 'b.json': api('B') };
    await expect(read({ files: both })).rejects.toMatchObject({ code: 'main_unknown' });
    expect((await read({ files: both, main: 'b.json' })).title).toBe('B');
    expect((await read({ files: { ...both, 'openapi.json': api('C') } })).title).toBe('C');
    expect((await read({ files: { 'x/a.json': api('A'), 'b.json': api('B') } })).title).toBe('B');
    await expect(read({ files: both, main: 'c.json' })).rejects.toMatchObject({ code: 'main_unknown' });
    await expect(read({ files: { 'a.json': '{}' } })).rejects.toMatchObject({ code: 'main_unknown' });
  });

  it('loses a file that can’t be read, and refuses a description that can’t', async () => {
    const api = '{"openapi": "3.1.0", "paths": {}}';
    const { warnings } = await read({ files: { 'openapi.json': api, 'broken.json': '{' } });
    expect(warnings).toMatchObject([{ code: 'file_skipped', pointer: '/files/broken.json' }]);
    const broken = read({ files: { 'openapi.json': api, 'broken.json': '{' }, main: 'broken.json' });
    await expect(broken).rejects.toMatchObject({ code: 'malformed_json' });
  });

  it('keeps no secret of any file', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const { text, warnings } = await read({
      files: { 'openapi.yaml': `openapi: 3.1.0\npaths: {}\nx-a: ${token}\n` },
    });
    expect(text).not.toContain(token);
    expect(warnings).toMatchObject([{ code: 'secret_redacted', pointer: '/files/openapi.yaml/x-a' }]);
  });
});

describe('a hostile upload', () => {
  const api = '{"openapi": "3.1.0", "paths": {}}';

  it.each(['../openapi.json', 'a/../../b.json', '/etc/a.json', 'C:/a.json', 'a\\b.json', 'a//b.json'])(
    'is refused where a path leaves the folder: %s',
    async (path) => {
      await expect(read({ files: { 'openapi.json': api, [path]: api } })).rejects.toMatchObject({
        code: 'unsafe_path',
      });
    },
  );

  it('is refused where it unpacks to more than fits', async () => {
    const bomb = { 'openapi.json': api, 'bomb.json': '0'.repeat(33 * 1024 * 1024) };
    for (const packed of [await writeZip(archived(bomb)), await writeTar(archived(bomb))]) {
      expect(packed.length).toBeLessThan(100_000);
      await expect(read(packed)).rejects.toMatchObject({ code: 'document_too_expensive' });
    }
    const many = Object.fromEntries(
      Array.from({ length: 10_100 }, (_, index) => [`${String(index)}.json`, '1']),
    );
    await expect(read({ files: many })).rejects.toMatchObject({ code: 'document_too_expensive' });
  });

  it('may be a vendor’s folder of thousands of small files', async () => {
    const count = 3_000;
    const parts = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `schemas/s${String(at)}.yaml`,
        `type: integer\nminimum: ${String(at)}\n`,
      ]),
    );
    const schema = { $ref: `schemas/s${String(count - 1)}.yaml` };
    const operation = {
      operationId: 'getOne',
      parameters: [{ name: 'id', in: 'query', schema }],
      responses: { '200': { description: 'fine' } },
    };
    const main = {
      openapi: '3.1.0',
      info: { title: 'Many', version: '1' },
      paths: { '/one': { get: operation } },
    };
    const { endpoints } = await read({ files: { ...parts, 'openapi.json': JSON.stringify(main) } });
    expect(endpoints[0]?.inputSchema).toMatchObject({ properties: { id: { minimum: count - 1 } } });
  });

  it('is refused where it is cut off or nothing of the kind', async () => {
    const zip = await writeZip(archived(files));
    await expect(read(zip.subarray(0, 300))).rejects.toMatchObject({ code: 'malformed_archive' });
    await expect(read({ archive: 'aGFsbG8=' })).rejects.toMatchObject({ code: 'malformed_archive' });
    await expect(read({ files: { 'a.md': '# A' } })).rejects.toMatchObject({ code: 'document_empty' });
  });
});

describeWithCorpus('the .proto folder of the corpus', () => {
  it('is read as a zip', async () => {
    const paths = [
      ...['cloud/speech/v1/cloud_speech', 'cloud/speech/v1/resource', 'longrunning/operations'],
      ...['rpc/status', 'api/annotations', 'api/http'],
    ].map((path) => `google/${path}.proto`);
    const zip = await writeZip(paths.map((path) => ({ path, bytes: readCorpus(`grpc/${path}`) })));
    const { endpoints, warnings } = await read(zip);
    const methods = ['LongRunningRecognize', 'Recognize', 'StreamingRecognize'];
    expect(endpoints.map(({ name }) => name)).toEqual(methods.map((name) => `Speech_${name}`));
    expect(warnings.map(({ code }) => code)).toEqual([
      'service_left_out',
      ...methods.map(() => 'definition_large'),
    ]);
  });
});
