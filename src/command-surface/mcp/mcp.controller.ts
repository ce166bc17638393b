import { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../platform/auth/caller.js';
import { requireScope } from '../../platform/auth/claims.js';
import { checkAgent } from '../../platform/auth/admission.js';
import { TokenVerifier } from '../../platform/auth/token-verifier.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { GracefulStop, stopping } from '../../platform/http/graceful-stop.js';
import { OpenStreams } from '../../platform/http/event-stream.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimiter } from '../../platform/http/rate-limiter.js';
import { webRequest } from '../../platform/http/request-body.js';
import { isUuid } from '../../platform/validation/validator.js';
import { McpServers } from './mcp-server.service.js';
import type { IncomingHttpHeaders } from 'node:http';

const path = '/mcp';
const MAX_TIMER = 2 ** 31 - 1;

/** Serves MCP over HTTP at `/mcp`, stateless, for clients of 2026-07-28 and 2025-11-25, by bare Fastify routes. */
@Injectable()
export class McpController implements OnModuleInit {
  constructor(
    private readonly servers: McpServers,
    private readonly verifier: TokenVerifier,
    private readonly limiter: RateLimiter,
    private readonly stop: GracefulStop,
    private readonly streams: OpenStreams,
    private readonly adapterHost: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    const instance = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    instance.route({
      method: ['GET', 'POST', 'DELETE'],
      url: path,
      onRequest: async (request, reply) => {
        refuseForeign(request.headers, this.config);
        await this.authenticate(request, reply);
      },
      handler: (request, reply) => this.serve(request, reply),
    });
    for (const url of [metadataPath, metadataPath + path]) {
      instance.get(url, (request) => resourceMetadata(request, this.config));
    }
  }

  /** Throws Problem 401 that names the issuer, 403 for a token without a scope for this. */
  private async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      const caller = await this.verifier.callerOf(request.raw);
      request.caller = caller;
      requireScope(caller, 'catalog:agent', 'catalog:read');
      reply.headers(await this.limiter.take(caller.fingerprint));
    } catch (error) {
      if (error instanceof Problem && error.status === 401) await this.limiter.take(`address ${request.ip}`);
      throw challenged(error, request, this.config);
    }
  }

  private async serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { caller } = request;
    if (caller === null) throw new Error('The gate lets nobody through without a caller.');
    refuseBatch(request.body);
    const client = { caller, agentDefId: agentOf(request, caller), correlationId: request.id };
    const left = new AbortController();
    reply.raw.once('close', () => {
      left.abort();
    });
    const { method } = (request.body ?? {}) as { readonly method?: unknown };
    const isSubscription = method === 'subscriptions/listen';
    if (isSubscription) reply.raw.once('close', this.streams.open(caller));
    const handler = await this.servers.handlerFor(client, method);
    // The client has left meanwhile.
    if (left.signal.aborted) return reply.send('');
    if (isSubscription) this.endInTime(handler, caller, left.signal);
    const asked = webRequest(request, left.signal, request.bodyBytes);
    const response = await handler.fetch(
      asked,
      request.body === undefined ? {} : { parsedBody: request.body },
    );
    void reply.code(response.status);
    response.headers.forEach((value, name) => void reply.header(name, value));
    if (response.body === null) return reply.send('');
    return reply.send(Readable.fromWeb(response.body));
  }

  /** Ends a subscription with its token, and when the service stops. Throws Problem 503 where it stops already. */
  private endInTime(handler: McpHttpHandler, { expiresAt }: Caller, left: AbortSignal): void {
    if (this.stop.signal.aborted) throw stopping();
    const end = (): void => void handler.close();
    const timer = setTimeout(end, Math.min(Math.max(expiresAt * 1000 - Date.now(), 0), MAX_TIMER));
    this.stop.signal.addEventListener('abort', end, { once: true });
    left.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        this.stop.signal.removeEventListener('abort', end);
      },
      { once: true },
    );
  }
}

/** Refuses batches, which would bypass the rate limit; MCP has none since 2025-06-18. Throws Problem 400. */
function refuseBatch(body: unknown): void {
  if (Array.isArray(body))
    throw new Problem(400, 'batch_refused', 'Send one JSON-RPC message a request: /mcp takes no batches.');
}

/** The agent of the address (`/mcp?agentDefId=…`), else the token's. Throws Problem 400, 403. */
function agentOf(request: FastifyRequest, caller: Caller): string | undefined {
  const { agentDefId } = request.query as Readonly<Record<string, unknown>>;
  if (agentDefId === undefined) return caller.agentDefId;
  if (!isUuid(agentDefId))
    throw new Problem(400, 'invalid_query', 'agentDefId must be a UUID in lower case.');
  checkAgent(caller, agentDefId);
  return agentDefId;
}

type GateSettings = Pick<Config, 'host' | 'tokens' | 'publicUrl'>;
interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly protocol: string;
}

const metadataPath = '/.well-known/oauth-protected-resource';
const scopes = ['catalog:agent', 'catalog:read', 'catalog:write', 'catalog:approve', 'catalog:admin'];
/** A host, with or without a port, and nothing else (RFC 9110, 7.2). */
const plainHost = /^[^/?#@\\]+$/;
const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Refuses pages of other origins and host names of others (DNS rebinding). Throws Problem 403. */
export function refuseForeign({ host, origin }: IncomingHttpHeaders, settings: GateSettings): void {
  const own = plainHost.test(host ?? '') ? hostnameOf(`http://${host ?? ''}`) : undefined;
  const known = [...(settings.publicUrl === undefined ? [] : [settings.publicUrl.hostname])];
  const isLocal = ['localhost', '127.0.0.1', '::1'].includes(settings.host);
  if (own === undefined || (isLocal && ![...loopback, ...known].includes(own))) {
    throw new Problem(403, 'host_not_allowed', 'The Host of the request is not one of this service.');
  }
  if (origin === undefined) return;
  const from = hostnameOf(origin);
  if (from === undefined || ![own, ...known].includes(from)) {
    throw new Problem(403, 'origin_not_allowed', 'Pages of this Origin may not call /mcp.');
  }
}

/** Metadata of the protected resource (RFC 9728). */
export function resourceMetadata(request: Asked, settings: GateSettings): object {
  const { tokens } = settings;
  return {
    resource: addressOf(request, settings, '/mcp'),
    resource_name: 'Portal catalog',
    authorization_servers: [tokens.kind === 'issuer' ? tokens.issuer : addressOf(request, settings, '')],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  };
}

/** Adds the address of the metadata to a refused token's challenge (RFC 9728, 5.1). */
function challenged(error: unknown, request: Asked, settings: GateSettings): unknown {
  if (!(error instanceof Problem) || ![401, 403].includes(error.status)) return error;
  const challenge = error.headers['www-authenticate'];
  if (challenge === undefined) return error;
  const more = [
    `resource_metadata="${addressOf(request, settings, `${metadataPath}/mcp`)}"`,
    ...(challenge.includes('scope=') ? [] : ['scope="catalog:agent"']),
  ];
  const headers = { ...error.headers, 'www-authenticate': [challenge, ...more].join(', ') };
  return new Problem(error.status, error.code, error.message, { faults: error.faults, headers });
}

function addressOf({ headers, protocol }: Asked, { publicUrl }: GateSettings, path: string): string {
  const base = publicUrl?.href ?? `${protocol}://${headers.host ?? 'localhost'}/`;
  return base.replace(/\/$/, '') + path;
}

function hostnameOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
