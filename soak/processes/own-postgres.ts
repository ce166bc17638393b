import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { onServer } from '../../test/integration/database-templates.js';

const run = promisify(execFile);

/** Programs of a PostgreSQL on this machine, and the user that they run as where this process is root, whom they refuse. */
interface Programs {
  readonly folder: string;
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
}

/** Those of the server of `TEST_DATABASE_URL`; or why there are none. */
export async function postgresPrograms(): Promise<Programs | string> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined) return 'TEST_DATABASE_URL is not set';
  let [folder, data] = ['', ''];
  try {
    await onServer(url, async (client) => {
      const text = `SELECT setting, current_setting('data_directory') AS data FROM pg_config WHERE name = 'BINDIR'`;
      const { rows } = await client.query<{ setting: string; data: string }>(text);
      [folder, data] = [rows[0]?.setting ?? '', rows[0]?.data ?? ''];
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return `the user of TEST_DATABASE_URL may not ask where the programs of its server are (${error.message})`;
  }
  const isHere = ['initdb', 'pg_ctl', 'pg_basebackup'].every((name) => existsSync(join(folder, name)));
  if (!isHere || !existsSync(data)) return `the programs of its server (${folder}) are not on this machine`;
  const { uid, gid } = await stat(data);
  return { folder, user: process.getuid?.() === 0 ? { uid, gid } : undefined };
}

/** A PostgreSQL of the test's own, on loopback: it may be stopped. */
export class OwnPostgres {
  private constructor(
    private readonly programs: Programs,
    private readonly directory: string,
    private readonly port: number,
  ) {}

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${String(this.port)}/postgres`;
  }

  static async start(programs: Programs): Promise<OwnPostgres> {
    const server = await OwnPostgres.prepared(programs);
    await server.run('initdb', [
      '-D',
      server.data,
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--auth=trust',
      '--no-sync',
    ]);
    await server.start();
    return server;
  }

  /** One that follows this one, and has what this one has acknowledged. */
  async standby(): Promise<OwnPostgres> {
    const standby = await OwnPostgres.prepared(this.programs);
    const from = [
      '-h',
      '127.0.0.1',
      '-p',
      String(this.port),
      '-U',
      'postgres',
      '--checkpoint=fast',
      '--no-sync',
    ];
    await standby.run('pg_basebackup', [...from, '-R', '-D', standby.data]);
    await standby.start();
    await onServer(this.url, async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await client.query('SELECT pg_reload_conf()');
    });
    return standby;
  }

  async start(): Promise<void> {
    // Only a machine that fails would need what is flushed to its disk.
    const settings = `-p ${String(this.port)} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
    const log = join(this.directory, 'log');
    await this.run('pg_ctl', ['start', '-w', '-D', this.data, '-l', log, '-o', settings]);
  }

  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.run('pg_ctl', ['stop', '-w', '-D', this.data, '-m', mode]);
  }

  async promote(): Promise<void> {
    await this.run('pg_ctl', ['promote', '-w', '-D', this.data]);
  }

  async raze(): Promise<void> {
    if (existsSync(join(this.data, 'postmaster.pid'))) await this.stop('immediate');
    await rm(this.directory, { recursive: true });
  }

  private static async prepared(programs: Programs): Promise<OwnPostgres> {
    const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-postgres-'));
    if (programs.user) await chown(directory, programs.user.uid, programs.user.gid);
    return new OwnPostgres(programs, directory, await freePort());
  }

  private get data(): string {
    return join(this.directory, 'data');
  }

  private run(program: string, args: readonly string[]): Promise<unknown> {
    const { folder, user } = this.programs;
    return run(join(folder, program), args, { cwd: this.directory, ...user });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
