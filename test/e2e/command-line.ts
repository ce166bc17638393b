import { runProgram } from '../../src/cli/program.js';
import type { Server } from './server.js';

/** What a command has said, and how it ended. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, and hears what it prints. One at a time. */
export async function runHere(...args: readonly string[]): Promise<Said> {
  const said = { out: '', err: '' };
  const { stdout, stderr } = process;
  const [toOut, toErr] = [stdout.write.bind(stdout), stderr.write.bind(stderr)];
  const hear = (into: 'out' | 'err') => (chunk: string | Uint8Array) => {
    said[into] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  };
  stdout.write = hear('out');
  stderr.write = hear('err');
  try {
    const code = await runProgram(args);
    return { code, ...said };
  } finally {
    stdout.write = toOut;
    stderr.write = toErr;
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
