import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stopLimits } from '../../src/stop.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { request } from 'node:http';
import { until } from '../until.js';
import { newHome, type Home } from '../e2e/home.js';
import { hostId, runToEnd, ServiceProcess } from './service-process.js';

let home: Home;
beforeEach(async () => {
  home = await newHome('embedded');
});
afterEach(async () => {
  await home.raze();
});

/** A write whose body is held back until `finish` is called. */
function slowWrite(
  service: ServiceProcess,
  token: string,
): { arrived: Promise<unknown>; finish: () => void; status: Promise<number | undefined> } {
  const body = JSON.stringify({ name: 'slow', contentMarkdown: 'x' });
  const sent = request(`${service.address}/v1/hosts/${hostId}/skills`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
      // It says when it begins to read.
      expect: '100-continue',
    },
  });
  const arrived = once(sent, 'continue');
  sent.write(body.slice(0, 5));
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', ({ statusCode }) => {
      resolve(statusCode);
    });
    sent.on('error', reject);
  });
  return { arrived, finish: () => sent.end(body.slice(5)), status };
}

describe('SIGTERM', () => {
  it('finishes what is under way, ends streams, refuses the rest, and ends with 0', async () => {
    const service = await ServiceProcess.start(home);
    const token = await service.token();
    const slow = slowWrite(service, token);
    const stream = await fetch(`${service.address}/v1/hosts/${hostId}/events/stream`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const streamed = stream.text();
    await slow.arrived;
    const ended = service.stop('SIGTERM');
    await streamed;
    const refused = await service.send('GET', '/skills', token);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      503,
      expect.objectContaining({ code: 'stopping' }),
    ]);
    slow.finish();
    expect(await slow.status).toBe(201);
    expect(await ended).toBe(0);
    const again = await ServiceProcess.start(home);
    expect((await again.send('GET', '/skills', token)).text).toContain('"slow"');
    expect(await again.stop('SIGTERM')).toBe(0);
  });
});

describe('a stop that does not come to its end', () => {
  it('is broken off 35 s after it began, with a line of the log and exit code 1', async () => {
    expect(stopLimits.inAll).toBe(35_000);
    // A transaction that never ends, and less patience than a service has.
    const script = `
      const { createApplication } = await import('./dist/src/application.js');
      const { DATABASE } = await import('./dist/src/kernel/sql.js');
      const { readConfig } = await import('./dist/src/platform/config/config.js');
      const { createLog } = await import('./dist/src/platform/logging/log.js');
      const { stop } = await import('./dist/src/stop.js');
      const log = createLog('info');
      const app = await createApplication(readConfig(), log);
      void app.get(DATABASE).asOwner.transaction(() => new Promise(() => {}));
      await stop(app, log, { drain: 100, inAll: 1_000 });`;
    const { code, output } = await runToEnd('', ['--input-type=module', '--eval', script], home);
    expect(output).toContain('is broken off');
    expect(code).toBe(1);
  });
});

describe('Ctrl-C twice', () => {
  it('stops the service as one does', async () => {
    const service = await ServiceProcess.start(home);
    const first = service.stop('SIGINT');
    const second = service.stop('SIGINT');
    expect([await first, await second]).toEqual([0, 0]);
    expect((await runToEnd('cli.js', ['verify'], home)).code).toBe(0);
  });
});

describe('a full disk', () => {
  it('at the write-ahead log of the embedded database ends the process in a sentence, and costs nothing', async () => {
    const own = await newHome('embedded');
    // The next segment of the log can't be made: as on a disk without room.
    const script = `
      const { openDatabase } = await import('./dist/src/platform/database/open-database.js');
      const { rename, writeFile } = await import('node:fs/promises');
      const wal = process.env.DATA_DIR + '/postgres/pg_wal';
      const { asOwner } = await openDatabase({ directory: process.env.DATA_DIR });
      await asOwner.query('CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)');
      await rename(wal, wal + '-away');
      await writeFile(wal, '');
      // As the service does, which answers 503.
      await asOwner.query("SELECT pg_switch_wal(); INSERT INTO kept VALUES (8)").catch(() => undefined);
      await asOwner.query('SELECT 1');`;
    const ended = await runToEnd('', ['--input-type=module', '--eval', script], own);
    expect(ended).toEqual({ code: 1, output: expect.stringContaining('The embedded database has ended') });
    await rm(join(own.directory, 'postgres', 'pg_wal'));
    await rename(join(own.directory, 'postgres', 'pg_wal-away'), join(own.directory, 'postgres', 'pg_wal'));
    const database = await openDatabase({ directory: own.directory });
    expect(await database.asOwner.query('SELECT id FROM kept')).toEqual([{ id: 7 }]);
    await database.close();
    await own.raze();
  });
});

