import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { UnreadableDocument } from './findings.js';
import { documentLimits } from './limits.js';
import { readYaml } from './yaml.js';
import { many } from '../../test/soak.js';
import { readFlat } from '../../test/flat-endpoints.js';

const read = (source: string | Uint8Array | object, mediaType = '') =>
  readFlat(source, { format: 'auto', mediaType });

async function refusal(
  source: string | Uint8Array | object,
  mediaType?: string,
): Promise<UnreadableDocument> {
  try {
    await read(source, mediaType);
  } catch (fault) {
    if (fault instanceof UnreadableDocument) return fault;
    throw fault;
  }
  throw new Error('The document was not refused.');
}

describe('YAML whose lists and mappings in flow style are no further in than their keys', () => {
  const text = (extra = '') => `openapi: 3.1.0
info:
  title: Moon
  version: "1"
  x-list: [
    a,
    b
  ]
  x-text: |
    {
      "list": [
      ]
    }
paths:
  /moon:
    get:
      operationId: getMoon
      parameters: [
        { name: day, in: query, schema: {
          type: string
        }
      }
      ]
      responses: { '200': { description: fine } }
${extra}`;

  it('is read, with a warning that names the line, and its texts stay as they are', async () => {
    const { endpoints, warnings, text: kept } = await read(text());
    expect(endpoints[0]).toMatchObject({ name: 'getMoon', inputSchema: { properties: { day: {} } } });
    expect(warnings).toEqual([
      {
        code: 'yaml_mended',
        pointer: '',
        detail: expect.stringMatching(/^Line 8 .*2 lines like it/) as string,
      },
    ]);
    expect(kept).toBe(text());
    const faults = { onDuplicate: () => undefined, onShallowLines: () => undefined };
    expect(readYaml(text(), documentLimits, faults)).toMatchObject({
      info: { 'x-list': ['a', 'b'], 'x-text': '{\n  "list": [\n  ]\n}\n' },
    });
  });

  it.each([
    ['at the top', 'tags: [\n  a\n]\nb: 1\n', { tags: ['a'], b: 1 }],
    ['in a mapping', 'x:\n  tags: [\n    a\n  ]\n  b: 1\n', { x: { tags: ['a'], b: 1 } }],
    [
      'deep down',
      'x:\n  y:\n    z:\n      tags: [\n        a\n      ]\n',
      { x: { y: { z: { tags: ['a'] } } } },
    ],
    [
      'in a list',
      'x:\n  - tags: [\n      a\n    ]\n    b: {\n      c: 1\n    }\n',
      { x: [{ tags: ['a'], b: { c: 1 } }] },
    ],
    [
      'at each depth at once',
      'x:\n  y: [\n    a\n  ]\n  z:\n    y: [\n      b\n    ]\ny: [\n  c\n]\n',
      { x: { y: ['a'], z: { y: ['b'] } }, y: ['c'] },
    ],
    [
      'where one closes and the next opens',
      'x:\n  y: [{\n    a: 1\n  }, {\n    a: 2\n  }]\nz: 1\n',
      { x: { y: [{ a: 1 }, { a: 2 }] }, z: 1 },
    ],
    [
      'where its items stand no further in',
      'x:\n  y: {\n  "a": 1,\n  b: [1,\n2]\n  }\n',
      { x: { y: { a: 1, b: [1, 2] } } },
    ],
    ['where its key is further in', 'x:\n    y: [\n      a\n  ]\nz: 1\n', { x: { y: ['a'] }, z: 1 }],
    [
      'where it closes at the mark of an item',
      'x:\n  - y: [\n      a\n  ]\n  -\n    z: 1\n',
      { x: [{ y: ['a'] }, { z: 1 }] },
    ],
    [
      'beside comments',
      "x:\n  y: [ # ]\n    a\n# it's ]\n  ] # [\n  z: b # [\n",
      { x: { y: ['a'], z: 'b' } },
    ],
    [
      'beside brackets and quotes in texts',
      `x:\n  y: [\n    "a]\\"", 'it''s]', it's\n  ]\n  z: it's [\n    so\n  "k: [": [b\n  ]\n`,
      { x: { y: ['a]"', "it's]", "it's"], z: "it's [ so", 'k: [': ['b'] } },
    ],
    [
      'beside blocks of text',
      'x:\n  - |\n   [\n  - y: >-\n      {\n    z: [\n    a\n    ]\n  - &b !!map\n    c: {}\n',
      { x: ['[\n', { y: '{', z: ['a'] }, { c: {} }] },
    ],
    [
      'with lines that end as those of Windows',
      'x:\r\n  y: [\r\n    a\r\n  ]\r\n  z: b\r\n',
      { x: { y: ['a'], z: 'b' } },
    ],
    ['in a document with edges', '%YAML 1.2\n---\nx:\n  y: [\n  a\n  ]\n...\n', { x: { y: ['a'] } }],
    ['in a quoted text', 'x:\n  y: "a\n  b"\n  z: \'c\nd\'\n', { x: { y: 'a b', z: 'c d' } }],
  ])('is read %s', (_, closed, value) => {
    const faults = { onDuplicate: () => undefined, onShallowLines: () => undefined };
    expect(readYaml(closed, documentLimits, faults)).toEqual(value);
  });

  it('is read whatever stands in it, and however far out', () => {
    const faults = { onDuplicate: () => undefined, onShallowLines: () => undefined };
    const indents = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1 }), indents, (value, columns) => {
        const [first = '', ...rest] = JSON.stringify(value, null, 2).split('\n');
        const lines = rest.map(
          (line, at) => ' '.repeat(columns[at % columns.length] ?? 0) + line.trimStart(),
        );
        const text = `x:\n    - y: ${[first, ...lines].join('\n')}\n      z: 1\nv: 2\n`;
        expect(readYaml(text, documentLimits, faults)).toEqual({
          x: [{ y: JSON.parse(JSON.stringify(value)), z: 1 }],
          v: 2,
        });
      }),
      many(200),
    );
  });

  it('is refused where something else is amiss', async () => {
    const open = await refusal('openapi: 3.1.0\ninfo:\n  x-list: [\n    a\n  ]\n  x-more: [a\npaths: {}\n');
    expect(open.code).toBe('malformed_yaml');
    const block = await refusal('openapi: 3.1.0\ninfo:\n    a: 1\n  b: 2\npaths: {}\n');
    expect([block.code, block.detail]).toEqual(['malformed_yaml', expect.stringContaining('line 4')]);
    const wide = `${' '.repeat(1000)}- [\n${'a,\n'.repeat(1000)}]\n`;
    expect((await refusal(wide)).code).toBe('malformed_yaml');
  });

  it('costs no more than reading a few times, however many such lines there are', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `x-${String(at)}: [\n  a\n]\n`).join('');
    const { warnings } = await read(text(many));
    expect(warnings.filter(({ code }) => code === 'yaml_mended')).toHaveLength(1);
  });
});

