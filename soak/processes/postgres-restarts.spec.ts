import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proveUnderLoad, type Load, type Send } from '../../test/system/database-load.js';
import { OwnPostgres, postgresPrograms } from './own-postgres.js';
import { Relay } from '../../test/e2e/relay.js';
import type { Home } from '../../test/e2e/home.js';
import { itUnless } from '../../test/unless.js';
import { runToEnd, ServiceProcess } from '../../test/system/service-process.js';

const programs = await postgresPrograms();

/** The service on a database that may be stopped, under load, while that is disturbed. */
async function proveOn(url: string, disturb: (load: Load) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-restart-'));
  const home: Home = {
    directory,
    environment: { DATA_DIR: directory, DATABASE_URL: url, AUTH_DEV_ISSUER: 'on', LOG_LEVEL: 'info' },
    raze: () => rm(directory, { recursive: true }),
  };
  const service = await ServiceProcess.start(home);
  const token = await service.token();
  const send: Send = (method, path, more) => service.send(method, path, token, more);
  await proveUnderLoad(send, disturb);
  expect((await fetch(`${service.address}/health/ready`)).status).toBe(200);
  expect(await service.stop('SIGTERM')).toBe(0);
  expect((await runToEnd('cli.js', ['verify'], home)).code).toBe(0);
  await home.raze();
}

if (typeof programs === 'string') {
  itUnless(programs, 'a PostgreSQL that restarts', () => Promise.resolve());
} else {
  describe('a PostgreSQL under load', () => {
    let server: OwnPostgres;
    beforeEach(async () => {
      server = await OwnPostgres.start(programs);
    });
    afterEach(async () => {
      await server.raze();
    });

    it.each(['fast', 'immediate'] as const)(
      'that restarts (%s) is 503 meanwhile, and loses nothing that was acknowledged',
      async (mode) => {
        await proveOn(server.url, async (load) => {
          for (let restarts = 0; restarts < 3; restarts += 1) {
            await load.acknowledges(20);
            await server.stop(mode);
            await load.refuses(20);
            await server.start();
          }
          await load.acknowledges(20);
        });
      },
    );

    it('that fails over to its standby is 503 meanwhile, and loses nothing that was acknowledged', async () => {
      const standby = await server.standby();
      const relay = await Relay.before(server.url);
      try {
        const near = new URL(server.url);
        near.host = new URL(relay.url).host;
        await proveOn(near.href, async (load) => {
          await load.acknowledges(20);
          await server.stop('immediate');
          // It takes reads already, and no writes yet.
          relay.leadTo(standby.url);
          await load.refuses(20);
          await standby.promote();
          await load.acknowledges(20);
        });
      } finally {
        await relay.stop();
        await standby.raze();
      }
    });
  });
}
