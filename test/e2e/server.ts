import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication } from '../../src/application.js';
import { mintToken } from '../../src/platform/auth/issuers.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { seedEmbedded } from '../integration/database-templates.js';
import { freshServerDatabase } from '../integration/databases.js';
import { settled, type Progress } from './embedding-progress.js';

export const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';

export interface ApiCall {
  /** A token; without it, one of an operator who may do everything for every service in `dev`. */
  readonly token?: string;
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiAnswer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the answer; of no use where it has none. */
  readonly body: Body;
}

interface Running {
  readonly app: NestFastifyApplication;
  readonly address: string;
}

/** The whole service in this process, over real HTTP, on a database of its own. */
export class TestServer {
  private operator = '';
  private readonly others: TestServer[] = [];

  private constructor(
    private running: Running,
    private readonly launch: () => Promise<Running>,
    /** Lines of its log, where the test says how much is logged; else they go to stderr. */
    readonly logged: readonly string[],
    private readonly home: { readonly directory: string; readonly drop: () => Promise<void> },
  ) {}

  get app(): NestFastifyApplication {
    return this.running.app;
  }

  get address(): string {
    return this.running.address;
  }

  /** On a PostgreSQL where `kind` is `server` (needs `TEST_DATABASE_URL`), else on the embedded database. */
  static async start(kind: 'embedded' | 'server', environment: NodeJS.ProcessEnv = {}): Promise<TestServer> {
    const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-e2e-'));
    const database = kind === 'server' ? await freshServerDatabase() : undefined;
    if (database === undefined) await seedEmbedded(directory);
    const config = readConfig({
      PORT: '0',
      DATA_DIR: directory,
      ...(database === undefined ? {} : { DATABASE_URL: database.url, AUTH_DEV_ISSUER: 'on' }),
      LOG_LEVEL: 'error',
      SAMPLE_DATA: 'off',
      ...environment,
    });
    const logged: string[] = [];
    const kept = { write: (line: string) => void logged.push(line) };
    const launch = async (): Promise<Running> => {
      const app = await createApplication(
        config,
        createLog(config.logLevel, environment['LOG_LEVEL'] === undefined ? process.stderr : kept),
      );
      await app.listen({ port: 0, host: '127.0.0.1' });
      return { app, address: await app.getUrl() };
    };
    const drop = async (): Promise<void> => database?.drop();
    const server = new TestServer(await launch(), launch, logged, { directory, drop });
    server.operator = await server.token();
    return server;
  }

  /** Stops it and starts it again, on the same database and at another port; `meanwhile` is done while it is down. */
  async restart(meanwhile: () => void): Promise<void> {
    await this.app.close();
    meanwhile();
    this.running = await this.launch();
  }

  /** Another instance on the same PostgreSQL; it stops with this one. */
  async another(): Promise<TestServer> {
    const other = new TestServer(await this.launch(), this.launch, this.logged, this.home);
    other.operator = this.operator;
    this.others.push(other);
    return other;
  }

  /** A token of the development issuer; what is not said is an operator's. `undefined` takes a claim away. */
  token(claims: Readonly<Record<string, unknown>> = {}, lifetime = 600): Promise<string> {
    const scope = 'catalog:read catalog:write catalog:admin catalog:all-services';
    const wanted: Readonly<Record<string, unknown>> = {
      sub: 'operator',
      host: hostId,
      sid: 'any',
      env: 'dev',
      scope,
      ...claims,
    };
    const present = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    return mintToken(this.home.directory, present, lifetime);
  }

  /** `path` below the host (`/skills`), or from the root where it begins with two slashes (`//health/live`). */
  async api<Body = Record<string, unknown>>(
    method: string,
    path: string,
    call: ApiCall = {},
  ): Promise<ApiAnswer<Body>> {
    const { token = this.operator, body, raw, headers = {} } = call;
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const type = sent === undefined ? {} : { 'content-type': 'application/json' };
    const url = path.startsWith('//') ? path.slice(1) : `/v1/hosts/${hostId}${path}`;
    const response = await fetch(this.address + url, {
      method,
      headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...type, ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : {}) as Body,
    };
  }

  /** Waits until scores stay as they are: all that was written is found and has its vector. */
  async settled(): Promise<void> {
    await settled(async () => (await this.api<Progress>('GET', '/embeddings/progress')).body);
  }

  async stop(): Promise<void> {
    try {
      for (const { app } of this.others) await app.close();
      await this.app.close();
    } finally {
      await rm(this.home.directory, { recursive: true, force: true });
      await this.home.drop();
    }
  }
}

/**
 * Runs a suite against the service on every database that the machine has: the embedded one, and a PostgreSQL where
 * `TEST_DATABASE_URL` names one. `server()` gives the running one.
 */
export function eachServer(
  suite: (server: () => TestServer, kind: 'embedded' | 'server') => void,
  environment: NodeJS.ProcessEnv = {},
): void {
  const kinds =
    process.env['TEST_DATABASE_URL'] === undefined
      ? (['embedded'] as const)
      : (['embedded', 'server'] as const);
  if (kinds.length === 1) process.stdout.write('Not run on a PostgreSQL: TEST_DATABASE_URL is not set.\n');
  for (const kind of kinds) {
    describe(kind === 'server' ? 'on PostgreSQL' : 'on the embedded database', () => {
      let server: TestServer | undefined;
      beforeAll(async () => {
        server = await TestServer.start(kind, environment);
      });
      afterAll(async () => {
        await server?.stop();
      });
      suite(() => {
        if (server === undefined) throw new Error('The server has not started.');
        return server;
      }, kind);
    });
  }
}
