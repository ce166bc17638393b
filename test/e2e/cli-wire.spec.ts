import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodes } from '../../src/cli/output.js';
import { runIn } from './command-line.js';
import { newHome, type Home } from './home.js';
import { hostId } from './server.js';

const agent = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';
const overHttp = (answer: (response: ServerResponse) => void): Server =>
  createHttpServer((request, response) => {
    request.resume().on('end', () => {
      answer(response);
    });
  });
const problem = { title: 'Not Found', code: 'not_found', detail: 'There is no such thing here.' };

/** What a place that is no catalog may do, and how a command that meets it ends. */
const answers: Readonly<Record<string, readonly [() => Server, number, RegExp]>> = {
  'closes the connection at once': [
    () => createServer((socket) => socket.destroy()),
    exitCodes.unreachable,
    /could not be reached, or did not answer/,
  ],
  'ends the connection politely': [
    () => createServer((socket) => socket.on('error', () => undefined).end()),
    exitCodes.unreachable,
    /could not be reached, or did not answer/,
  ],
  'sends a web page with 200': [
    () => overHttp((response) => response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>')),
    exitCodes.unreachable,
    /no portal catalog: it sends a web page/,
  ],
  'breaks off its answer': [
    () =>
      overHttp((response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"items": [');
        setImmediate(() => response.destroy());
      }),
    exitCodes.unreachable,
    /could not be reached, or did not answer/,
  ],
  'sends half of its JSON': [
    () => overHttp((response) => response.setHeader('content-type', 'application/json').end('{"items": [')),
    exitCodes.unreachable,
    /The answer is no JSON/,
  ],
  'sends JSON of something else': [
    () => overHttp((response) => response.setHeader('content-type', 'application/json').end('{"hello": 1}')),
    exitCodes.unreachable,
    /not what a portal catalog answers/,
  ],
  'does not find it': [
    () =>
      overHttp((response) => {
        response.writeHead(404, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify(problem));
      }),
    exitCodes.refused,
    /There is no such thing here[^]*service shop[^]*environment dev/,
  ],
};

let home: Home;
let folder: string;
let token: string;
/** It keeps its key there, and no user's contexts are read. */
const run = (...args: string[]) => runIn({ DATA_DIR: folder, XDG_CONFIG_HOME: folder }, ...args);
beforeAll(async () => {
  home = await newHome('embedded', true);
  folder = await mkdtemp(join(tmpdir(), 'portal-catalog-wire-'));
  await writeFile(join(folder, 'api.yaml'), 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {}\n');
  await writeFile(join(folder, 'SKILL.md'), '---\nname: a\ndescription: b\n---\n\nDo.\n');
  await writeFile(join(folder, 'rows.jsonl'), '{"prompt": "x", "expect": ["y"]}\n');
  await mkdir(join(folder, 'tools/specs/a'), { recursive: true });
  const spec = 'version: 1.0.0\nname: a\ndescription: b\ninputSchema: { type: object }\n';
  await writeFile(join(folder, 'tools/specs/a/v1_0_0.yaml'), spec);
  const whose = ['--host', hostId, '--sid', 'shop', '--env', 'dev', '--scope', 'catalog:admin'];
  token = (await run('token', ...whose)).out.trim();
});
afterAll(async () => {
  await home.raze();
  await rm(folder, { recursive: true });
});

describe.each(Object.entries(answers))('where the other side %s', (_how, [make, code, words]) => {
  let server: Server;
  const sockets: Socket[] = [];
  let connection: readonly string[];

  beforeAll(async () => {
    server = make();
    server.on('connection', (socket: Socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    connection = ['--url', `http://127.0.0.1:${String(port)}`, '--token', token];
  });
  afterAll(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    // What a program has sent and nobody has read would keep its connection open for ever.
    for (const socket of sockets) socket.destroy();
    await closed;
  });

  it('every command ends with a sentence and a code, and no stack', async () => {
    const commands = [
      ['import', join(folder, 'api.yaml'), '--api', 'a', '--env', 'dev'],
      ['publish', '--api-version', agent],
      ['catalog', '--agent', agent],
      ['skill', 'import', join(folder, 'SKILL.md')],
      ['search', 'anything'],
      ['eval', join(folder, 'rows.jsonl')],
      ['query', '--named', 'tools-without-a-skill', '--json'],
      ['gateway', 'list'],
      ['gateway', 'check', agent],
      ['gateway', 'accept', agent, '--all'],
      ['webhook', 'list'],
      ['webhook', 'deliveries', agent],
      ['registry', 'push', folder],
      ['registry', 'pull', folder],
    ];
    const ends: [string, number | null, string][] = [];
    for (const command of commands) {
      const { code: ended, output } = await run(...command, ...connection);
      ends.push([command.slice(0, 2).join(' '), ended, output]);
    }
    for (const [command, ended, output] of ends) {
      expect([command, ended, output]).toEqual([command, code, expect.stringMatching(words) as string]);
      expect(output).not.toMatch(/^ +at .*:\d+:\d+/m);
    }
  });
});

it.each([[['verify']], [['rebuild']], [['export', '--host', hostId]]])(
  'says of a database without a catalog how to make one: %s',
  async (command) => {
    const { code, output } = await runIn(home.environment, ...command);
    expect([code, output]).toEqual([
      exitCodes.failed,
      expect.stringMatching(/portal-catalog migrate makes it/),
    ]);
    expect(output).not.toMatch(/^ +at .*:\d+:\d+/m);
  },
);
