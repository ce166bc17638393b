import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exitCodes } from '../../src/cli/output.js';
import { newHome, type Home } from '../e2e/home.js';
import { until } from '../until.js';
import { hostId, runToEnd, ServiceProcess } from './service-process.js';

/** Exit codes, signals and pipes: what only a process of its own has. All else of the command line runs in the test's process. */

let home: Home;
let service: ServiceProcess | undefined;
beforeAll(async () => {
  home = await newHome('embedded');
});
afterAll(async () => {
  await service?.stop('SIGKILL');
  await home.raze();
});

/** The service, which the tests share until one of them stops it. */
async function running(): Promise<ServiceProcess> {
  // What is misspelt is named, and its value is not.
  const environment = { SAMPLE_DATA: 'on', RATE_LIMIT: 'off', RATE_LIMT: 'secretive' };
  service ??= await ServiceProcess.start(home, environment);
  return service;
}

/** The same, for a test that stops it. */
async function stoppable(): Promise<ServiceProcess> {
  const one = await running();
  service = undefined;
  return one;
}

/** A program that ends by itself, in an environment that differs so. */
const ends = (name: string, args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) =>
  runToEnd(name, args, { ...home, environment: { ...home.environment, ...environment } });

describe('the start', () => {
  it('prints the address, a first request and how to mint its token, but no token where it could be kept', async () => {
    const service = await running();
    const request = `curl -s -H "Authorization: Bearer $TOKEN" '${service.address}/v1/hosts/`;
    await until(
      () => service.said,
      (said) => said.includes(request),
    );
    expect(service.said).toContain('portal-catalog token --host');
    expect(service.said).not.toContain('eyJ');
  });

  it('logs what weakens it, and a variable that is misspelt', async () => {
    const service = await running();
    for (const note of ['RATE_LIMIT is off', 'development issuer is on', 'RATE_LIMT is no setting'])
      expect(service.said).toContain(note);
    expect(service.said).not.toContain('secretive');
  });

  it('loads the sample data where it is asked to', async () => {
    const service = await running();
    const token = await service.token({ sid: 'any', scope: 'catalog:read catalog:all-services' });
    expect((await service.send('GET', '/skills', token)).text).toContain('"household-accounts"');
  });

  it('on a port that is taken says what to do', async () => {
    const other = await newHome('embedded');
    const { port } = new URL((await running()).address);
    const taken = { ...other, environment: { ...other.environment, PORT: port } };
    const { code, output } = await runToEnd('main.js', [], taken);
    expect([code, output]).toEqual([2, expect.stringContaining('set PORT')]);
    await other.raze();
  });

  it('with an environment that can’t be used names every fault and ends', async () => {
    const { code, output } = await ends('main.js', [], { PORT: 'x', LOG_LEVEL: 'y' });
    expect(code).toBe(2);
    expect(output).toMatch(/PORT.*LOG_LEVEL|LOG_LEVEL.*PORT/s);
    expect(output).not.toContain('    at ');
  });
});

describe('a second process on one embedded directory', () => {
  it('refuses to start and says why; the first one goes on', async () => {
    const service = await running();
    const second = await ends('main.js');
    expect(second.code).toBe(exitCodes.locked);
    expect(second.output).toMatch(/another process works on the embedded database/i);
    expect((await service.send('GET', '/skills', await service.token())).status).toBe(200);
  });
});

