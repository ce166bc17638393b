import { v7 } from 'uuid';
import { mintToken } from '../../src/platform/auth/issuers.js';
import type { Order, Started } from './applications.js';
import { settled, type Progress } from './embedding-progress.js';
import { isSoak } from '../soak.js';
import { allKinds, kinds, nameOf, type Kind } from './kinds.js';

/** Of this file alone: what other files have written does not show here. */
export const hostId = v7();

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

/** A service that runs, over real HTTP. */
export class Server {
  private operator: Promise<string> | undefined;

  /** @param running where it is, and the directory with the key that signs its tokens */
  constructor(protected running: Started) {}

  get address(): string {
    return this.running.address;
  }

  /** Where the key stands that signs its tokens. */
  get directory(): string {
    return this.running.directory;
  }

  /** A token of the development issuer; what is not said is an operator's. `undefined` takes a claim away. */
  token(claims: Readonly<Record<string, unknown>> = {}, lifetime = 600): Promise<string> {
    const scope = 'catalog:read catalog:write catalog:approve catalog:admin catalog:all-services';
    const wanted: Readonly<Record<string, unknown>> = {
      sub: 'operator',
      host: hostId,
      sid: 'any',
      env: 'dev',
      scope,
      ...claims,
    };
    const present = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    return mintToken(this.running.directory, present, lifetime);
  }

  /** `path` below the host (`/skills`), or from the root where it begins with two slashes (`//health/live`). */
  async api<Body = Record<string, unknown>>(
    method: string,
    path: string,
    call: ApiCall = {},
  ): Promise<ApiAnswer<Body>> {
    this.operator ??= this.token();
    const { token = await this.operator, body, raw, headers = {} } = call;
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

  /** How the tables of this file's host differ from those that its log alone makes. */
  differences(): Promise<readonly string[]> {
    return ask({ replay: this.address, host: hostId }) as Promise<readonly string[]>;
  }

  /** Waits until scores stay as they are: all that was written is found and has its vector. */
  async settled(): Promise<void> {
    await settled(async () => (await this.api<Progress>('GET', '/embeddings/progress')).body);
  }
}

/** The process of applications of this worker, as test/database-environment.mjs hands it out. */
function ask(order: Order): Promise<unknown> {
  const applications = Reflect.get(globalThis, 'applications') as { ask(order: Order): Promise<unknown> };
  return applications.ask(order);
}

/**
 * Runs a suite against the service, on each database of this run (`kinds`). Without an `environment` it is one that other
 * files use, too, each with a host of its own; with settings it is this suite's own.
 */
export function eachServer(
  suite: (server: () => Server, kind: Kind) => void,
  environment?: NodeJS.ProcessEnv,
): void {
  onServers(kinds, suite, environment);
}

/** As `eachServer`, on every database in `npm test`, too: for the few suites that show the other one at work. */
export function everyServer(suite: (server: () => Server, kind: Kind) => void): void {
  onServers(allKinds, suite);
}

function onServers(
  among: readonly Kind[],
  suite: (server: () => Server, kind: Kind) => void,
  environment?: NodeJS.ProcessEnv,
): void {
  const start = async (kind: Kind) => {
    const started = (await ask({ start: kind, ...(environment && { environment }) })) as Started;
    const stop = async (): Promise<void> => {
      if (environment !== undefined) await ask({ stop: started.address });
    };
    return { server: new Server(started), stop };
  };
  eachKind(start, suite, among);
}

/** Runs a suite on each database of this run, or `among` others, against what `start` starts there; `server()` gives it. */
export function eachKind<S extends Server>(
  start: (kind: Kind) => Promise<{ readonly server: S; readonly stop: () => Promise<void> }>,
  suite: (server: () => S, kind: Kind) => void,
  among: readonly Kind[] = kinds,
): void {
  for (const kind of among) {
    describe(nameOf(kind), () => {
      let running: { readonly server: S; readonly stop: () => Promise<void> } | undefined;
      beforeAll(async () => {
        running = await start(kind);
      });
      afterAll(async () => {
        await running?.stop();
      });
      suite(() => {
        if (running === undefined) throw new Error('The server has not started.');
        return running.server;
      }, kind);
      if (isSoak)
        it('the tables of projections are those that the log alone makes', async () => {
          expect(await running?.server.differences()).toEqual([]);
        });
    });
  }
}
