import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A program of this project that runs until it is stopped. */
export interface Running {
  /** The address that it named when it was ready. */
  readonly url: string;
  stop(): Promise<void>;
}

const programs = new URL('../../src/', import.meta.url);

/** Starts a program of `dist/src`, and waits until it prints an address. Throws with its output where it ends before. */
export async function start(
  program: 'main.js' | 'cli.js',
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Running> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, programs)), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { url: await addressOf(child, program), stop: () => ended(child) };
}

function addressOf(child: ChildProcess, program: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const [url] = /http:\/\/127\.0\.0\.1:\d+[\w/]*/.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => {
      reject(new Error(`${program} ended before it was ready:\n${output}`));
    });
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** A port that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
