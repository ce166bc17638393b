import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodes } from '../../src/cli/output.js';
import { commandLine, runHere } from './command-line.js';
import { ForeignIssuer } from './foreign-issuer.js';
import { eachServer, hostId } from './server.js';

let folder: string;
const before = process.env['XDG_CONFIG_HOME'];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-catalog-session-'));
  process.env['XDG_CONFIG_HOME'] = folder;
});
afterEach(async () => {
  if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
  else process.env['XDG_CONFIG_HOME'] = before;
  await rm(folder, { recursive: true });
});
const kept = () => join(folder, 'portal-catalog', 'contexts.json');

eachServer((server) => {
  let issuer: ForeignIssuer;
  let token: string;
  beforeAll(async () => {
    token = await server().token({ sub: 'olga' });
    issuer = await ForeignIssuer.start(token);
  });
  afterAll(() => {
    issuer.stop();
  });
  const login = (...args: readonly string[]) =>
    runHere('login', '--url', server().address, '--issuer', issuer.address, ...args);

  it('signs in by a code, keeps the token for the user alone, and sends it to its own service only', async () => {
    const said = await login('--client-id', 'cli', '--scope', 'catalog:read');
    expect(said).toMatchObject({ code: exitCodes.done, out: expect.stringContaining('as olga') as string });
    expect(said.err).toBe('Open https://login.example.com/device and confirm the code ABCD-?[2J\n');
    expect(said.out + said.err).not.toContain(token);
    expect((await stat(kept())).mode & 0o777).toBe(0o600);
    expect((await runHere('skill', 'list', '--json')).out).toContain('"items"');
    expect((await runHere('whoami')).out).toMatch(/^token +context default\nsub +olga$/m);
    const elsewhere = await runHere('skill', 'list', '--url', 'http://127.0.0.1:9');
    expect(elsewhere).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringMatching(/^No token/) as string,
    });
    expect((await runHere('whoami', '--url', `${server().address}/`)).code).toBe(exitCodes.done);
  });

  it('signs a client in, under a context of its own, and forgets it', async () => {
    await login('--client-id', 'cli', '--name', 'people');
    const secret = join(folder, 'secret');
    await writeFile(secret, 'open-sesame\n');
    const asClient = ['--client-id', 'nightly', '--client-secret-file', secret, '--name', 'nightly'];
    expect((await login(...asClient)).code).toBe(exitCodes.done);
    expect(issuer.asked.at(-1)).toMatchObject({
      grant_type: 'client_credentials',
      scope: 'catalog:read catalog:write',
    });
    const { out } = await runHere('context', 'list');
    expect(out).toMatch(/people +false .*true\nnightly +true .*true\n/);
    expect(out + (await runHere('context', 'list', '--json')).out).not.toContain(token);
    expect(await readFile(kept(), 'utf8')).not.toContain('open-sesame');
    await runHere('context', 'use', 'people');
    expect((await runHere('context', 'remove', 'people')).code).toBe(exitCodes.done);
    expect((await runHere('skill', 'list')).code).toBe(exitCodes.usage);
    expect(await runHere('context', 'use', 'people')).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringContaining('Known: nightly') as string,
    });
  });

  it('says what an issuer refuses, and asks none in the clear', async () => {
    const secret = join(folder, 'secret');
    await writeFile(secret, 'x');
    expect(await login('--client-id', 'unknown', '--client-secret-file', secret)).toMatchObject({
      code: exitCodes.refused,
      err: expect.stringContaining('invalid_client: Who?') as string,
    });
    const clear = await runHere('login', '--client-id', 'a', '--issuer', 'http://login.example.com');
    expect(clear).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringContaining('no https') as string,
    });
    await expect(stat(kept())).rejects.toThrow(/ENOENT/);
  });

  it('shows what has changed in a catalog between two times', async () => {
    const run = await commandLine(server());
    await run('api', 'create', 'seer', '--api-name', 'seer');
    await run(
      'api-version',
      'create',
      'seer@1.0.0',
      '--api-type',
      'agent',
      '--service',
      'seer',
      '--env',
      'dev',
    );
    await run('agent', 'create', 'seer@1.0.0');
    const input = '{"type": "object"}';
    const tool = [
      '--implementation-type',
      'python',
      '--implementation-class',
      'a.B',
      '--input-schema',
      input,
    ];
    await run('tool', 'create', 'look', '--description', 'Looks.', ...tool);
    await run('skill', 'create', 'seeing', '--content-markdown', 'Look.');
    await run('link', 'seeing', 'look');
    const { position } = JSON.parse((await run('assign', 'seer', 'seeing', '--json')).out) as {
      position: number;
    };
    await run('tool', 'edit', 'look', '--description', 'Looks closely.');
    const from = ['diff', 'seer', '--from', String(position)];
    expect((await run(...from)).out).toContain(
      '~ tool look of seeing /description: Looks. → Looks closely.\n',
    );
    expect((await run(...from, '--to', String(position))).out).toBe('Nothing has changed.\n');
    expect((await run('diff', 'seer', '--from', String(position - 1))).out).toContain('+ skill seeing: look');
    await run('unassign', 'seer', 'seeing');
    expect((await run(...from)).out).toContain('- skill seeing');
  });
});

const catalog = (version: number, ...tools: readonly string[]) => ({
  ...{
    catalogVersion: version,
    catalogHash: String(version),
    agent: { name: 'a', maxSensitivityTier: 'internal' },
  },
  skills: [
    {
      ...{ skillId: 's', name: 'seeing', version: '1' },
      tools: tools.map((name) => ({ toolId: name, name, method: 'call', path: '/', description: '' })),
    },
  ],
});