describe('what is no document', () => {
  it.each([
    ['a comma too many', '{\n  "openapi": "3.1.0",\n  "paths": {},\n}', 'malformed_json', 'line 4, column 1'],
    ['a word without quotes', '{"a": x}', 'malformed_json', 'line 1, column 7'],
    ['a truncated object', '{"openapi": "3.1.0"', 'malformed_json', 'line 1, column 20'],
    ['two objects', '{}\n{}', 'malformed_json', 'line 2, column 1'],
    ['a comment', '{/* a */}', 'malformed_json', 'line 1, column 2'],
    ['bad indentation', 'openapi: 3.1.0\npaths:\n  /a:\n   get: x\n  b: [\n', 'malformed_yaml', 'line '],
    ['an unknown alias', 'openapi: 3.1.0\ninfo: *nobody\n', 'malformed_yaml', 'line 2, column 8'],
    ['two YAML documents', 'a: 1\n---\nb: 2\n', 'malformed_yaml', 'line 2'],
  ])('%s is refused with its place', async (_name, text, code, place) => {
    const fault = await refusal(text);
    expect(fault.code).toBe(code);
    expect(fault.detail).toContain(place);
  });

  it.each([
    ['nothing', ' \n ', 'document_empty', 'empty'],
    ['a sentence', 'hello world', 'unknown_format', 'single value'],
    ['an unknown object', '{"petstore": true, "b": 1}', 'unknown_format', '"petstore"'],
    ['HTML', '<!DOCTYPE html><html></html>', 'unsupported_format', 'HTML'],
    ['WSDL', '<?xml version="1.0"?><definitions/>', 'unsupported_format', 'XML'],
    ['a broken .proto file', 'syntax = "proto3";\nservice A {\n  rpc B\n}', 'malformed_proto', 'line 4'],
    ['a .proto file without services', 'syntax = "proto3";', 'no_operations', 'service'],
    ['a broken GraphQL schema', 'type Query {\n  a Int\n}', 'malformed_graphql', 'line 2, column 5'],
    ['LightAPI of another version', 'lightapi: 0.2.0\n', 'unsupported_version', '0.2.0'],
    ['OpenRPC 2', '{"openrpc": "2.0.0", "methods": []}', 'unsupported_version', '2.0.0'],
    ['AsyncAPI', 'asyncapi: 3.0.0\n', 'unsupported_format', 'AsyncAPI'],
    ['a Postman collection', '{"info": {"_postman_id": "1"}, "item": []}', 'unsupported_format', 'Postman'],
    ['OpenAPI 4', '{"openapi": "4.0.0", "paths": {}}', 'unsupported_version', '4.0.0'],
    ['paths of another kind', '{"openapi": "3.1.0", "paths": []}', 'malformed_openapi', 'paths'],
  ])('%s is refused in words that help', async (_name, text, code, word) => {
    const fault = await refusal(text);
    expect(fault.code).toBe(code);
    expect(fault.detail).toContain(word);
  });

  it('names the format that it was said to be', async () => {
    await expect(readFlat('{"tools": []}', { format: 'openapi' })).rejects.toMatchObject({
      code: 'format_mismatch',
    });
    await expect(readFlat('{"a": 1}', { format: 'graphql' })).rejects.toMatchObject({
      code: 'unknown_format',
    });
  });
});

