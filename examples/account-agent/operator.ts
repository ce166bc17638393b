import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const cli = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

/** Mints a token with the development issuer, as `portal-catalog token` does on the command line. */
export async function mint(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'token', ...args], { env });
  return stdout.trim();
}

/** Asks the catalog for what an operator asks; `path` begins below the host. Throws where it refuses. */
export function operator(url: string, hostId: string, token: string) {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/v1/hosts/${hostId}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)} ${text}`);
    return JSON.parse(text) as T;
  };
}
