import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Bearing } from '../platform/auth/token-verifier.js';
import { Problem } from '../platform/http/problem.js';
import type { GatewayCaller } from './gateway-access.js';
import type { GatewayServers } from './gateway-server.js';

/** Bytes of a message of MCP. */
const longestMessage = 4 * 1024 * 1024;

type Admit = (request: Bearing) => Promise<GatewayCaller | undefined>;

/** MCP over HTTP for clients of 2026-07-28 and of 2025-11-25, on this machine alone: stateless, a server a request. */
export function gatewayHttp(path: string, servers: GatewayServers, admit: Admit): FastifyInstance {
  const app = fastify({ bodyLimit: longestMessage, forceCloseConnections: true });
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
      const asked = webRequest(request, reply);
      const refused =
        hostHeaderValidationResponse(asked, localhostAllowedHostnames()) ??
        originValidationResponse(asked, localhostAllowedOrigins());
      if (refused !== undefined) return reply.send(refused);
      const caller = await admit(request.raw);
      const handler = createMcpHandler(() => servers.serverFor(caller));
      return reply.send(await handler.fetch(asked));
    },
  });
  return app;
}

function webRequest(
  { method, protocol, host, url, headers, body }: FastifyRequest,
  reply: FastifyReply,
): Request {
  const left = new AbortController();
  reply.raw.once('close', () => {
    left.abort();
  });
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  return new Request(`${protocol}://${host}${url}`, {
    method,
    headers: pairs,
    signal: left.signal,
    ...(Buffer.isBuffer(body) && { body: new Uint8Array(body) }),
  });
}
