import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import type { Fault } from '../../kernel/errors.js';
import { firstHundred, jsonFault, MAX_COUNTED, pointerStep } from '../validation/faults.js';
import type { OperationSpec } from './operation.js';
import { Problem } from './problem.js';

/** Nesting of a body: far more than any record needs, far less than a recursive walk can take. */
const MAX_DEPTH = 64;
/** Of one object: more than any record has. */
const MAX_MEMBERS = 10_000;

/**
 * Parses a JSON body (RFC 8259). Throws Problem 400 with line and column where it is malformed, and with pointers
 * where it holds what no record can: NUL, lone surrogates, numbers out of range, `__proto__`, too many members, too deep a nesting.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw new Problem(400, 'malformed_json', 'The body is not UTF-8 text.');
  const text = body.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem(400, 'malformed_json', `The body is not JSON: ${jsonFault(text, error as Error)}.`);
  }
  // NUL and lone surrogates can only be written as escapes.
  const faults = new BodyFaults(text.includes('\\u')).of(value);
  if (faults.length > 0)
    throw new Problem(400, 'invalid_body', 'The body holds what can’t be kept.', { faults });
  return value;
}

/** A place in the body, whose pointer is made only for a fault. */
interface Place {
  readonly above: Place | undefined;
  readonly step: string;
}

class BodyFaults {
  private readonly faults: Fault[] = [];

  constructor(private readonly hasEscapes: boolean) {}

  of(value: unknown): readonly Fault[] {
    this.collect(value, undefined, 0);
    return firstHundred(this.faults);
  }

  private collect(value: unknown, place: Place | undefined, depth: number): void {
    if (this.faults.length >= MAX_COUNTED) return;
    if (typeof value === 'string') {
      if (!isStorable(value)) this.add(place, 'must not hold NUL or lone surrogates');
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) this.add(place, 'is a number out of range');
    } else if (typeof value === 'object' && value !== null) {
      if (depth === MAX_DEPTH) this.add(place, `is nested deeper than ${String(MAX_DEPTH)} levels`);
      else if (Array.isArray(value)) this.collectInItems(value, place, depth);
      else this.collectInMembers(value as Readonly<Record<string, unknown>>, place, depth);
    }
  }

  private collectInItems(items: readonly unknown[], above: Place | undefined, depth: number): void {
    items.forEach((item, at) => {
      if (this.isFit(item)) return;
      this.collect(item, { above, step: String(at) }, depth + 1);
    });
  }

  private collectInMembers(
    members: Readonly<Record<string, unknown>>,
    above: Place | undefined,
    depth: number,
  ): void {
    const names = Object.keys(members);
    if (names.length > MAX_MEMBERS) {
      this.add(above, `has more than ${String(MAX_MEMBERS)} members`);
      return;
    }
    for (const name of names) {
      if (name === '__proto__' || (this.hasEscapes && !isStorable(name)))
        this.add({ above, step: name }, 'is a name that can’t be kept');
      else if (!this.isFit(members[name])) this.collect(members[name], { above, step: name }, depth + 1);
    }
  }

  /** Whether a value can't be at fault, and so needs no place. */
  private isFit(value: unknown): boolean {
    return (
      typeof value === 'boolean' ||
      value === null ||
      Number.isFinite(value) ||
      (typeof value === 'string' && !this.hasEscapes)
    );
  }

  private add(place: Place | undefined, detail: string): void {
    this.faults.push({ pointer: pointerTo(place), detail });
  }
}

function pointerTo(place: Place | undefined): string {
  return place === undefined ? '' : pointerTo(place.above) + pointerStep(place.step);
}

/** Whether PostgreSQL can keep the text as it is. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

const json = ['application/json'];
/** What a document may be sent as. */
const documentTypes = [
  'application/json',
  'application/yaml',
  'text/yaml',
  'application/x-yaml',
  'text/plain',
  'application/zip',
  'application/x-tar',
  'application/gzip',
];
/** What the folder of a skill may be sent as. */
const folderTypes = [
  'application/json',
  'text/markdown',
  'application/zip',
  'application/x-tar',
  'application/gzip',
];
const utf8 = /^"?utf-?8"?$/i;

export function uploadTypes(upload: OperationSpec['upload']): readonly string[] {
  if (upload === 'document') return documentTypes;
  if (upload === 'form') return ['application/x-www-form-urlencoded'];
  return upload === 'folder' ? folderTypes : json;
}

/** Refuses a body of another media type, charset or coding before it is read: Problem 415. */
export function checkMediaType(request: FastifyRequest, { upload }: OperationSpec): void {
  const { headers } = request;
  if (headers['content-length'] === '0' || !('content-length' in headers || 'transfer-encoding' in headers))
    return;
  const accepted = uploadTypes(upload);
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  const coding = headers['content-encoding'] ?? 'identity';
  if (
    accepted.includes(type.toLowerCase()) &&
    coding === 'identity' &&
    (charset === undefined || utf8.test(charset))
  )
    return;
  throw new Problem(
    415,
    'unsupported_media_type',
    `Send the body as ${accepted.join(', ')}, in UTF-8 and not compressed.`,
    {
      headers: { accept: accepted.join(', ') },
    },
  );
}

/** Makes the `Request` of the Fetch API, with a body that has been read already. */
export function webRequest(
  { method, protocol, host, url, headers }: FastifyRequest,
  signal: AbortSignal,
  body: unknown,
): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  return new Request(`${protocol}://${host}${url}`, {
    method,
    headers: pairs,
    signal,
    ...(Buffer.isBuffer(body) && body.length > 0 && { body: new Uint8Array(body) }),
  });
}
