import { STATUS_CODES } from 'node:http';
import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NewerEvent } from '../../kernel/envelope.js';
import { Invalid, NotFound, RuleBroken, VersionConflict } from '../../kernel/errors.js';
import { ConnectionLost } from '../database/connections.js';
import { IdempotencyKeyReused, ReplyNotCovered } from '../idempotency/idempotency.js';
import { LOG, type Log } from '../logging/log.js';
import { Problem } from './problem.js';

export const problemType = 'application/problem+json; charset=utf-8';

/** Turns a failure into the problem it is answered with. An unexpected error is a 500 that says nothing of its cause. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Invalid) return new Problem(400, error.code, error.message, error);
  if (error instanceof NotFound) return new Problem(404, error.code, error.message);
  if (error instanceof RuleBroken) return new Problem(409, error.code, error.message, error);
  if (error instanceof VersionConflict) return new Problem(412, error.code, error.message);
  if (error instanceof ReplyNotCovered) return new Problem(403, error.code, error.message);
  if (error instanceof IdempotencyKeyReused) return new Problem(422, error.code, error.message);
  if (error instanceof NewerEvent) return newerEvent(error);
  if (error instanceof HttpException) return ofHttpException(error);
  return (
    ofFastify(error) ??
    ofDatabase(error) ??
    new Problem(
      500,
      'internal_error',
      'Something failed on our side. The log of the service has more under the request id.',
    )
  );
}

/** The body of the answer (RFC 9457). `instance` is the path of the request, without its query. */
export function problemBody(problem: Problem, path: string): string {
  const { status, code, message: detail, faults } = problem;
  const errors = faults.length === 0 ? {} : { errors: faults };
  return JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    instance: path,
    code,
    ...errors,
  });
}

/** Answers a request that failed, and gives the problem it was answered with. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): Problem {
  const found = problemOf(error);
  const problem = found.code === 'no_such_route' ? (otherMethods(request) ?? found) : found;
  const [path = ''] = request.url.split('?');
  request.problemCode = problem.code;
  void reply
    .code(problem.status)
    .headers(problem.headers)
    .header('x-request-id', request.id)
    .type(problemType)
    .send(problemBody(problem, path));
  return problem;
}

/** During a rolling update another instance can read it, and this one soon. */
function newerEvent({ type }: NewerEvent): Problem {
  return new Problem(
    503,
    'newer_event',
    `A newer version of the service has written a ${type} to this record, which this instance does not know. Try again: an ` +
      'instance of that version can answer.',
    { headers: { 'retry-after': '5' } },
  );
}

function ofHttpException(error: HttpException): Problem {
  const status = error.getStatus();
  if (status === 404)
    return new Problem(
      404,
      'no_such_route',
      'There is nothing at this path and method. GET /openapi.json lists all there is.',
    );
  return ofFastify(error.cause) ?? new Problem(status, 'refused', STATUS_CODES[status] ?? 'Refused');
}

const fastifyProblems: Readonly<Record<string, readonly [number, string, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large', 'The body is larger than this operation takes.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'invalid_content_length',
    'The body is not as long as Content-Length says.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    415,
    'unsupported_media_type',
    'Say what the body is by Content-Type: application/json.',
  ],
  // The client has gone and reads no answer. (Outbound connections have errors of their own.)
  ECONNRESET: [400, 'request_broken_off', 'The connection ended before the request was there.'],
  FST_ERR_BAD_URL: [400, 'invalid_path', 'The path holds a broken percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: [400, 'invalid_path', 'A part of the path is too long.'],
};

function ofFastify(error: unknown): Problem | undefined {
  const known = fastifyProblems[String(codeOf(error))];
  return known && new Problem(...known);
}

/** SQLSTATEs of failures that pass by themselves. */
const passing = /^(08...|53...|57P0[1-5]|57014|55P03|40001|40P01|25P0[34]|25006)$/;

function ofDatabase(error: unknown): Problem | undefined {
  const driverError: unknown =
    error instanceof Error ? (Reflect.get(error, 'driverError') ?? error.cause) : undefined;
  const isPassing = [error, driverError].some(
    (reason) => reason instanceof ConnectionLost || passing.test(String(codeOf(reason))),
  );
  return isPassing
    ? new Problem(503, 'database_unavailable', 'The database can’t be reached or is too busy. Try again.', {
        headers: { 'retry-after': '1' },
      })
    : undefined;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
}

interface Place {
  readonly path: RegExp;
  readonly methods: Set<string>;
}

/** By HTTP server. */
const places = new WeakMap<object, Map<string, Place>>();

/** Remembers which methods there are at each path; to be called before routes are declared. */
export function rememberMethods(instance: FastifyInstance): void {
  const known = new Map<string, Place>();
  places.set(instance.server, known);
  instance.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const place = known.get(url) ?? { path: patternOf(url), methods: new Set<string>() };
    known.set(url, place);
    for (const each of [method].flat()) place.methods.add(each);
  });
}

/** Problem 405 where there is something at the path of a request, by other methods than the one it came with. */
function otherMethods({ server, url, method }: FastifyRequest): Problem | undefined {
  const [path = ''] = url.split('?');
  const there = [...(places.get(server.server)?.values() ?? [])].filter((place) => place.path.test(path));
  const allow = [...new Set(there.flatMap(({ methods }) => [...methods]))].sort().join(', ');
  if (allow === '') return undefined;
  const detail = `There is no ${method} at this path. It takes ${allow}.`;
  return new Problem(405, 'method_not_allowed', detail, { headers: { allow } });
}

function patternOf(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.+$^()[\]{}|\\?]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}

/** Logs a failure with status 5xx; `problem` is what the caller was answered. */
export function logFailure(log: Log, requestId: string, error: unknown, problem: Problem): void {
  const { status, code } = problem;
  if (status < 500) return;
  // A Problem is an expected failure: its message says it all.
  if (error instanceof Problem) log.warn({ requestId, code }, error.message);
  else log.error({ requestId, code, err: error }, 'request failed');
}

/** Answers every failed request, wherever it failed, with problem details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent || reply.raw.headersSent) {
      this.log.error({ requestId: request.id, err: error }, 'answer broken off');
      reply.raw.destroy();
      return;
    }
    logFailure(this.log, request.id, error, answerProblem(error, request, reply));
  }
}
