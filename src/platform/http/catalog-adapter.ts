import { randomBytes } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from './problem.js';
import { answerProblem, problemBody, problemType } from './problem-details.js';
import { isReply, versionTag } from './replies.js';

const requestId = /^[\w.:+/=-]{1,128}$/;
const MAX_REQUEST_MS = 120_000;
const MAX_PATH_PART = 600;

/** Fastify under Nest, with answers as the contract has them. */
export class CatalogAdapter extends FastifyAdapter {
  constructor(bodyLimit: number) {
    super({
      bodyLimit,
      // Nothing here is Express middleware.
      skipMiddie: true,
      trustProxy: false,
      // Requests under way are done by then: only idle connections are still open.
      forceCloseConnections: true,
      requestTimeout: MAX_REQUEST_MS,
      requestIdHeader: false,
      genReqId: requestIds(),
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
        void answerProblem(error, request, reply),
      clientErrorHandler: answerBrokenRequest,
      routerOptions: { maxParamLength: MAX_PATH_PART },
    });
  }

  /** Sends a Reply byte for byte; gives a record that carries its version an ETag. */
  override reply(response: unknown, body: unknown, statusCode?: number): FastifyReply {
    const reply = response as FastifyReply;
    if (body instanceof Readable && reply.request.method === 'HEAD') {
      // Nobody reads the answer, so its source is stopped.
      body.destroy();
      return reply.send('');
    }
    if (isReply(body)) {
      return reply
        .code(body.status)
        .headers(body.headers)
        .type('application/json; charset=utf-8')
        .send(body.body);
    }
    if (body instanceof Object && 'aggregateVersion' in body && !reply.hasHeader('etag')) {
      void reply.header('etag', versionTag(Number(body.aggregateVersion)));
    }
    return super.reply(reply, body, statusCode);
  }
}

/** The id that the caller gave, else the next one of this process: unique, and cheap enough for every request. */
function requestIds(): (request: IncomingMessage) => string {
  const process = randomBytes(8).toString('hex');
  let last = 0;
  return ({ headers: { 'x-request-id': given } }) =>
    typeof given === 'string' && requestId.test(given) ? given : `${process}-${String((last += 1))}`;
}

const brokenRequests: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
};

/** Answers by hand what can't be read as HTTP and so never becomes a request. */
function answerBrokenRequest(error: Error, socket: Socket): void {
  const code = String(Reflect.get(error, 'code'));
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, name, detail] = brokenRequests[code] ?? [
    400,
    'malformed_request',
    'The request is no HTTP.',
  ];
  const body = problemBody(new Problem(status, name, detail), '');
  socket.end(
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: ${problemType}\r\n` +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n\r\n${body}`,
  );
}
