import { createHook } from 'node:async_hooks';
import fs from 'node:fs';
import { lightapi, named, openrpc, proto, service } from '../../test/hostile-documents.js';
import { parseDocument } from './parse-document.js';

/** Tells of every call of Node's file functions, the synchronous ones too, until it ends. */
function watchFiles(): { readonly touched: string[]; end(): void } {
  const touched: string[] = [];
  const holder = fs as unknown as Record<string, unknown>;
  const watched = Object.entries(holder).filter(
    ([name, value]) =>
      typeof value === 'function' && /^(access|exists|l?stat|open|read|realpath|write|create)/.test(name),
  );
  for (const [name, original] of watched) {
    holder[name] = (...given: unknown[]): unknown => {
      touched.push(`${name} ${String(given[0])}`);
      return (original as (...given: unknown[]) => unknown)(...given);
    };
  }
  return { touched, end: () => Object.assign(holder, Object.fromEntries(watched)) };
}

describe('reading a document', () => {
  const address = 'http://127.0.0.1:9/x';
  const places = [address, 'file:///etc/passwd', '/etc/passwd', '../../package.json'];
  const schema = { type: 'object', properties: named(4, 'p', (index) => ({ $ref: places[index] })) };
  const reaching: [format: string, document: string | object][] = [
    [
      'openapi',
      {
        openapi: '3.1.0',
        $self: address,
        servers: [{ url: address }],
        paths: {
          '/a': { $ref: places[1] },
          '/b': { post: { requestBody: { content: { 'application/json': { schema } } } } },
        },
      },
    ],
    [
      'openrpc',
      openrpc([
        { name: 'a', params: [{ name: 'p', schema }, { $ref: places[2] }], servers: [{ url: address }] },
      ]),
    ],
    [
      'mcp',
      {
        tools: [
          {
            name: 'a',
            icons: [{ src: address }],
            inputSchema: { ...schema, $schema: address, $id: address },
          },
        ],
      },
    ],
    [
      'lightapi',
      lightapi(
        { source: 's', input: { schema } },
        { sources: { s: { type: 'openapi', version: '1', document: places[1] } } },
      ),
    ],
    [
      'graphql',
      `extend schema @link(url: "${address}") type Query { a: D } scalar D @specifiedBy(url: "${address}")`,
    ],
    [
      'grpc',
      proto(
        `import "../../../etc/passwd"; import "${address}"; import "google/protobuf/any.proto"; ${service} message M { google.protobuf.Any a = 1; }`,
      ),
    ],
    [
      'openapi',
      {
        files: {
          'openapi.yaml':
            'openapi: 3.1.0\npaths: { /a: { $ref: ../../package.json }, /b: { $ref: nowhere.yaml } }\n',
          'b.yaml': 'a: 1\n',
        },
      },
    ],
  ];
  /** What opens connections, files or programs, by the names that Node gives it. */
  const reaches = /^(TCP|UDP|PIPE|TLS|GETADDRINFO|GETNAMEINFO|QUERY|FSREQ|FSEVENT|FILEHANDLE|PROCESS|WORKER)/;

  it('would be seen to touch a file', () => {
    const files = watchFiles();
    fs.existsSync('/etc/passwd');
    files.end();
    expect(files.touched).toEqual(['existsSync /etc/passwd']);
  });

  it.each(reaching)('of %s opens no connection and touches no file', async (format, document) => {
    const read = () => parseDocument(document, { format: 'auto' });
    // Once before, so that whatever is loaded when it is first needed is there.
    expect((await read()).format).toBe(format);
    const opened: string[] = [];
    const hook = createHook({ init: (_id, type) => reaches.test(type) && opened.push(type) });
    const files = watchFiles();
    hook.enable();
    const { endpoints } = await read().finally(() => {
      hook.disable();
      files.end();
    });
    expect([opened, files.touched]).toEqual([[], []]);
    expect(JSON.stringify(endpoints)).not.toContain('root:');
  });
});
