import { randomUUID } from 'node:crypto';
import {
  connectServer,
  openDatabase,
  type OpenDatabase,
} from '../../../src/platform/database/open-database.js';
import { Domain } from '../../../src/kernel/domain.js';
import { LogVerifier } from '../../../src/kernel/log-verifier.js';
import { Rebuild } from '../../../src/kernel/rebuild.js';
import { eachDatabase, freshServerDatabase, type ServerDatabase } from '../databases.js';
import {
  accountSlice,
  accountTables,
  makeAccountTables,
  OpenAccount,
  write,
} from '../kernel/account.slice.js';
import { CommandEngine } from '../../../src/kernel/command-engine.js';

const heads = 'SELECT host_id FROM host_head_t';
const whoAmI = `SELECT current_user = session_user AS owner, coalesce(current_setting('app.host', true), '') AS host`;
/** Before PostgreSQL 16 a member of a role has its rights without taking it. */
const inherits = `(current_setting('server_version_num')::integer < 160000)`;

eachDatabase((open, kind) => {
  let database: OpenDatabase;
  let server: ServerDatabase | undefined;
  const [one, two] = [randomUUID(), randomUUID()];

  beforeAll(async () => {
    // One connection for all: the embedded database has no more.
    server = kind === 'server' ? await freshServerDatabase() : undefined;
    database = server === undefined ? await open() : await connectServer(server.url, 1);
    for (const host of [one, two]) await database.of(host).query('SELECT lock_head($1)', [host]);
  });
  afterAll(async () => {
    if (server === undefined) return;
    await database.close();
    await server.drop();
  });

  test('two hosts take turns on one connection, and each sees itself', async () => {
    const turns = Array.from({ length: 40 }, (_, turn) => (turn % 2 === 0 ? one : two));
    const seen = await Promise.all(
      turns.map((host, turn) =>
        turn % 3 === 0
          ? database.of(host).transaction((tx) => tx.query(heads))
          : database.of(host).query(heads, [], turn % 3 === 1 ? 'heads' : undefined),
      ),
    );
    expect(seen).toEqual(turns.map((host) => [{ host_id: host }]));
  });

  test('nothing of it stays on the connection: after success, a fault, and a transaction taken back', async () => {
    const nobody = [{ owner: true, host: '' }];
    await database.of(one).query(heads);
    expect(await database.asOwner.query(whoAmI)).toEqual(nobody);
    await expect(database.of(one).query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    expect(await database.asOwner.query(whoAmI)).toEqual(nobody);
    const failing = database.of(one).transaction(() => Promise.reject(new Error('taken back')));
    await expect(failing).rejects.toThrow('taken back');
    expect(await database.asOwner.query(whoAmI)).toEqual(nobody);
    expect(await database.of(two).query(whoAmI)).toEqual([{ owner: false, host: two }]);
  });

  if (kind === 'server') {
    test('the service needs no superuser: an owner is walled off as everybody is', async () => {
      const own = await freshServerDatabase();
      const owner = `walls_${randomUUID().slice(0, 8)}`;
      const admin = await connectServer(own.url, 1);
      try {
        await admin.asOwner
          .query(`DROP SCHEMA catalog CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public;
          CREATE EXTENSION vector; CREATE EXTENSION pg_trgm; CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'walls';
          GRANT portal_catalog_host, portal_catalog_query TO ${owner};
          DO $$ BEGIN EXECUTE 'GRANT portal_catalog_all_hosts TO ${owner}' || CASE WHEN ${inherits} THEN '' ELSE
            ' WITH INHERIT FALSE, SET TRUE' END; END $$;
          ALTER SCHEMA public OWNER TO ${owner};
          DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO ${owner}', current_database()); END $$`);
        await tryAsOwner(own.url, owner);
      } finally {
        await admin.asOwner.query(
          `REASSIGN OWNED BY ${owner} TO CURRENT_USER; DROP OWNED BY ${owner}; DROP ROLE ${owner}`,
        );
        await admin.close();
        await own.drop();
      }
    });
  }
});

/** Migrates, writes for two hosts, rebuilds and verifies as a user that owns the tables and is no superuser. */
async function tryAsOwner(url: string, owner: string): Promise<void> {
  const address = new URL(url);
  Object.assign(address, { username: owner, password: 'walls' });
  const database = await openDatabase({ url: address.href, directory: '', poolSize: 4 });
  try {
    await makeAccountTables(database);
    const domain = new Domain([accountSlice]);
    const engine = new CommandEngine(database, domain, { committed: () => undefined });
    const hosts = [randomUUID(), randomUUID()].sort();
    for (const host of hosts)
      await engine.execute(write(host, [new OpenAccount(host, randomUUID(), { name: 'a' })]));
    const tables = () => Promise.resolve([{ text: accountTables }]);
    expect(await new Rebuild(database, domain, tables).run()).toMatchObject({ events: 2 });
    for (const host of hosts) {
      expect(await database.of(host).query('SELECT host_id FROM account_t')).toEqual([{ host_id: host }]);
    }
    const [version] = await database.asOwner.query<{ inherits: boolean }>(`SELECT ${inherits} AS inherits`);
    const rows = await database.asOwner.query('SELECT host_id FROM account_t');
    expect(rows).toHaveLength(version?.inherits === true ? 2 : 0);
    const verdicts = await new LogVerifier(database).verify();
    expect(verdicts).toMatchObject(hosts.map((hostId) => ({ hostId, events: 1 })));
  } finally {
    await database.close();
  }
}
