import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** A server in a process of its own. */
export interface Program {
  readonly address: URL;
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
  return { address: await addressOf(child), stop: () => stop(child) };
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
