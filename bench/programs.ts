import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { mintToken } from '../src/platform/auth/issuers.js';

/** A server in a process of its own. */
export interface Program {
  readonly address: URL;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a built program that says where it `listens on`.
 *
 * @param file relative to this one: `../src/main.js`
 */
export async function startProgram(
  file: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { address: await addressOf(child), pid: child.pid ?? 0, stop: () => stop(child) };
}

/** The built service, with a directory of its own. */
export interface Service extends Program {
  /** A file of its own may be put here. */
  readonly directory: string;
  /** A token of the development issuer, for an hour; what is not said is an operator's for everything in `dev`. */
  token(host: string, claims?: Readonly<Record<string, unknown>>): Promise<string>;
}

/** @param url a PostgreSQL; without it the embedded database serves */
export async function startService(url?: string, environment: NodeJS.ProcessEnv = {}): Promise<Service> {
  const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-bench-'));
  const program = await startProgram('../src/main.js', [], {
    PORT: '0',
    DATA_DIR: directory,
    LOG_LEVEL: 'warn',
    SAMPLE_DATA: 'off',
    RATE_LIMIT: 'off',
    DATABASE_URL: url ?? '',
    AUTH_DEV_ISSUER: 'on',
    ...environment,
  });
  const scope = 'catalog:read catalog:write catalog:admin catalog:all-services';
  return {
    address: program.address,
    pid: program.pid,
    directory,
    token: (host, claims) =>
      mintToken(directory, { sub: 'operator', host, env: 'dev', scope, ...claims }, 3600),
    async stop() {
      await program.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export type Ask = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** Asks below a host; throws where the answer is no 2xx. */
export function asking(address: URL, hostId: string, token: string): Ask {
  return async (method, path, body) => {
    const response = await fetch(new URL(`/v1/hosts/${hostId}${path}`, address), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${String(response.status)} ${await response.text()}`);
    return (await response.json()) as never;
  };
}

function addressOf(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /listens on (\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(new URL(address));
    });
    child.once('exit', (code) => {
      reject(new Error(`The program ended with ${String(code)} before it listened: ${said}`));
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** Runs the work on a database of its own on the server of `url`, which is dropped afterwards. */
export async function withDatabase<T>(url: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  try {
    return await work(own.href);
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}
