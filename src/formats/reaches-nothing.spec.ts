import { createHook } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { lightapi, named, openrpc, proto, service } from '../../test/hostile-documents.js';
import {
  code,
  elsewhere,
  openapiElsewhere,
  openapiOfCode,
  reserved,
  swaggerElsewhere,
} from '../../test/hostile-openapi.js';

type Functions = Record<string, unknown>;

/**
 * Tells of every call of Node's functions on files and programs, the synchronous ones too. What imports one of them by
 * its name keeps the one that it found: the watch begins before anything that it is to see is loaded.
 */
class Watch {
  readonly touched: string[] = [];
  private isOn = false;
  private readonly replaced: (readonly [holder: Functions, name: string, original: unknown])[] = [];

  constructor() {
    const require = createRequire(import.meta.url);
    for (const holder of ['node:fs', 'node:child_process'].map((name) => require(name) as Functions)) {
      for (const [name, original] of Object.entries(holder)) {
        if (typeof original !== 'function' || !/^[a-z]/.test(name)) continue;
        this.replaced.push([holder, name, original]);
        holder[name] = new Proxy(original, {
          apply: (called, self, given: unknown[]): unknown => {
            if (this.isOn) this.touched.push(`${name} ${String(given[0])}`);
            return Reflect.apply(called as () => unknown, self, given);
          },
        });
      }
    }
  }

  begin(): void {
    this.touched.length = 0;
    this.isOn = true;
  }

  end(): void {
    this.isOn = false;
  }

  giveBack(): void {
    for (const [holder, name, original] of this.replaced) holder[name] = original;
  }
}

const watch = new Watch();
afterAll(() => {
  watch.giveBack();
});
// Loaded from here on: the watch has begun.
const { readDescription } = await import('./read-description.js');
const { unpacked, writeZip } = await import('../documents/archive.stream.js');

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
    ['openapi', openapiElsewhere],
    ['openapi', swaggerElsewhere],
    ['openapi', reserved('"openapi":"3.1.0"', (members) => `"components":{"schemas":{${members}}}`)],
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

  it.each([
    ['by name', async () => (await import('node:fs')).existsSync],
    ['by default', async () => (await import('node:fs')).default.existsSync],
    ['without node:', async () => (await import('fs')).existsSync],
  ])('would be seen to touch a file: %s', async (_way, load) => {
    const existsSync = await load();
    watch.begin();
    existsSync('/etc/passwd');
    watch.end();
    expect(watch.touched).toEqual(['existsSync /etc/passwd']);
  });

  it('would be seen to run a program', async () => {
    const { execFileSync } = await import('node:child_process');
    watch.begin();
    execFileSync(process.execPath, ['--version']);
    watch.end();
    expect(watch.touched).toContain(`execFileSync ${process.execPath}`);
  });

  /** What it came to, where nothing was opened, touched or run. */
  async function readApart(document: string | object) {
    const read = async () => readDescription(await unpacked(document), { format: 'auto' });
    // Once before, so that whatever is loaded when it is first needed is there.
    await read();
    const opened: string[] = [];
    const hook = createHook({ init: (_id, type) => reaches.test(type) && opened.push(type) });
    watch.begin();
    hook.enable();
    const parsed = await read().finally(() => {
      hook.disable();
      watch.end();
    });
    expect([opened, watch.touched]).toEqual([[], []]);
    expect(JSON.stringify(parsed.offers)).not.toContain('root:');
    expect([Reflect.has(globalThis, 'ran'), Reflect.get({}, 'polluted')]).toEqual([false, undefined]);
    return parsed;
  }

  it.each(reaching)('of %s opens no connection and touches no file', async (format, document) => {
    expect((await readApart(document)).format).toBe(format);
  });

  it('that is packed opens no connection and touches no file', async () => {
    const files = { 'openapi.json': openapiElsewhere, 'b/c.json': { a: { $ref: '../../../etc/passwd' } } };
    const packed = Object.entries(files).map(([path, value]) => ({
      path,
      bytes: Buffer.from(JSON.stringify(value)),
    }));
    const archive = Buffer.from(await writeZip(packed)).toString('base64');
    expect((await readApart({ archive })).offers).toHaveLength(elsewhere.length + 1);
  });

  it('with code in its words shows them and runs nothing', async () => {
    const { offers, text } = await readApart(openapiOfCode);
    const facts = offers.map((offer) => JSON.parse(offer.facts) as object);
    expect(facts).toMatchObject([{ description: code, sourceName: code, title: code, tags: [code] }]);
    expect(JSON.parse(text)).toEqual(openapiOfCode);
  });
});
