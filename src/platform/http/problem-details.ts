import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Invalid, NotFound, RuleBroken, VersionConflict } from '../../eventsourcing/errors.js';
import { IdempotencyKeyReused, ReplyNotCovered } from '../idempotency/idempotency.js';
import { NewerEvent } from '../../eventsourcing/envelope.js';
import { ConnectionLost } from '../database/connections.js';
import { otherMethods } from './allowed-methods.js';
import { Problem } from './problem.js';

export const problemType = 'application/problem+json; charset=utf-8';

/** What a failed request is answered with. Anything unforeseen is a 500 that tells nothing of its cause. */
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

/** In a rolling update another instance knows it, and this one soon. */
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
  // Who asked has gone, and reads no answer; what the service itself connects to has errors of its own.
  ECONNRESET: [400, 'request_broken_off', 'The connection ended before the request was there.'],
  FST_ERR_BAD_URL: [400, 'invalid_path', 'The path holds a broken percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: [400, 'invalid_path', 'A part of the path is too long.'],
};

function ofFastify(error: unknown): Problem | undefined {
  const known = fastifyProblems[String(codeOf(error))];
  return known && new Problem(...known);
}

/** SQLSTATEs that say: not now, but later. */
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
