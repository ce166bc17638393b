import { type Command, Option } from 'commander';
import { decodeJwt } from 'jose';
import { currentContext } from './contexts.js';
import { CliFault, exitCodes, parsedAnswer, program } from './output.js';
import { isUuid } from '../platform/validation/validator.js';

/** Options of every command that talks to a running service. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly token?: string;
  readonly host?: string;
  readonly json?: boolean;
  readonly yaml?: boolean;
}

export const defaultUrl = 'http://127.0.0.1:3000';

export function connectionOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--url <address>',
        `address of the service (default: that of the context in use; with a token ${defaultUrl})`,
      ).env('PORTAL_URL'),
    )
    .addOption(
      new Option('--token <jwt>', 'bearer token (default: that of the context in use)').env('PORTAL_TOKEN'),
    )
    .option('--host <hostId>', 'host to work on (default: the token’s)')
    .addOption(new Option('--json', 'print the answer as JSON, for scripts').conflicts('yaml'))
    .option('--yaml', 'print the answer as YAML');
}

const noToken = `No token. Log in (${program} login), or give one with --token or in PORTAL_TOKEN. For a service on this machine, mint one:
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

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Sent {
  readonly type?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
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

/** A service, and the token for it. */
interface Connection {
  readonly url: string;
  readonly token: string;
  /** Where the token comes from. */
  readonly source: string;
  readonly host: string | undefined;
}

/**
 * What options leave open is that of the context in use; its token goes to its own service and to no other. Who gives a token gives
 * the address, too: no token of one service is sent to that of a context.
 */
export function connectionOf(options: ConnectionOptions): Connection {
  const given = options.token?.trim() ?? '';
  const context = given === '' ? currentContext() : undefined;
  const url = (options.url ?? context?.url ?? defaultUrl).replace(/\/+$/, '');
  if (!URL.canParse(url)) {
    throw new CliFault(exitCodes.usage, `--url ${url} is no address. Try ${defaultUrl}.`);
  }
  const isOfContext = context?.url.replace(/\/+$/, '') === url;
  const kept = isOfContext ? context : undefined;
  const token = given === '' ? kept?.token : given;
  if (token === undefined || token === '') throw new CliFault(exitCodes.usage, noToken);
  const source = given === '' ? `context ${kept?.name ?? ''}` : 'given (--token, PORTAL_TOKEN)';
  return { url, token, source, host: options.host ?? kept?.host };
}

/** Requests to one host of a running service, with one token. */
export class CatalogClient {
  readonly claims: TokenClaims;
  private readonly base: string;
  private readonly token: string;

  /** Where the service is. */
  private readonly url: string;

  constructor(options: ConnectionOptions) {
    const { url, token, host: own } = connectionOf(options);
    this.url = url;
    this.token = token;
    this.claims = claimsOf(token);
    const host = own ?? this.claims.host;
    if (host === undefined)
      throw new CliFault(exitCodes.usage, 'The token names no host: say it with --host <hostId>.');
    this.base = `${url}/v1/hosts/${encodeURIComponent(host)}`;
  }

  /** Requests JSON, and returns it as text. Throws CliFault with the service's reason. `path` starts with a slash. */
  async request(method: Method, path: string, body?: unknown, version?: number): Promise<string> {
    const text = await this.requestText(method, path, body, version);
    parsedAnswer(text);
    return text;
  }

  /** Requests an answer in another format. `version` is the one that the record must have. */
  async requestText(method: Method, path: string, body?: unknown, version?: number): Promise<string> {
    const sent = {
      ...(body !== undefined && { type: 'application/json', body: JSON.stringify(body) }),
      ...(version !== undefined && { headers: { 'if-match': `"${String(version)}"` } }),
    };
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

  /** Opens a stream of events, and gives its text as it comes. */
  async *follow(path: string, signal: AbortSignal): AsyncGenerator<string> {
    const headers = { authorization: `Bearer ${this.token}`, accept: 'text/event-stream' };
    const answer = await fetch(`${this.base}${path}`, { headers, signal }).catch((error: unknown) => {
      throw new CliFault(exitCodes.unreachable, unreachable(this.url, error));
    });
    if (!answer.ok || answer.body === null) {
      const code = answer.status >= 500 ? exitCodes.unreachable : exitCodes.refused;
      throw new Refusal(answer.status, code, refusal(answer, await answer.text(), this.claims));
    }
    const decoder = new TextDecoder();
    for await (const chunk of answer.body) yield decoder.decode(chunk as Uint8Array, { stream: true });
  }

  private async send(
    method: string,
    path: string,
    { type, body: sent, headers: more }: Sent = {},
  ): Promise<Buffer> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}`, ...more };
    if (type !== undefined) headers['content-type'] = type;
    const work = fetchWhole(`${this.base}${path}`, {
      method,
      headers,
      ...(sent !== undefined && { body: sent }),
    });
    const { answer, body } = await settledOrOver(work).catch((error: unknown) => {
      throw new CliFault(exitCodes.unreachable, unreachable(this.url, error));
    });
    if (/\bhtml\b/i.test(answer.headers.get('content-type') ?? '')) throw notACatalog(this.url, answer);
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
  const refusal = `--host ${hostId} is no id: write a UUID in lower case.`;
  if (!isUuid(hostId)) throw new CliFault(exitCodes.usage, refusal);
}
