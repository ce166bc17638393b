import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { newHome, type Home } from './home.js';
import type { Kind } from './kinds.js';
import { launch, type Launched } from './launch.js';
import { replayOf } from './replay.js';
import { eachKind, Server } from './server.js';

/** The whole service in this process, on a database of its own: for tests of its parts, its log, its start and stop. */
export class OwnServer extends Server {
  private readonly others: OwnServer[] = [];

  private constructor(
    private launched: Launched,
    private readonly launch: () => Promise<Launched>,
    /** Lines of its log, where the test says how much is logged; else they go to stderr. */
    readonly logged: readonly string[],
    private readonly home: Home,
  ) {
    super({ address: launched.address, directory: home.directory });
  }

  get app(): NestFastifyApplication {
    return this.launched.app;
  }

  static async start(kind: Kind, environment: NodeJS.ProcessEnv = {}): Promise<OwnServer> {
    const home = await newHome(kind);
    const logged: string[] = [];
    const kept = { write: (line: string) => void logged.push(line) };
    const log = environment['LOG_LEVEL'] === undefined ? process.stderr : kept;
    const start = () => launch(home, environment, log);
    return new OwnServer(await start(), start, logged, home);
  }

  /** Stops it and starts it again, on the same database and at another port; `meanwhile` is done while it is down. */
  async restart(meanwhile: () => void): Promise<void> {
    await this.app.close();
    meanwhile();
    this.launched = await this.launch();
    this.running = { ...this.running, address: this.launched.address };
  }

  /** Another instance on the same PostgreSQL; it stops with this one. */
  async another(): Promise<OwnServer> {
    const other = new OwnServer(await this.launch(), this.launch, this.logged, this.home);
    this.others.push(other);
    return other;
  }

  override async differences(): Promise<readonly string[]> {
    const hosts = await this.app
      .get<Database>(DATABASE)
      .acrossHosts.query<{ id: string }>('SELECT host_id AS id FROM host_head_t ORDER BY 1');
    const replay = replayOf(this.app);
    const found: string[] = [];
    for (const { id } of hosts) found.push(...(await replay.differences(id)));
    return found;
  }

  async stop(): Promise<void> {
    try {
      for (const { app } of this.others) await app.close();
      await this.app.close();
    } finally {
      await this.home.raze();
    }
  }
}

/** Runs a suite against a service of its own in this process, on each database of this run. */
export function eachOwnServer(
  suite: (server: () => OwnServer, kind: Kind) => void,
  environment: NodeJS.ProcessEnv = {},
): void {
  eachKind(async (kind) => {
    const server = await OwnServer.start(kind, environment);
    return { server, stop: () => server.stop() };
  }, suite);
}
