import { developmentRules } from '../platform/auth/issuers.js';
import { type Bearing, TokenVerifier } from '../platform/auth/token-verifier.js';
import type { Config } from '../platform/config/config.js';
import { versionHeader } from '../gateways/shared.js';
import type { Log } from '../platform/logging/log.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Outbound, type OutboundLimits } from '../platform/network/outbound.js';
import { SecretStore } from '../platform/network/secret-store.js';
import {
  callerOf,
  type GatewayCaller,
  type GatewayIdentity,
  GatewayServers,
  ToolSource,
} from './gateway-server.js';
import { CallTelemetry } from './call-telemetry.js';
import { OutgoingIdentity } from './outgoing-identity.js';
import { ToolCaller } from './tool-caller.js';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import fastify, { type FastifyInstance } from 'fastify';
import { Problem } from '../platform/http/problem.js';
import { webRequest } from '../platform/http/request-body.js';

export interface DevelopmentGatewaySettings {
  readonly gateway: GatewayIdentity;
  /** Where clients reach it: a loopback address. */
  readonly address: URL;
  /** Whether requests without a token are taken, too. */
  readonly anonymous: boolean;
  /** The `mcp-router.tools` YAML of the gateway, from its catalog. */
  readonly readConfig: () => Promise<string>;
  /** Limits of one call; those of {@link callLimits} where left out. */
  readonly limits?: OutboundLimits;
}

export interface RunningGateway {
  readonly url: string;
  readonly tools: number;
  stop(): Promise<void>;
}

/**
 * Serves the tools that the catalog exposes on one gateway, on this machine and for tokens of the development issuer,
 * which does not exist in production.
 */
export async function startDevelopmentGateway(
  { gateway, address, anonymous, readConfig, limits }: DevelopmentGatewaySettings,
  config: Config,
  log: Log,
): Promise<RunningGateway> {
  const source = new ToolSource(readConfig, log);
  const { tools } = await source.load();
  const verifier = new TokenVerifier(await developmentRules(config.dataDirectory));
  const outbound = new Outbound(config);
  const identity = new OutgoingIdentity(gateway.hostId, outbound, new SecretStore(config), limits?.timeMs);
  const caller = new ToolCaller(outbound, identity, limits);
  const metrics = new Metrics();
  const servers = new GatewayServers(source, caller, new CallTelemetry(log, metrics), log);
  const app = gatewayHttp(address.pathname, servers, (request) =>
    callerOf(request, { verifier, gateway, anonymous }),
  );
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  const listening = await app.listen({ host, port: Number(address.port === '' ? 80 : address.port) });
  return { url: listening + address.pathname, tools: tools.size, stop: () => app.close() };
}

/** Bytes of a message of MCP. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

type Admit = (request: Bearing) => Promise<GatewayCaller | undefined>;

/**
 * Serves MCP over HTTP for clients of 2026-07-28 and 2025-11-25, on this machine alone, with a server for each
 * request.
 */
export function gatewayHttp(path: string, servers: GatewayServers, admit: Admit): FastifyInstance {
  const app = fastify({ bodyLimit: MAX_MESSAGE_BYTES, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof Problem)) return reply.send(error);
    const { status, code, message: detail, headers } = error;
    return reply
      .code(status)
      .headers(headers)
      .type('application/problem+json')
      .send({ status, code, detail });
  });
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: path,
    handler: async (request, reply) => {
      const left = new AbortController();
      reply.raw.once('close', () => {
        left.abort();
      });
      const asked = webRequest(request, left.signal, request.body);
      const refused =
        hostHeaderValidationResponse(asked, localhostAllowedHostnames()) ??
        originValidationResponse(asked, localhostAllowedOrigins());
      if (refused !== undefined) return reply.send(refused);
      const caller = await admit(request.raw);
      const handler = createMcpHandler(() =>
        servers.serverFor(caller, asked.headers.get(versionHeader) ?? undefined),
      );
      return reply.send(await handler.fetch(asked));
    },
  });
  return app;
}
