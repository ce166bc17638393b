import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newHome, type Home } from '../../test/e2e/home.js';
import { runToEnd, ServiceProcess } from '../../test/system/service-process.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { stopLimits } from '../../src/stop.js';

let home: Home;
beforeEach(async () => {
  home = await newHome('embedded');
});
afterEach(async () => {
  await home.raze();
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

  it('says truthfully that it listens at every address', async () => {
    const own = { AUTH_JWKS_URI: 'https://a.example/keys', AUTH_ISSUER: 'a', AUTH_AUDIENCE: 'b' };
    const service = await ServiceProcess.start(home, { ...own, HOST: '0.0.0.0' });
    expect(service.address).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
    await service.stop('SIGTERM');
  });
});
