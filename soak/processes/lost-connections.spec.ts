import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onServer } from '../../test/integration/database-templates.js';
import { freshServerDatabase, type ServerDatabase } from '../../test/integration/databases.js';
import { Relay } from '../../test/e2e/relay.js';
import { OwnServer } from '../../test/e2e/own-server.js';
import type { Home } from '../../test/e2e/home.js';
import { runToEnd, ServiceProcess } from '../../test/system/service-process.js';
import { describeUnless, noServer } from '../../test/unless.js';
import { proveUnderLoad, type Load, type Send } from '../../test/system/database-load.js';

/** Connections that are lost in each test. */
const losses = 150;

/** A database behind a relay, and ways to lose the connections to it. */
interface Reach {
  readonly database: ServerDatabase;
  readonly relay: Relay;
  readonly url: string;
}

async function reached(): Promise<Reach> {
  const database = await freshServerDatabase();
  const near = new URL(database.url);
  const relay = await Relay.before(`http://${near.host}`);
  near.host = new URL(relay.url).host;
  return { database, relay, url: near.href };
}

/** How connections are lost; each gives how many were. */
const ways: readonly (readonly [string, (reach: Reach) => Promise<number>])[] = [
  [
    'terminated by PostgreSQL',
    async ({ database }) => {
      let ended = 0;
      await onServer(database.url, async (client) => {
        const { rowCount } = await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
        ended = rowCount ?? 0;
      });
      return ended;
    },
  ],
  ['cut on the way', ({ relay }) => Promise.resolve(lose(relay, 'cut'))],
  ['reset on the way', ({ relay }) => Promise.resolve(lose(relay, 'reset'))],
];

function lose(relay: Relay, how: 'cut' | 'reset'): number {
  const lost = relay.open;
  relay[how]();
  return lost;
}

/** Loses connections again and again, each time when new ones are in use. */
async function loseMany(load: Load, reach: Reach, way: (reach: Reach) => Promise<number>): Promise<void> {
  for (let lost = 0; lost < losses;) {
    await load.acknowledges(5);
    lost += await way(reach);
  }
}

describeUnless(noServer, 'connections to PostgreSQL that are lost under load', () => {
  let reach: Reach;
  let home: Home;
  beforeEach(async () => {
    reach = await reached();
    const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-lost-'));
    home = {
      directory,
      environment: {
        DATA_DIR: directory,
        DATABASE_URL: reach.url,
        AUTH_DEV_ISSUER: 'on',
        LOG_LEVEL: 'fatal',
      },
      raze: () => rm(directory, { recursive: true }),
    };
  });
  afterEach(async () => {
    await reach.relay.stop();
    await reach.database.drop();
    await home.raze();
  });

  it.each(ways)('and were %s end nothing, double nothing, and are made anew', async (_name, way) => {
    // Its own directory holds the key of its tokens.
    const { DATA_DIR: _directory, ...environment } = home.environment;
    const server = await OwnServer.start('embedded', environment);
    try {
      const send: Send = (method, path, more) => server.api(method, path, more);
      await proveUnderLoad(send, (load) => loseMany(load, reach, way));
    } finally {
      await server.stop();
    }
  });

  it.each(ways)('and were %s leave the process alive and the log whole', async (_name, way) => {
    const environment = { LOG_LEVEL: 'info' };
    const service = await ServiceProcess.start(home, environment);
    const token = await service.token();
    const send: Send = (method, path, more) => service.send(method, path, token, more);
    await proveUnderLoad(send, (load) => loseMany(load, reach, way));
    expect(await service.stop('SIGTERM')).toBe(0);
    expect((await runToEnd('cli.js', ['verify'], home)).code).toBe(0);
  });
});
