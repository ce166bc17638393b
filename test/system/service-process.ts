import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { mintToken } from '../../src/platform/auth/issuers.js';
import type { Home } from '../e2e/home.js';
import { isSoak } from '../soak.js';
import { unlessHung } from '../until.js';
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

/** Milliseconds after which a process is killed that does not do what is awaited of it. */
const patience = isSoak ? 120_000 : 45_000;

/** A program of dist/, or a script where it has no name, in a process of its own. One that hangs is killed. */
export class Program {
  private readonly child: ChildProcess;
  private readonly closed: Promise<unknown>;
  private output = '';
  private isStopping = false;

  /** @param input what it is given on its standard input */
  constructor(
    name: string,
    args: readonly string[] = [],
    environment: NodeJS.ProcessEnv = {},
    input?: string,
  ) {
    const { DATABASE_URL: _url, NODE_OPTIONS: _options, ...inherited } = process.env;
    const file = name === '' ? [] : [join('dist', 'src', name)];
    this.child = spawn(process.execPath, [...file, ...args], {
      env: { ...inherited, PORT: '0', SAMPLE_DATA: 'off', ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.child.stdin?.end(input);
    this.hear((chunk) => (this.output += chunk.toString()));
    // By then all that it has said is read, too.
    this.closed = once(this.child, 'close');
  }

  /** What it has printed and logged so far. */
  get said(): string {
    return this.output;
  }

  /** How it ended; undefined while it runs. */
  get ended(): number | NodeJS.Signals | undefined {
    return this.child.exitCode ?? this.child.signalCode ?? undefined;
  }

  /** Waits for something that it says, and gives the first group of the pattern that is filled. */
  says(pattern: RegExp): Promise<string> {
    const found = new Promise<string>((resolve, reject) => {
      const look = (): void => {
        const group = pattern.exec(this.output)?.slice(1).find(Boolean);
        if (group !== undefined) resolve(group);
      };
      look();
      this.hear(look);
      void this.closed.then(() => {
        reject(
          new Error(`It ended with ${String(this.ended)} before it said ${String(pattern)}:\n${this.output}`),
        );
      });
    });
    return this.inTime(found, `say ${String(pattern)}`);
  }

  /** The exit code, when it has ended; null where a signal ended it. */
  async end(): Promise<number | null> {
    await this.inTime(this.closed, 'end');
    return this.child.exitCode;
  }

  /** Sends the signal, and resolves as `end` does. Throws where the process had ended by itself. */
  async stop(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.ended !== undefined && !this.isStopping)
      throw new Error(`It had ended by itself (${String(this.ended)}):\n${this.output}`);
    this.isStopping = true;
    this.child.kill(signal);
    return this.end();
  }

  /** Says so where it ends and nobody stops it: else all that shows of it is that nobody answers any more. */
  reportEnd(): void {
    void this.closed.then(() => {
      if (!this.isStopping)
        process.stderr.write(`The service ended by itself (${String(this.ended)}):\n${this.output}\n`);
    });
  }

  private hear(listener: (chunk: Buffer) => void): void {
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', listener);
  }

  private async inTime<T>(work: Promise<T>, what: string): Promise<T> {
    return unlessHung(work, patience, () => {
      this.child.kill('SIGKILL');
      return new Error(
        `It was killed, since it did not ${what} within ${String(patience)} ms:\n${this.output}`,
      );
    });
  }
}

/** The built service in a process of its own, as `npm start` runs it: it can be killed, and there can be two. */
export class ServiceProcess {
  private constructor(
    private readonly program: Program,
    private readonly home: Home,
    public address: string,
  ) {}

  static async start(home: Home, environment: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
    const program = new Program('main.js', [], { ...home.environment, ...environment });
    const address = await program.says(/"address":"([^"]+)"|listens on (\S+)/);
    program.reportEnd();
    return new ServiceProcess(program, home, address);
  }

  /** What it has printed and logged so far. */
  get said(): string {
    return this.program.said;
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

  /** As that of a program. */
  stop(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    return this.program.stop(signal);
  }
}

/** What a program that ends by itself has said, and how it ended. */
export async function runToEnd(
  name: string,
  args: readonly string[],
  home: Home,
  input?: string,
): Promise<{ code: number | null; output: string }> {
  const program = new Program(name, args, home.environment, input);
  const code = await program.end();
  return { code, output: program.said };
}
