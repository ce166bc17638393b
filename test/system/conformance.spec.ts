import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAccountAgent } from '../e2e/account-agent.js';
import { OwnServer } from '../e2e/own-server.js';
import { describeUnless } from '../unless.js';

/** Official programs, installed apart by `npm test`; they need Node.js 22. */
const home = 'test/conformance';
const programs = join(home, 'node_modules');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const node = [
  ...(major > 22 || (major === 22 && minor >= 19) ? [process.execPath] : []),
  join(programs, `node-${process.platform}-${process.arch}`, 'bin', 'node'),
].find(existsSync);
const suite = join(programs, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const inspector = join(
  programs,
  '@modelcontextprotocol',
  'inspector',
  'clients',
  'launcher',
  'build',
  'index.js',
);
const isInstalled = node !== undefined && existsSync(suite) && existsSync(inspector);
const lacking = isInstalled
  ? undefined
  : `${home} is not installed, or there is no Node.js 22 for this machine`;
if (lacking !== undefined && process.env['CONFORMANCE'] === 'required')
  throw new Error(`${lacking}: (cd ${home} && npm ci) brings both.`);

interface Check {
  readonly id: string;
  readonly status: string;
}

/** What checks of scenarios that apply look for in vain. */
const fixtures = [
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
];

describeUnless(lacking, 'the official programs', () => {
  let server: OwnServer;
  let token: string;
  let door: Server;
  let folder: string;
  let skillId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portal-catalog-conformance-'));
    server = await OwnServer.start('embedded');
    const send = async (method: string, path: string, bearer: string, more: { body?: unknown } = {}) =>
      server.api(method, path, { token: bearer, body: more.body });
    const agent = await makeAccountAgent({ send }, await server.token());
    skillId = agent.skillId;
    const claims = { scope: 'catalog:agent', sid: 'accounts', agent_def_id: agent.agentDefId };
    token = await server.token(claims);
    door = await tokenDoor(server.address, token);
  });

  afterAll(async () => {
    door.close();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  async function run(
    program: string,
    ...args: string[]
  ): Promise<{ code: unknown; output: string; said: string }> {
    // Programs of people keep things at home: theirs ends with the test.
    const env = { ...process.env, HOME: folder, NODE_OPTIONS: '' };
    const child = spawn(node ?? '', [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, said] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'close')) as [unknown];
    return { code, output, said };
  }

  it('find what the protocol asks for, in both revisions and the skills extension', async () => {
    const url = `http://127.0.0.1:${String((door.address() as AddressInfo).port)}/mcp`;
    const results = join(folder, 'results');
    const expected = join(home, 'expected-failures.yaml');
    const { code, output } = await run(
      ...[suite, 'server', '--url', url, '--suite', 'all'],
      ...['--expected-failures', expected, '-o', results],
    );
    if (code !== 0) throw new Error(output.slice(output.indexOf('=== SUMMARY')));
    const runs = await readdir(results);
    expect(runs.length).toBeGreaterThan(60);
    const failed = async (scenario: string): Promise<string[]> => {
      const checks = JSON.parse(await readFile(join(results, scenario, 'checks.json'), 'utf8')) as Check[];
      return checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id);
    };
    // Beyond the baseline of scenarios: every message on the wire was well-formed, and of the largest scenario all holds.
    for (const scenario of runs) expect(await failed(scenario)).not.toContain('wire-schema-valid');
    const [stateless = ''] = runs.filter((name) => name.startsWith('server-server-stateless'));
    expect((await failed(stateless)).sort()).toEqual(fixtures);
  });

  it('list, call and verify by the inspector’s command line', async () => {
    const inspect = (...args: string[]) =>
      run(
        ...[inspector, '--cli', `${server.address}/mcp`, '--transport', 'http'],
        ...['--header', `Authorization: Bearer ${token}`, ...args],
      );
    const listed = await inspect('--method', 'tools/list', '--strict');
    expect(listed).toMatchObject({ code: 0, said: expect.not.stringMatching(/Error: tool/) as string });
    expect(listed.output).toContain('"find_nodes"');
    const arguments_ = ['--tool-name', 'find_nodes', '--tool-arg', 'entity=Skill'];
    const called = await inspect('--method', 'tools/call', ...arguments_);
    expect(JSON.parse(called.output)).toMatchObject({
      structuredContent: { nodes: [{ type: 'Skill', id: skillId }] },
    });
    const verified = await inspect('--method', 'skills/list', '--verify', '--require-digests');
    expect([verified.code, JSON.parse(verified.output)]).toEqual([
      0,
      expect.objectContaining({ ok: true, outcome: 'verified' }),
    ]);
  });
});

/** The suite knows no tokens: what it sends goes on with one, else as it is. */
async function tokenDoor(address: string, token: string): Promise<Server> {
  const { hostname, port } = new URL(address);
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const onward = request({ hostname, port, path: asked.url, method: asked.method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
