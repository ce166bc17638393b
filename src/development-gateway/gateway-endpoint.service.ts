import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import { OfferedTools } from '../gateways/public.js';
import { versionHeader } from '../gateways/shared.js';
import { NotFound, RuleBroken } from '../kernel/errors.js';
import { type Caller, scopes } from '../platform/auth/caller.js';
import { scopesOf } from '../platform/auth/claims.js';
import { mintToken } from '../platform/auth/issuers.js';
import { authorizationOf } from '../platform/auth/token-verifier.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import type { OperationSpec, RouteSettings } from '../platform/http/operation.js';
import { present } from '../platform/http/parameters.js';
import { Problem } from '../platform/http/problem.js';
import { webRequest } from '../platform/http/request-body.js';
import { LOG, type Log } from '../platform/logging/log.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Outbound } from '../platform/network/outbound.js';
import { SecretStore } from '../platform/network/secret-store.js';
import { narrowed } from '../platform/sessions/session-choice.js';
import { Sessions } from '../platform/sessions/sessions.js';
import { Turns } from '../platform/work/turns.js';
import { CallTelemetry } from './call-telemetry.js';
import {
  type GatewayCaller,
  type GatewayIdentity,
  GatewayServers,
  requireCovered,
  ToolSource,
} from './gateway-server.js';
import { OutgoingIdentity } from './outgoing-identity.js';
import { ToolCaller } from './tool-caller.js';

/** Below the address of the service. */
export const endpointPath = '/development/gateways/{gatewayId}/mcp';

const operation = {
  id: 'callDevelopmentGateway',
  summary: 'MCP of the development gateway',
  scope: scopes,
  body: { type: 'object' },
  answer: { type: 'object' },
  ...{ evolving: true, reads: true },
  example: { answer: {} },
} as const satisfies OperationSpec;

/** Gateways that are kept ready. */
const MAX_KEPT = 100;
/** Seconds for which the token of one call from a browser is good. */
const CALL_SECONDS = 60;
/** Calls that are under way at once: what they wait for is not this service. */
const limits = { inAll: 16, ofHost: 16, ofCaller: 8, waiting: 32, patience: 10_000, busy };

/**
 * The development gateway, served by the service itself while the development issuer is on, for whichever gateway of the caller's
 * host (docs/decisions/0099-a-call-without-a-second-process.md). A browser's session is taken as a token of its claims.
 */
@Injectable()
export class GatewayEndpoint implements OnModuleInit {
  private readonly kept = new LRUCache<string, GatewayServers>({ max: MAX_KEPT });
  private readonly turns = new Turns(limits);

  constructor(
    private readonly offered: OfferedTools,
    private readonly sessions: Sessions,
    private readonly outbound: Outbound,
    private readonly secrets: SecretStore,
    private readonly metrics: Metrics,
    private readonly adapterHost: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Whether there is such a route at all. */
  get isServed(): boolean {
    return this.config.tokens.kind === 'development';
  }

  onModuleInit(): void {
    if (!this.isServed) return;
    const telemetry = new CallTelemetry(this.log, this.metrics);
    this.adapterHost.httpAdapter.getInstance<FastifyInstance>().route({
      method: 'POST',
      url: endpointPath.replace('{gatewayId}', ':gatewayId'),
      config: { operation } satisfies RouteSettings,
      handler: (request, reply) => this.serve(request, reply, telemetry),
    });
  }

  private async serve(request: FastifyRequest, reply: FastifyReply, telemetry: CallTelemetry) {
    refuseStreams(request.body);
    const left = new AbortController();
    reply.raw.once('close', () => {
      left.abort();
    });
    const asked = webRequest(request, left.signal, request.bodyBytes);
    if (hostHeaderValidationResponse(asked, localhostAllowedHostnames()) !== undefined) throw notHere();
    const { gatewayId } = request.params as { readonly gatewayId: string };
    const caller = present(request.caller, 'caller');
    const gateway = await this.gatewayFor(caller, gatewayId);
    const servers = this.serversOf(gateway, telemetry);
    const known = await this.withToken(request, caller);
    const handler = createMcpHandler(() =>
      servers.serverFor(known, asked.headers.get(versionHeader) ?? undefined),
    );
    return this.turns.run(caller, async () => {
      const answer = await handler.fetch(asked, { parsedBody: request.body });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const type = answer.headers.get('content-type');
      if (type !== null) void reply.type(type);
      return reply.code(answer.status).header('cache-control', 'no-store').send(bytes);
    });
  }

  /** Throws NotFound for gateways of other hosts, Problem 403 for those of other environments, RuleBroken for an inactive one. */
  private async gatewayFor(caller: Caller, gatewayId: string): Promise<GatewayIdentity> {
    const { hostId } = caller;
    const found = await this.offered.gatewayOf(hostId, gatewayId);
    if (found === undefined) throw new NotFound('gateway', gatewayId);
    const gateway = { gatewayId, hostId, envTag: found.envTag };
    requireCovered(caller, gateway);
    if (!found.active)
      throw new RuleBroken('gateway_inactive', 'The gateway is inactive, so nothing is called. Activate it.');
    return gateway;
  }

  private serversOf(gateway: GatewayIdentity, telemetry: CallTelemetry): GatewayServers {
    const { hostId, gatewayId, envTag } = gateway;
    const key = `${hostId} ${gatewayId}`;
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    // What it is deployed with, as an operator of its environment reads it.
    const visibility = { hostId, services: 'all', environments: [envTag], tiers: 'all' } as const;
    // It is no question to another program: what was exposed just now is there.
    const source = new ToolSource(() => this.offered.configOf(visibility, gatewayId), this.log, 0);
    const identity = new OutgoingIdentity(hostId, this.outbound, this.secrets);
    const servers = new GatewayServers(source, new ToolCaller(this.outbound, identity), telemetry, this.log);
    this.kept.set(key, servers);
    return servers;
  }

  /** A session has its claims for what is chosen in it, in a token of this call alone: that behind it may say more. */
  private async withToken(request: FastifyRequest, caller: Caller): Promise<GatewayCaller> {
    const bearer = authorizationOf(request.raw)?.replace(/^bearer +/i, '');
    const token = bearer ?? (await this.tokenOfSession(request));
    return { ...caller, token, granted: scopesOf(decodeJwt(token)) };
  }

  private async tokenOfSession(request: FastifyRequest): Promise<string> {
    const { claims, row } = await this.sessions.open(request);
    return mintToken(this.config.dataDirectory, narrowed(claims, row), CALL_SECONDS);
  }
}

/** Its tools change with the catalog, and nobody is told: nothing here is worth a stream, which would keep its turn. */
function refuseStreams(body: unknown): void {
  const { method } = (body ?? {}) as { readonly method?: unknown };
  if (method !== 'subscriptions/listen') return;
  throw new Problem(
    400,
    'no_subscriptions',
    'The development gateway has no subscriptions. List its tools again.',
  );
}

function notHere(): Problem {
  const detail = 'The development gateway is for this machine alone: ask it at localhost or 127.0.0.1.';
  return new Problem(403, 'host_not_allowed', detail);
}

function busy(): Problem {
  const detail = 'Too many calls are under way. Wait for their answers, and try again.';
  return new Problem(429, 'calls_busy', detail, { headers: { 'retry-after': '2' } });
}