describe('what is read with a grain of salt', () => {
  const empty = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: {} };

  it('reads a byte order mark, UTF-16, and YAML in braces where it is said to be YAML', async () => {
    const text = JSON.stringify(empty);
    expect((await read(`\ufeff${text}`)).title).toBe('A');
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    expect((await read(utf16)).title).toBe('A');
    expect((await read('{openapi: 3.1.0, paths: {}}', 'application/yaml')).formatVersion).toBe('3.1.0');
    expect((await read('swagger: 2.0\npaths: {}\n')).formatVersion).toBe('2.0');
  });

  it('replaces NUL and lone surrogates, and leaves out __proto__, each with a warning', async () => {
    const text = '{"openapi":"3.1.0","info":{"title":"a\\u0000b\\ud800"},"paths":{},"__proto__":{"x":1}}';
    const document = await read(text);
    expect(document.title).toBe('a\ufffdb\ufffd');
    expect(document.warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['characters_replaced', '/info/title'],
      ['member_dropped', ''],
    ]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('replaces secrets, in the text to store too, and comments that hold them', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const json = await read({ ...empty, info: { title: `Use ${token}!` } });
    expect(json.title).toBe('Use [redacted:github]!');
    expect(json.text).not.toContain(token);
    const yaml = await read(`openapi: 3.1.0\npaths: {}\n# ${token}\n`);
    expect(yaml.text).not.toContain(token);
    expect(yaml.warnings).toMatchObject([{ code: 'secret_redacted', pointer: '' }]);
    const again = await read(json.text);
    expect(again.warnings).toEqual([]);
    expect(again.text).toBe(json.text);
  });

  it.each([
    ['JSON', (token: string) => `{"openapi":"3.1.0","info":{"title":"${token}","title":"A"},"paths":{}}`],
    [
      'JSON with blanks',
      (token: string) =>
        `{"openapi"${' '.repeat(2_000)}:"3.1.0","info":{"title":"${token}","title":"A"},"paths":{}}`,
    ],
    [
      'a member that is dropped',
      (token: string) => `{"openapi":"3.1.0","info":{"title":"A"},"paths":{},"__proto__":{"x":"${token}"}}`,
    ],
    ['YAML', (token: string) => `openapi: 3.1.0\ninfo: {title: "${token}", title: A}\npaths: {}\n`],
  ])('keeps no secret that stands in a member that does not count: %s', async (_name, text) => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    for (const written of [token, token.replace('g', '\\u0067')]) {
      const document = await read(text(written));
      expect(document.text).not.toContain(written);
      expect(document.title).toBe('A');
      expect((await read({ files: { 'a.json': text(written) } })).text).not.toContain(token.slice(1));
    }
  });

  it('keeps the text as it came where nothing had to go', async () => {
    const text = '# a comment\nopenapi: 3.1.0\npaths: {}\n';
    expect((await read(text)).text).toBe(text);
  });
});

