import { type Command, Option } from 'commander';
import { decodeJwt } from 'jose';
import { CliFault, exitCodes, parsedAnswer, program } from './output.js';
import { isUuid } from '../platform/validation/validator.js';

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
  export PORTAL_TOKEN=$(${program} token --host <hostId> --sid <serviceId> --env <environment> --scope "catalog:read catalog:write")`;

/** Claims that complete the command line. Read without verification, which is the service's. */
interface TokenClaims {
  readonly host?: string;
  readonly serviceId?: string;
  readonly envTag?: string;
  readonly agentDefId?: string;
  /** Whether the token covers all services. */
  readonly allServices: boolean;
}

/** An answer that is none, with its status. */
export class Refusal extends CliFault {
  constructor(
    readonly status: number,
    exitCode: number,
    message: string,
  ) {
    super(exitCode, message);
  }
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

  /** Requests JSON, and returns it as text. Throws CliFault with the service's reason. `path` starts with a slash. */
  async request(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<string> {
    const text = await this.requestText(method, path, body);
    parsedAnswer(text);
    return text;
  }

  /** Requests an answer in another format. */
  async requestText(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<string> {
    const sent = body === undefined ? undefined : { type: 'application/json', body: JSON.stringify(body) };
    return (await this.send(method, path, sent)).toString('utf8');
  }

  /** Sends bytes as they are. */
  async upload(path: string, type: string, body: Uint8Array): Promise<string> {
    const text = (await this.send('POST', path, { type, body: new Uint8Array(body) })).toString('utf8');
    parsedAnswer(text);
    return text;
  }

  async download(path: string): Promise<Buffer> {
    return this.send('GET', path);
  }

  private async send(
    method: string,
    path: string,
    sent?: { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> },
  ): Promise<Buffer> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
    if (sent !== undefined) headers['content-type'] = sent.type;
    const work = fetchWhole(`${this.base}${path}`, { method, headers, ...(sent && { body: sent.body }) });
    const { answer, body } = await settledOrOver(work).catch((error: unknown) => {
      throw new CliFault(exitCodes.unreachable, unreachable(this.options.url, error));
    });
    if (/\bhtml\b/i.test(answer.headers.get('content-type') ?? ''))
      throw notACatalog(this.options.url, answer);
    if (answer.ok) return body;
    const code = answer.status >= 500 ? exitCodes.unreachable : exitCodes.refused;
    throw new Refusal(answer.status, code, refusal(answer, body.toString('utf8'), this.claims));
  }
}

async function fetchWhole(
  url: string,
  request: RequestInit,
): Promise<{ readonly answer: Response; readonly body: Buffer }> {
  const answer = await fetch(url, request);
  return { answer, body: Buffer.from(await answer.arrayBuffer()) };
}

/** Rejects where fetch forgets a request whose connection has ended: the process would end without a word. */
async function settledOrOver<T>(work: Promise<T>): Promise<T> {
  let over = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    over = () => {
      reject(new Error('it closed the connection without an answer'));
    };
  });
  process.once('beforeExit', over);
  try {
    return await Promise.race([work, ended]);
  } finally {
    process.off('beforeExit', over);
  }
}

function notACatalog(url: string, { status }: Response): CliFault {
  const detail = `What answers at ${url} is no portal catalog: it sends a web page (status ${String(status)}). Name the catalog's address with --url or in PORTAL_URL.`;
  return new CliFault(exitCodes.unreachable, detail);
}

function claimsOf(token: string): TokenClaims {
  try {
    const { host, sid, env, agent_def_id: agent, scope } = decodeJwt(token);
    return {
      ...(typeof host === 'string' ? { host } : {}),
      ...(typeof sid === 'string' ? { serviceId: sid } : {}),
      ...(typeof env === 'string' ? { envTag: env } : {}),
      ...(typeof agent === 'string' ? { agentDefId: agent } : {}),
      allServices: typeof scope === 'string' && scope.split(' ').includes('catalog:all-services'),
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

/** Prints a problem document (RFC 9457). */
function refusal(answer: Response, text: string, claims: TokenClaims): string {
  const problem = problemOf(text);
  const lines = [
    `${String(answer.status)} ${problem.code ?? problem.title ?? answer.statusText}: ${problem.detail ?? text.slice(0, 500)}`,
    ...(problem.errors ?? []).map(({ pointer, detail }) =>
      detail === problem.detail ? `  at ${pointer || '/'}` : `  at ${pointer || '/'}: ${detail}`,
    ),
  ];
  if (answer.status === 401)
    lines.push(
      `Tokens of the development issuer live an hour, and only a service with the same DATA_DIR takes them: mint a new one with ${program} token.`,
    );
  if (answer.status === 404) lines.push(...reachOf(problem, claims));
  return lines.join('\n');
}

/** Names what the token covers, since the service answers the same for records beyond it as for missing ones. */
function reachOf({ code }: Problem, { serviceId, envTag, allServices }: TokenClaims): string[] {
  if (code === undefined) return ['What answers there may be no portal catalog: see --url and PORTAL_URL.'];
  const where = [
    ...(serviceId === undefined || allServices ? [] : [`service ${serviceId}`]),
    ...(envTag === undefined ? [] : [`environment ${envTag}`]),
  ];
  if (where.length === 0) return [];
  return [`The token is for ${where.join(', ')}: what belongs elsewhere is not found with it.`];
}

function problemOf(text: string): Problem {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function unreachable(url: string, error: unknown): string {
  const { cause, message } = error instanceof Error ? error : { cause: undefined, message: String(error) };
  const reason = cause instanceof Error ? cause.message || cause.name : message;
  return `The service at ${url} could not be reached, or did not answer (${reason}). Start it with npm start, or name another with --url.`;
}

/** Refuses an invalid host id before anything is opened. */
export function checkHost(hostId: string): void {
  checkId('--host', hostId);
}

/** Refuses an invalid id, and names its option. */
export function checkId(option: string, id: string): void {
  const refusal = `${option} ${id} is no id: write a UUID in lower case.`;
  if (!isUuid(id)) throw new CliFault(exitCodes.usage, refusal);
}
