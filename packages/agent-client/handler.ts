import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AgentClient } from './agent-client.js';
import { createMcpHandler, type McpHttpHandler, McpServer } from '@modelcontextprotocol/server';

export interface HandlerOptions {
  /** The token that may use the routes, or a function that checks tokens. */
  readonly authorize: string | ((bearer: string) => boolean | Promise<boolean>);
  /** Secret of the catalog's deliveries to `/webhooks/catalog`; without it there is no such route. */
  readonly webhookSecret?: string;
  /** Clock in milliseconds since 1970; the machine's where left out. */
  readonly clock?: () => number;
}

export type Handler = (request: Request) => Promise<Response>;

type Agent = Pick<AgentClient, 'diagnostics' | 'clearCache' | 'invalidate'>;

/**
 * Routes for operators of an agent, to be mounted below any path of an HTTP server: `GET
 * /diagnostics/tools?prompt=&context=&refresh=` and MCP at `/mcp` with the tool `clear_cache`, both with a bearer
 * token, and `POST /webhooks/catalog` for signed deliveries of the catalog.
 */
export function agentHandler(agent: Agent, options: HandlerOptions): Handler {
  const control = cacheControl(agent);
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith('/webhooks/catalog') && options.webhookSecret !== undefined)
      return heard(request, agent, options.webhookSecret, options.clock ?? Date.now);
    const isDiagnostics = pathname.endsWith('/diagnostics/tools');
    if (!isDiagnostics && !pathname.endsWith('/mcp')) return problem(404, 'There is nothing here.');
    if (!(await isAuthorized(request, options))) {
      return problem(401, 'A bearer token is needed.', { 'www-authenticate': 'Bearer' });
    }
    if (!isDiagnostics) return control.fetch(request);
    if (request.method !== 'GET') return problem(405, 'Diagnostics are read with GET.', { allow: 'GET' });
    return diagnosed(agent, searchParams);
  };
}

async function diagnosed(agent: Agent, query: URLSearchParams): Promise<Response> {
  const context = query.get('context');
  const answer = await agent.diagnostics({
    prompt: query.get('prompt') ?? query.get('query') ?? '',
    refresh: query.get('refresh') === 'true',
    ...(context !== null && { context: context.split(',').map((name) => name.trim()) }),
  });
  return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
}

/** Takes a delivery, which says only that something has changed. */
async function heard(request: Request, agent: Agent, secret: string, clock: () => number): Promise<Response> {
  if (request.method !== 'POST') return problem(405, 'Deliveries are sent with POST.', { allow: 'POST' });
  const body = await request.text();
  if (!isSigned({ headers: request.headers, body }, secret, clock())) {
    return problem(401, 'The delivery is not signed with the secret, or too old.');
  }
  agent.invalidate();
  return new Response(null, { status: 204 });
}

async function isAuthorized({ headers }: Request, { authorize }: HandlerOptions): Promise<boolean> {
  const bearer = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (bearer === undefined) return false;
  if (typeof authorize === 'function') return authorize(bearer);
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return authorize !== '' && timingSafeEqual(digest(bearer), digest(authorize));
}

function problem(status: number, detail: string, headers: Record<string, string> = {}): Response {
  const body = JSON.stringify({ type: 'about:blank', status, detail });
  return new Response(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } });
}

/** Bytes of a request. */
const MAX_BYTES = 1024 * 1024;

/** Wraps the handler for `node:http`. */
export function nodeListener(handler: Handler): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, outgoing) => {
    void answer(handler, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

async function answer(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await bodyOf(incoming);
  const gone = new AbortController();
  outgoing.once('close', () => {
    gone.abort();
  });
  const response =
    body === undefined
      ? problem(413, `The body is larger than ${MAX_BYTES} bytes.`)
      : await handler(webRequest(incoming, body, gone.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body), outgoing);
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  return size > MAX_BYTES ? undefined : Buffer.concat(chunks);
}

function webRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    ...{ method, headers: pairs, signal },
    ...(method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(body) }),
  });
}

/** Name of the cache. */
const cacheName = 'effective-agent-catalog';

const clearCache = {
  name: 'clear_cache',
  title: 'Clear the cache of the catalog',
  description:
    'Makes the agent load its effective catalog again: at once where it was loaded at startup, else with the next prompt. ' +
    'Until the catalog has answered, what was known is used as stale.',
  inputSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string', enum: [cacheName], description: 'All caches where left out.' } },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

/** Serves MCP with the tool by which a control plane clears the agent's cache. Access is checked before. */
function cacheControl(agent: Pick<AgentClient, 'clearCache'>): McpHttpHandler {
  return createMcpHandler(() => {
    const server = new McpServer(
      { name: 'portal-catalog-agent', version: '0.1.0' },
      { capabilities: { tools: {} } },
    );
    server.server.setRequestHandler('tools/list', () => ({ tools: [clearCache] }));
    server.server.setRequestHandler('tools/call', async ({ params }) => {
      const { name = cacheName } = params.arguments ?? {};
      if (params.name !== clearCache.name)
        return failed(`There is no tool ${params.name}, only clear_cache.`);
      if (name !== cacheName) return failed(`There is no such cache, only ${cacheName}.`);
      const cleared = { status: 'cleared', cache: cacheName, catalog: await agent.clearCache() };
      return { content: [{ type: 'text', text: JSON.stringify(cleared) }], structuredContent: cleared };
    });
    return server;
  });
}

function failed(text: string) {
  return { isError: true, content: [{ type: 'text' as const, text }] };
}

/** Seconds that a delivery may be old or ahead, against replays. */
const tolerance = 300;

interface Delivery {
  readonly headers: Headers;
  /** Body as it arrived, byte for byte. */
  readonly body: string;
}

/**
 * Whether a delivery was signed with the secret, as Standard Webhooks does (https://www.standardwebhooks.com): HMAC-SHA256
 * over id, time and body. A secret that begins with `whsec_` is Base64 of the key, any other one is the key itself.
 *
 * @param now milliseconds since 1970
 */
function isSigned({ headers, body }: Delivery, secret: string, now: number): boolean {
  const [id, timestamp = '', signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? undefined,
  );
  if (id === undefined || signatures === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > tolerance) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((signature) => {
    const [version, given = ''] = signature.split(',');
    const bytes = Buffer.from(given, 'base64');
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}