describe('the start', () => {
  it('on a port that is taken says what to do', async () => {
    const service = await ServiceProcess.start(home);
    const other = await newHome('embedded');
    const { port } = new URL(service.address);
    const taken = { ...other, environment: { ...other.environment, PORT: port } };
    const { code, output } = await runToEnd('main.js', [], taken);
    expect([code, output]).toEqual([2, expect.stringContaining('set PORT')]);
    await service.stop('SIGTERM');
    await other.raze();
  });

  it('with an environment that can’t be used names every fault and ends', async () => {
    const broken = { ...home, environment: { ...home.environment, PORT: 'x', LOG_LEVEL: 'y' } };
    const { code, output } = await runToEnd('main.js', [], broken);
    expect(code).toBe(2);
    expect(output).toMatch(/PORT.*LOG_LEVEL|LOG_LEVEL.*PORT/s);
    expect(output).not.toContain('    at ');
  });

  it('without any way to check tokens says what to set', async () => {
    const open = { ...home, environment: { ...home.environment, HOST: '0.0.0.0' } };
    const { code, output } = await runToEnd('main.js', [], open);
    expect(code).toBe(2);
    expect(output).toContain('AUTH_JWKS_URI');
  });

  it('in production without a database of its own is refused in a sentence', async () => {
    const own = { AUTH_JWKS_URI: 'https://a.example/keys', AUTH_ISSUER: 'a', AUTH_AUDIENCE: 'b' };
    const environment = { ...home.environment, ...own, NODE_ENV: 'production', SAMPLE_DATA: 'on' };
    const { code, output } = await runToEnd('main.js', [], { ...home, environment });
    expect(code).toBe(2);
    expect(output).toContain('DATABASE_URL is missing, and NODE_ENV is production');
    expect(output).not.toContain('    at ');
  });

  it('logs what weakens it, and a variable that is misspelt', async () => {
    const service = await ServiceProcess.start(home, { RATE_LIMIT: 'off', RATE_LIMT: 'secretive' });
    await service.stop('SIGTERM');
    for (const note of ['RATE_LIMIT is off', 'development issuer is on', 'RATE_LIMT is no setting'])
      expect(service.said).toContain(note);
    expect(service.said).not.toContain('secretive');
  });

  it('says truthfully that it listens at every address', async () => {
    const own = { AUTH_JWKS_URI: 'https://a.example/keys', AUTH_ISSUER: 'a', AUTH_AUDIENCE: 'b' };
    const service = await ServiceProcess.start(home, { ...own, HOST: '0.0.0.0' });
    expect(service.address).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
    await service.stop('SIGTERM');
  });

  it('prints the address, a first request and how to mint its token, but no token where it could be kept', async () => {
    const service = await ServiceProcess.start(home, { SAMPLE_DATA: 'on' });
    const request = `curl -s -H "Authorization: Bearer $TOKEN" '${service.address}/v1/hosts/`;
    await until(
      () => service.said,
      (said) => said.includes(request),
    );
    expect(service.said).toContain('portal-catalog token --host');
    await service.stop('SIGTERM');
    expect(service.said).not.toContain('eyJ');
  });
});

describe('the log', () => {
  it('holds requests by path and id, and neither tokens nor queries nor bodies', async () => {
    const service = await ServiceProcess.start(home, { LOG_LEVEL: 'trace' });
    const token = await service.token();
    const body = { name: 'secretive', contentMarkdown: 'a-word-of-the-body' };
    await service.send('POST', '/skills?q=a-word-of-the-query', token, {
      body,
      headers: { 'x-request-id': 'trace-me' },
    });
    await service.send('POST', '/skills', token, { body, headers: { 'x-request-id': 'trace-me-too' } });
    await service.send('GET', '/skills', 'not.a.token-at-all');
    await service.stop('SIGTERM');
    const lines = service.said.split('\n').filter((line) => line.startsWith('{'));
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          requestId: 'trace-me',
          method: 'POST',
          path: `/v1/hosts/${hostId}/skills`,
          status: 400,
        }),
        expect.objectContaining({ requestId: 'trace-me-too', status: 201 }),
      ]),
    );
    for (const word of [token, token.split('.')[1] ?? '', 'token-at-all', 'a-word-of-the'])
      expect(service.said).not.toContain(word);
  });
});
