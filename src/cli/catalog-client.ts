import { Option, type Command } from 'commander';
import { decodeJwt } from 'jose';
import { CliFault, exitCodes } from './cli-fault.js';

/** Options of every command that talks to a running service. */
export interface ConnectionOptions {
  readonly url: string;
  readonly token?: string;
  readonly host?: string;
  readonly json?: boolean;
}

export function connectionOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--url <address>', 'address of the service')
        .env('PORTAL_URL')
        .default('http://127.0.0.1:3000'),
    )
    .addOption(new Option('--token <jwt>', 'bearer token').env('PORTAL_TOKEN'))
    .option('--host <hostId>', 'host to work on (default: the token’s)')
    .option('--json', 'print the answer as JSON, for scripts');
}

const noToken = `No token. Give one with --token or in PORTAL_TOKEN. For a service on this machine, mint one:
  export PORTAL_TOKEN=$(portal-catalog token --host <hostId> --sid <serviceId> --env <environment> --scope "catalog:read catalog:write")`;

/** Claims that fill in what the command line leaves out. The service verifies the token; here it is only read. */
export interface TokenClaims {
  readonly host?: string;
  readonly serviceId?: string;
  readonly envTag?: string;
  readonly agentDefId?: string;
}

/** Requests to one host of a running service, with one token. */
export class CatalogClient {
  readonly claims: TokenClaims;
  private readonly base: string;
  private readonly token: string;

  constructor(private readonly options: ConnectionOptions) {
    if (!options.token?.trim()) throw new CliFault(exitCodes.usage, noToken);
    this.token = options.token.trim();
    this.claims = claimsOf(this.token);
    const host = options.host ?? this.claims.host;
    if (host === undefined)
      throw new CliFault(exitCodes.usage, 'The token names no host: say it with --host <hostId>.');
    if (!URL.canParse(options.url)) {
      throw new CliFault(exitCodes.usage, `--url ${options.url} is no address. Try http://127.0.0.1:3000.`);
    }
    this.base = `${options.url.replace(/\/+$/, '')}/v1/hosts/${encodeURIComponent(host)}`;
  }

  /** The text of the answer; a refusal ends the command with the service's reason. `path` starts with a slash. */
  async request(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<string> {
    const sent = body === undefined ? undefined : { type: 'application/json', body: JSON.stringify(body) };
    return (await this.send(method, path, sent)).text();
  }

  /** Sends bytes as they are. */
  async upload(path: string, type: string, body: Uint8Array): Promise<string> {
    return (await this.send('POST', path, { type, body: new Uint8Array(body) })).text();
  }

  async download(path: string): Promise<Buffer> {
    return Buffer.from(await (await this.send('GET', path)).arrayBuffer());
  }

  private async send(
    method: string,
    path: string,
    sent?: { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> },
  ): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
    if (sent !== undefined) headers['content-type'] = sent.type;
    let answer: Response;
    try {
      answer = await fetch(`${this.base}${path}`, { method, headers, ...(sent && { body: sent.body }) });
    } catch (error) {
      throw new CliFault(exitCodes.unreachable, unreachable(this.options.url, error));
    }
    if (answer.ok) return answer;
    const code = answer.status >= 500 ? exitCodes.unreachable : exitCodes.refused;
    throw new CliFault(code, refusal(answer, await answer.text()));
  }
}

function claimsOf(token: string): TokenClaims {
  try {
    const { host, sid, env, agent_def_id: agent } = decodeJwt(token);
    return {
      ...(typeof host === 'string' ? { host } : {}),
      ...(typeof sid === 'string' ? { serviceId: sid } : {}),
      ...(typeof env === 'string' ? { envTag: env } : {}),
      ...(typeof agent === 'string' ? { agentDefId: agent } : {}),
    };
  } catch {
    throw new CliFault(
      exitCodes.usage,
      'The token is no JWT: three parts of Base64 with a dot between were expected.',
    );
  }
}

interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** A problem document (RFC 9457) as lines for people. */
function refusal(answer: Response, text: string): string {
  const problem = problemOf(text);
  const lines = [
    `${String(answer.status)} ${problem.code ?? problem.title ?? answer.statusText}: ${problem.detail ?? text.slice(0, 500)}`,
    ...(problem.errors ?? []).map(({ pointer, detail }) =>
      detail === problem.detail ? `  at ${pointer || '/'}` : `  at ${pointer || '/'}: ${detail}`,
    ),
  ];
  if (answer.status === 401)
    lines.push('Tokens of the development issuer live an hour: mint a new one with portal-catalog token.');
  return lines.join('\n');
}

function problemOf(text: string): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return {};
  }
}

function unreachable(url: string, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  return `The service at ${url} could not be reached (${cause}). Start it with npm start, or name another with --url.`;
}
