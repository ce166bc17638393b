import type { FastifyRequest } from 'fastify';
import type { JSONSchema } from 'json-schema-to-ts';
import type { Fault } from '../../eventsourcing/errors.js';
import { Invalid } from '../../eventsourcing/errors.js';
import { isUuid, jsonValidator, textValidator, type Validator } from '../validation/validator.js';
import { isStorable } from './json-body.js';
import type { OperationSpec } from './operation.js';

/** Checks one route's path, query and body; made once when the route is declared. */
export type RequestChecks = (request: FastifyRequest) => void;

const emptyObject = { type: 'object', additionalProperties: false } as const satisfies JSONSchema;
const longestText = 512;

/** Throws Invalid `invalid_path`, `invalid_query` or `invalid_body`, with every fault of that part. */
export function requestChecks(operation: OperationSpec): RequestChecks {
  const params = Object.entries(operation.params ?? {}).map(
    ([name, schema]) => [name, textValidator(schema)] as const,
  );
  const paramValidators: ReadonlyMap<string, Validator> = new Map(params);
  const checkQuery = textValidator(operation.query ?? emptyObject);
  const checkBody = jsonValidator(operation.body ?? emptyObject);
  return (request) => {
    refuse('invalid_path', 'The path holds what is no id.', pathFaults(request.params, paramValidators));
    const nul = request.url.includes('%00') ? [{ pointer: '', detail: 'must not hold NUL' }] : [];
    refuse('invalid_query', 'The query can’t be accepted.', [...checkQuery(request.query), ...nul]);
    if (operation.upload) {
      checkUpload(request.body);
      return;
    }
    if (operation.body !== undefined && request.body === undefined) {
      throw new Invalid('invalid_body', 'A JSON body is required.', [{ pointer: '', detail: 'is missing' }]);
    }
    refuse(
      'invalid_body',
      'The body can’t be accepted.',
      checkBody(request.body === undefined ? {} : request.body),
    );
  };
}

function checkUpload(body: unknown): void {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new Invalid('invalid_body', 'A document is required.', [{ pointer: '', detail: 'is missing' }]);
  }
}

/** `:xxxId` is a UUID, but for `:apiId`; all else is a text. */
function pathFaults(params: unknown, validators: ReadonlyMap<string, Validator>): Fault[] {
  return Object.entries(params ?? {}).flatMap(([name, value]: [string, unknown]) => {
    const pointer = `/${name}`;
    const validator = validators.get(name);
    if (validator !== undefined) return validator(value).map(({ detail }) => ({ pointer, detail }));
    if (name.endsWith('Id') && name !== 'apiId')
      return isUuid(value) ? [] : [{ pointer, detail: 'must be a UUID in lower case' }];
    const fits =
      typeof value === 'string' && value !== '' && value.length <= longestText && isStorable(value);
    return fits ? [] : [{ pointer, detail: `must be a text of 1 to ${String(longestText)} characters` }];
  });
}

function refuse(code: string, detail: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Invalid(code, detail, faults);
}