describe('a command line of its own process', () => {
  it('names the command and the variable that a misspelt one may stand for', async () => {
    const { code, output } = await ends('cli.js', ['catlog'], { PORTAL_TOKN: 'x' });
    expect(code).toBe(exitCodes.usage);
    expect(output).toMatch(/PORTAL_TOKN is no setting[^]*is PORTAL_TOKEN meant[^]*Did you mean catalog/);
  });

  it('ends with the code that a command gives that has said all', async () => {
    const folder = join(home.directory, 'registry');
    const specs = join(folder, 'tools', 'specs', 'read_file');
    await mkdir(specs, { recursive: true });
    await writeFile(join(specs, 'v1_0_0.yaml'), 'version: 1.0.0\nname: read_file\n');
    const { code, output } = await ends('cli.js', ['registry', 'validate', folder]);
    expect([code, output]).toEqual([exitCodes.failed, expect.stringContaining('v1_0_0.yaml:1 schema')]);
  });

  it('reads what it is given through a pipe', async () => {
    const service = await running();
    const query = { query_type: 'traversal', nodes: [{ id: 's', entity: 'Skill' }] };
    const connection = ['--url', service.address, '--token', await service.token({ sid: 'any' })];
    const asked = await runToEnd(
      'cli.js',
      ['query', '-', '--json', ...connection],
      home,
      JSON.stringify(query),
    );
    expect([asked.code, asked.output]).toEqual([exitCodes.done, expect.stringContaining('"nodes"')]);
  });

  it('ends well where nobody reads any more', async () => {
    const cli = join('dist', 'src', 'cli.js');
    const child = spawn(process.execPath, [cli, '--help'], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([exitCodes.done, null]);
  });

  it('says so where the other side ends the connection politely, and nothing else keeps it alive', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).end());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}`;
    const { code, output } = await ends('cli.js', [
      'search',
      'anything',
      '--url',
      url,
      '--token',
      await (await running()).token(),
    ]);
    silent.close();
    expect([code, output]).toEqual([
      exitCodes.unreachable,
      expect.stringContaining('could not be reached, or did not answer'),
    ]);
  });
});

/** A write whose body is held back until `finish` is called. */
function slowWrite(
  to: ServiceProcess,
  token: string,
): { begun: Promise<unknown>; finish: () => void; status: Promise<number | undefined> } {
  const body = JSON.stringify({ name: 'slow', contentMarkdown: 'x' });
  const sent = request(`${to.address}/v1/hosts/${hostId}/skills`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
      // The service answers this when it has the head of the request.
      expect: '100-continue',
    },
  });
  const begun = once(sent, 'continue');
  sent.write(body.slice(0, 5));
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', ({ statusCode }) => {
      resolve(statusCode);
    });
    sent.on('error', reject);
  });
  return { begun, finish: () => sent.end(body.slice(5)), status };
}

describe('SIGTERM', () => {
  it('finishes what is under way, ends streams, refuses the rest, and ends with 0', async () => {
    const one = await stoppable();
    const token = await one.token();
    const slow = slowWrite(one, token);
    const stream = await fetch(`${one.address}/v1/hosts/${hostId}/events/stream`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const streamed = stream.text();
    await slow.begun;
    const ended = one.stop('SIGTERM');
    await streamed;
    const refused = await one.send('GET', '/skills', token);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      503,
      expect.objectContaining({ code: 'stopping' }),
    ]);
    slow.finish();
    expect(await slow.status).toBe(201);
    expect(await ended).toBe(0);
    expect((await (await running()).send('GET', '/skills', token)).text).toContain('"slow"');
  });
});

describe('SIGKILL', () => {
  it('costs nothing that was answered', async () => {
    const killed = await stoppable();
    const token = await killed.token();
    const names = Array.from({ length: 20 }, (_, at) => `skill-${String(at)}`);
    const made = await Promise.all(
      names.map((name) => killed.send('POST', '/skills', token, { body: { name, contentMarkdown: 'x' } })),
    );
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(await killed.stop('SIGKILL')).toBeNull();
    const { text } = await (await running()).send('GET', '/skills?limit=100', token);
    const { items } = JSON.parse(text) as { items: { name: string }[] };
    const kept = items.map(({ name }) => name).filter((name) => name.startsWith('skill-'));
    expect(kept.sort()).toEqual(names.sort());
  });
});

describe('Ctrl-C twice', () => {
  it('stops the service as one does', async () => {
    const service = await stoppable();
    const first = service.stop('SIGINT');
    const second = service.stop('SIGINT');
    expect([await first, await second]).toEqual([0, 0]);
    for (const word of ['secretive', 'eyJ']) expect(service.said).not.toContain(word);
    expect((await ends('cli.js', ['verify'])).code).toBe(exitCodes.done);
  });
});
