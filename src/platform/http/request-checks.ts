import type { FastifyRequest } from 'fastify';
import type { JSONSchema } from 'json-schema-to-ts';
import type { Fault } from '../../kernel/errors.js';
import { Invalid } from '../../kernel/errors.js';
import { isUuid, jsonValidator, textValidator, type Validator } from '../validation/validator.js';
import { isStorable } from './request-body.js';
import type { OperationSpec } from './operation.js';
import { isUuidParameter } from './schemas.js';

/** Checks one route's path, query and body; made once when the route is declared. */
export type RequestChecks = (request: FastifyRequest) => void;

const emptyObject = { type: 'object', additionalProperties: false } as const satisfies JSONSchema;
const MAX_TEXT = 512;

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
    refuse('invalid_query', 'The query can’t be accepted.', checkQuery(request.query));
    if (request.url.includes('%00')) throw new Invalid('invalid_query', 'The query must not hold NUL (%00).');
    if (operation.upload) {
      checkUpload(request.body);
      return;
    }
    if ((operation.evolving || operation.bodyOptional) && request.body === undefined) request.body = {};
    if (operation.body !== undefined && request.body === undefined) {
      throw new Invalid('invalid_body', 'A JSON body is required.', [{ pointer: '', detail: 'is missing' }]);
    }
    if (request.body !== undefined)
      refuse('invalid_body', 'The body can’t be accepted.', checkBody(request.body));
  };
}

function checkUpload(body: unknown): void {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new Invalid('invalid_body', 'A document is required.', [{ pointer: '', detail: 'is missing' }]);
  }
}

function pathFaults(params: unknown, validators: ReadonlyMap<string, Validator>): Fault[] {
  const faults: Fault[] = [];
  const parts = params as Readonly<Record<string, string>>;
  // The object has no prototype, so every member is its own.
  for (const name in parts) {
    const detail = partFault(name, parts[name] ?? '', validators);
    if (detail !== undefined) faults.push({ pointer: `/${name}`, detail });
  }
  return faults;
}

/** Returns what is wrong with a parameter of the path: by its schema, else as a UUID or as a text. */
function partFault(
  name: string,
  value: string,
  validators: ReadonlyMap<string, Validator>,
): string | undefined {
  const validator = validators.get(name);
  if (validator !== undefined) return validator(value)[0]?.detail;
  if (isUuidParameter(name)) return isUuid(value) ? undefined : 'must be a UUID in lower case';
  const fits = value !== '' && value.length <= MAX_TEXT && isStorable(value);
  return fits ? undefined : `must be a text of 1 to ${String(MAX_TEXT)} characters`;
}

function refuse(code: string, detail: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Invalid(code, detail, faults);
}
