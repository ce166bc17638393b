import { NotFoundException } from '@nestjs/common';
import { Invalid, NotFound, RuleBroken, VersionConflict } from '../../kernel/errors.js';
import { IdempotencyKeyReused } from '../idempotency/idempotency.js';
import { ConnectionLost } from '../database/connections.js';
import { problemBody, problemOf } from './problem-details.js';

const fault = { pointer: '/name', detail: 'is missing' };
const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('a failed request', () => {
  it.each([
    [new Invalid('invalid_body', 'x', [fault]), 400, 'invalid_body'],
    [new NotFound('skill', 's'), 404, 'not_found'],
    [new RuleBroken('name_taken', 'x', [fault]), 409, 'name_taken'],
    [new VersionConflict('"1"', 2), 412, 'version_conflict'],
    [new IdempotencyKeyReused(), 422, 'idempotency_key_reused'],
    [new NotFoundException(), 404, 'no_such_route'],
    [coded('FST_ERR_CTP_BODY_TOO_LARGE'), 413, 'body_too_large'],
    [new Error('x'), 500, 'internal_error'],
    ['thrown text', 500, 'internal_error'],
  ])('of %p is %i %s', (error, status, code) => {
    expect(problemOf(error)).toMatchObject({ status, code });
  });

  it('names every fault of its body', () => {
    const body: unknown = JSON.parse(problemBody(problemOf(new Invalid('c', 'd', [fault, fault])), '/p'));
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'd',
      instance: '/p',
      code: 'c',
      errors: [fault, fault],
    });
  });

  it('of our own making tells nothing of its cause', () => {
    const error = coded('42703', 'column "secret" does not exist at SELECT');
    const body = problemBody(problemOf(error), '/p');
    expect(body).not.toMatch(/secret|SELECT|42703|spec\.ts/);
  });

  it('of a database out of reach is 503, to be tried again', () => {
    const error = new ConnectionLost(coded('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7'));
    expect(problemOf(error)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(problemBody(problemOf(error), '/p')).not.toContain('10.0.0.7');
  });

  it('that its caller broke off is no fault of the database', () => {
    expect(problemOf(coded('ECONNRESET', 'aborted'))).toMatchObject({
      status: 400,
      code: 'request_broken_off',
    });
  });

  it.each(['25P03', '25006', '57P01', '53300', '08006', '40001', '55P03'])(
    'while the database says %s is 503, to be tried again',
    (code) => {
      for (const error of [
        coded(code),
        new Error('query failed', { cause: coded(code) }),
        Object.assign(new Error('x'), { driverError: coded(code) }),
      ]) {
        expect(problemOf(error)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      }
    },
  );
});