it('uses no file of contexts that others may have written or read, and tells nothing of it', async () => {
  const text = '{"contexts": {"a": {"url": "http://127.0.0.1:9", "token": "e30.e30.x"}}, "current": "a"}';
  await mkdir(join(folder, 'portal-catalog'));
  const refused = async (why: string) => {
    const said = await runHere('context', 'list');
    expect(said).toMatchObject({ code: exitCodes.usage, err: expect.stringContaining(why) as string });
    expect(said.err).not.toContain('e30');
  };
  await writeFile(kept(), text, { mode: 0o600 });
  expect((await runHere('context', 'list')).out).toContain('http://127.0.0.1:9');
  await chmod(kept(), 0o644);
  await refused('others may read');
  await chmod(kept(), 0o600);
  await rename(kept(), join(folder, 'elsewhere'));
  await symlink(join(folder, 'elsewhere'), kept());
  await refused('symbolic link');
  await rm(kept());
  await mkdir(kept());
  await refused('no plain file');
  await rm(kept(), { recursive: true });
  for (const [broken, why] of [
    [text.replace('"current"', '"current'), 'no JSON'],
    ['{"contexts": {"a": {"token": "e30.e30.x"}}}', 'address of a service'],
    ['null', 'address of a service'],
  ] as const) {
    await writeFile(kept(), broken, { mode: 0o600 });
    await refused(why);
  }
  expect(await readdir(join(folder, 'portal-catalog'))).toEqual(['contexts.json']);
});

it('lets no other place name the issuer, and no issuer lead a secret elsewhere', async () => {
  const secret = join(folder, 'secret');
  await writeFile(secret, 'open-sesame');
  let answer: (path: string, own: string) => object | string = () => ({});
  const asked: string[] = [];
  const stub = createServer(({ url = '' }, response) => {
    asked.push(url);
    const said = answer(url, own);
    if (typeof said === 'string') response.writeHead(302, { location: said }).end();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
  const own = `http://127.0.0.1:${String((stub.address() as AddressInfo).port)}`;
  const login = (...args: readonly string[]) =>
    runHere('login', '--client-id', 'nightly', '--client-secret-file', secret, ...args);
  const refusals: (readonly [typeof answer, readonly string[], string])[] = [
    [
      () => ({}),
      ['--url', 'http://catalog.example.com', '--issuer', own],
      'The service http://catalog.example.com has no https',
    ],
    [
      (path) => (path === '/named' ? { authorization_servers: [own] } : `${own}/named`),
      ['--url', own],
      'names no issuer',
    ],
    [
      () => ({ authorization_servers: ['http://evil.example.com/\u001b[2J'] }),
      ['--url', own],
      'The issuer http://evil.example.com/?[2J has no https',
    ],
    [
      () => ({ issuer: 'https://evil.example.com', token_endpoint: `${own}/token` }),
      ['--url', own, '--issuer', own],
      'gave no token',
    ],
    [
      () => ({ issuer: `${own}/`, token_endpoint: 'http://evil.example.com/token' }),
      ['--url', own, '--issuer', own],
      'endpoint http://evil.example.com/token has no https',
    ],
  ];
  for (const [said, args, why] of refusals) {
    answer = said;
    const refused = await login(...args);
    expect(refused.err).toContain(why);
    expect(refused.code).not.toBe(exitCodes.done);
    expect(refused.err).not.toContain('open-sesame');
  }
  stub.close();
  expect(asked).not.toContain('/token');
  expect(asked).not.toContain('/named');
});

it('goes on with a catalog, and says what changes, until the stream ends', async () => {
  let isChanged = false;
  const stub: Server = createServer(({ url = '' }, response) => {
    if (!url.includes('/events')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(isChanged ? catalog(2, 'look', 'hear') : catalog(1, 'look')));
      return;
    }
    isChanged = true;
    response.setHeader('content-type', 'text/event-stream');
    response.write(': hello\n\nevent: catalog-chan');
    response.write('ged\nid: 2\ndata: {"catalogVersion": 2}\n\n');
    response.end('event: expired\ndata: {}\n\n');
  });
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((stub.address() as AddressInfo).port)}`;
  const claims = { host: hostId, sid: 's', env: 'dev', agent_def_id: hostId };
  const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  const said = await runHere('catalog', '--watch', '--url', url, '--token', token);
  stub.close();
  expect(said.code).toBe(exitCodes.unreachable);
  expect(said.out).toMatch(/version 1, [^]*\nversion 2\n {2}\+ tool hear of seeing\n$/);
});

it('completes commands, options and what they may be', async () => {
  const complete = async (...given: readonly string[]) =>
    (await runHere('complete', '--', ...given)).out.split('\n').filter((line) => line !== '');
  expect(await complete('ski')).toEqual(['skill']);
  expect(await complete('skill', 'e')).toEqual(expect.arrayContaining(['edit', 'enable', 'export']));
  expect(await complete('skill', 'edit', '--desc')).toEqual(expect.arrayContaining(['--description']));
  expect(await complete('disable', 'ap')).toEqual(['api', 'api-version']);
  expect(await complete('tag', 'create', '--entity-type', 't')).toEqual(['tool']);
  for (const shell of ['bash', 'zsh', 'fish'])
    expect((await runHere('completion', shell)).out).toContain('portal-catalog complete --');
});
