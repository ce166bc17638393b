import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { mintToken } from '../../src/platform/auth/issuers.js';
import type { Home } from '../e2e/home.js';
import { sample } from '../../src/sample/sample-ids.js';

/** A process has a database of its own, where the host of the sample data and of the documents is free. */
export const { hostId } = sample;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Message {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The built service in a process of its own, as `npm start` runs it: it can be killed, and there can be two. */
export class ServiceProcess {
  private output = '';
  private isStopping = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly home: Home,
    public address: string,
  ) {}

  static async start(home: Home, environment: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
    const service = new ServiceProcess(runProgram('main.js', [], home, environment), home, '');
    await service.listening();
    // Else all that shows of it is that nobody answers any more.
    service.child.once('close', (code, signal) => {
      if (!service.isStopping)
        process.stderr.write(`The service ended by itself (${String(code ?? signal)}):\n${service.said}\n`);
    });
    return service;
  }

  /** What it has printed and logged so far. */
  get said(): string {
    return this.output;
  }

  token(claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const scope = 'catalog:read catalog:write catalog:admin';
    return mintToken(
      this.home.directory,
      { sub: 'operator', host: hostId, sid: 'accounts', env: 'dev', scope, ...claims },
      3600,
    );
  }

  /** `path` below `/v1/hosts/{hostId}`. */
  async send(method: string, path: string, token: string, more: Message = {}): Promise<Answer> {
    const { body, headers = {} } = more;
    const response = await fetch(`${this.address}/v1/hosts/${hostId}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /**
   * Sends the signal and resolves with the exit code; null where the signal itself ended the process. Throws where the
   * process had ended by itself.
   */
  async stop(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) {
      if (this.isStopping) return exitCode;
      throw new Error(`The service had ended by itself (${String(exitCode ?? signalCode)}).`);
    }
    this.isStopping = true;
    // Then all that it has said is read, too.
    const closed = once(this.child, 'close') as Promise<[number | null]>;
    this.child.kill(signal);
    return (await closed)[0];
  }

  private async listening(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        this.output += chunk.toString();
        const [, address] = /"address":"([^"]+)"|listens on (\S+)/.exec(this.output)?.filter(Boolean) ?? [];
        if (address === undefined) return;
        this.address = address;
        resolve();
      };
      this.child.stdout?.on('data', read);
      this.child.stderr?.on('data', read);
      this.child.once('exit', (code) => {
        reject(new Error(`The service ended with ${String(code)} before it listened:\n${this.output}`));
      });
    });
  }
}

/** What a program of dist/ that ends by itself, or a script where it is none, has said and how it ended. */
export async function runToEnd(
  program: string,
  args: readonly string[],
  home: Home,
): Promise<{ code: number | null; output: string }> {
  const child = runProgram(program, args, home);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  // What hangs is ended, so that the test says what it has said until then.
  const patience = setTimeout(() => child.kill('SIGKILL'), 120_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(patience);
  return { code, output };
}

function runProgram(
  program: string,
  args: readonly string[],
  home: Home,
  environment: NodeJS.ProcessEnv = {},
): ChildProcess {
  const { DATABASE_URL: _url, NODE_OPTIONS: _options, ...inherited } = process.env;
  const file = program === '' ? [] : [join('dist', 'src', program)];
  return spawn(process.execPath, [...file, ...args], {
    env: { ...inherited, PORT: '0', SAMPLE_DATA: 'off', ...home.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