describe('hostile documents', () => {
  it('opens no connection and reads no file, whatever is referred to', async () => {
    let visits = 0;
    const server = createServer((_request, response) => {
      visits++;
      response.end('{"type":"string","description":"fetched"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/x.json`;
    const references = [
      address,
      `${address}#/a`,
      new URL(import.meta.url).href,
      '/etc/passwd',
      '../../package.json#/name',
    ];
    const operations = references.map(($ref) => ({
      parameters: [{ $ref }, { name: 'a', in: 'query', schema: { $ref } }],
      requestBody: { $ref },
      responses: { 200: { $ref } },
      externalDocs: { url: $ref },
      servers: [{ url: $ref }],
    }));
    const paths = Object.fromEntries(operations.map((post, index) => [`/${String(index)}`, { post }]));
    const more = Object.fromEntries(references.map(($ref, index) => [`/more/${String(index)}`, { $ref }]));
    const $id = new URL('/itself.json', address).href;
    const { endpoints, warnings } = await read({
      openapi: '3.1.0',
      $self: $id,
      $id,
      jsonSchemaDialect: address,
      paths: { ...paths, ...more },
    });
    expect(endpoints).toHaveLength(references.length);
    expect(warnings.filter(({ code }) => code === 'external_reference')).toHaveLength(references.length * 5);
    expect(JSON.stringify(endpoints.map(({ inputSchema }) => inputSchema))).not.toContain('fetched');
    await expect(read(`openapi: 3.1.0\npaths: !include ${address}\n`)).rejects.toMatchObject({
      code: 'malformed_yaml',
    });
    await new Promise((resolve) => server.close(resolve));
    expect(visits).toBe(0);
  });

  it.each([
    [
      'aliases of aliases',
      `a: &a [x, x]\n${'bcdefghijk'
        .split('')
        .map(
          (name, index, all) =>
            `${name}: &${name} [${Array(9)
              .fill(`*${all[index - 1] ?? 'a'}`)
              .join(', ')}]`,
        )
        .join('\n')}\n`,
      'document_too_large',
    ],
    [
      'deep JSON',
      `{"openapi":"3.1.0","paths":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'document_too_deep',
    ],
    ['deep broken JSON', `{"openapi":"3.1.0","paths":${'['.repeat(100_000)}`, 'malformed_json'],
    ['deep YAML', `openapi: 3.1.0\npaths: ${'['.repeat(50_000)}`, undefined],
    ['many values', `{"openapi":"3.1.0","x":[${'0,'.repeat(2_100_000)}0],"paths":{}}`, 'document_too_large'],
  ])('%s are refused, and it is said why', async (_name, text, code) => {
    const fault = await refusal(text);
    if (code !== undefined) expect(fault.code).toBe(code);
    expect(fault.detail.length).toBeGreaterThan(20);
  });

  it('refuses operations that repeat large definitions without measure', async () => {
    const large = {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 1_000 }, (_, index) => [
          `p${String(index)}`,
          { type: 'string', description: 'x'.repeat(50) },
        ]),
      ),
    };
    const operation = {
      responses: {
        200: {
          content: {
            'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/large' } } },
          },
        },
      },
    };
    const paths = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`/${String(index)}`, { get: operation }]),
    );
    const fault = await refusal({ openapi: '3.1.0', paths, components: { schemas: { large } } });
    expect(fault.code).toBe('document_too_large');
  });

  it('refuses long texts that are repeated without measure', async () => {
    const text = `openapi: 3.1.0\npaths: {}\nx-a: &a ${'text '.repeat(20_000)}\nx-b: [${'*a,'.repeat(10_000)}]\n`;
    expect((await refusal(text)).code).toBe('document_too_large');
  });

  it('reads members called headers in one another, ninety deep', async () => {
    let nested: object = { type: 'file' };
    for (let depth = 0; depth < 90; depth++) nested = { headers: nested };
    const operation = {
      parameters: [{ name: 'a', in: 'query', type: 'string', items: nested, headers: nested }],
      responses: { 200: { schema: nested } },
    };
    const { endpoints } = await read({
      swagger: '2.0',
      paths: { '/a': { get: operation } },
      definitions: { a: nested },
    });
    expect(endpoints).toHaveLength(1);
  });
});
