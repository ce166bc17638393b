import { runProgram } from '../../src/cli/program.js';
import { exitCodes } from '../../src/cli/output.js';
import type { Server } from './server.js';

/** What a command has said, and how it ended. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Both, as a terminal shows them. */
  readonly output: string;
}

/** Lines about work that takes longer than a second. */
const progress = /^[A-Z][\w ]+(?: ….*|:) \d+ s\n$/;

/** Runs a command line in this process, and hears what it prints. One at a time. */
export function runHere(...args: readonly string[]): Promise<Said> {
  return runIn({}, ...args);
}

/** The same with variables of the environment that are set, or taken away where they are undefined. */
export async function runIn(environment: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Said> {
  const said = { out: '', err: '', output: '' };
  const { stdout, stderr, exitCode } = process;
  const [toOut, toErr] = [stdout.write.bind(stdout), stderr.write.bind(stderr)];
  const hear = (into: 'out' | 'err') => (chunk: string | Uint8Array) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    // Whether they come depends on the machine alone.
    if (into === 'err' && progress.test(text)) return true;
    said[into] += text;
    said.output += text;
    return true;
  };
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  setVariables(Object.entries(environment));
  process.exitCode = undefined;
  stdout.write = hear('out');
  stderr.write = hear('err');
  try {
    const code = await runProgram(args);
    return { code: code === exitCodes.done ? endedWith() : code, ...said };
  } finally {
    stdout.write = toOut;
    stderr.write = toErr;
    process.exitCode = exitCode;
    setVariables(before);
  }
}

/** What a command has said by itself, as cli.ts takes it. */
function endedWith(): number {
  return Number(process.exitCode ?? exitCodes.done);
}

function setVariables(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
}

/** A command line that talks to a service, with an operator's token or another. */
export async function commandLine(
  server: Server,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<(...args: readonly string[]) => Promise<Said>> {
  const connection = ['--url', server.address, '--token', await server.token(claims)];
  return (...args) => runHere(...args, ...connection);
}
