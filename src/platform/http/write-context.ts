import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Invalid } from '../../kernel/errors.js';
import type { Caller } from '../auth/caller.js';
import { tiersUpTo } from '../auth/sensitivity-tier.js';
import type { KeyedContext } from '../idempotency/idempotency.js';
import type { IdempotencyKey } from '../idempotency/kept-replies.js';
import type { OperationSpec } from './operation.js';
import { Problem } from './problem.js';

/** Visible ASCII, up to 255 characters (docs/contract.md, section 1). */
const acceptedKey = /^[\x21-\x7e]{1,255}$/;

/** On what terms a write is made: on which version of the record, and under which key. */
export interface WriteTerms {
  readonly expectedVersion?: number | 'any';
  readonly idempotencyKey?: string;
}

/** Throws Invalid where a header is malformed, Problem 412 where it names a version that no record can have. */
export function writeTermsOf({
  'if-match': ifMatch,
  'idempotency-key': key,
}: IncomingHttpHeaders): WriteTerms {
  return {
    ...(ifMatch !== undefined && { expectedVersion: expectedVersion(ifMatch) }),
    ...(key !== undefined && { idempotencyKey: singleValue(key) }),
  };
}

/** All of a write that is not its intent, from the headers. Throws Invalid where one of them is malformed. */
export function writeContextOf(
  request: FastifyRequest,
  caller: Caller,
  { batch }: OperationSpec,
): KeyedContext {
  if (request.headers['if-match'] !== undefined && batch) {
    throw new Invalid('if_match_on_batch', 'A batch takes no If-Match: it is about several records.');
  }
  const { idempotencyKey, ...terms } = writeTermsOf(request.headers);
  return {
    hostId: caller.hostId,
    actor: caller.actor,
    correlationId: request.id,
    ...terms,
    ...(idempotencyKey !== undefined && { idempotency: ofRequest(request, caller, idempotencyKey) }),
  };
}

function singleValue(key: string | string[]): string {
  const value = Array.isArray(key) ? '' : key.trim();
  if (acceptedKey.test(value)) return value;
  throw new Invalid(
    'invalid_idempotency_key',
    'Idempotency-Key must be one value of 1 to 255 visible characters of ASCII.',
  );
}

function ofRequest(request: FastifyRequest, caller: Caller, key: string): IdempotencyKey {
  const ifMatch = request.headers['if-match'] ?? null;
  const body = request.bodyBytes === null ? null : hash('sha256', request.bodyBytes, 'hex');
  return idempotencyOf(caller, key, [request.method, request.url, ifMatch, caller.fingerprint, body]);
}

/**
 * The key is the caller's own on this host, whichever way they write.
 *
 * @param made all that makes the request what it is (docs/contract.md, section 1)
 */
export function idempotencyOf(caller: Caller, key: string, made: readonly unknown[]): IdempotencyKey {
  const { issuer, actor, hostId } = caller;
  const owner = [hostId, issuer, actor.user, actor.clientId ?? null, key];
  return {
    key: hash('sha256', JSON.stringify(owner), 'hex'),
    fingerprint: hash('sha256', JSON.stringify(made), 'hex'),
    grants: grantsOf(caller),
  };
}

/**
 * What a write may ask for beside its route's scope, of that which the fingerprint leaves out: claims are checked
 * before a replay too, and these are checked by what the write says and finds.
 */
function grantsOf({ scopes, services, maxTier }: Caller): string[] {
  const scoped = (['catalog:write', 'catalog:approve', 'catalog:admin'] as const).filter((scope) =>
    scopes.has(scope),
  );
  const free = services === 'all' ? ['catalog:all-services'] : [];
  return [...scoped, ...free, ...tiersUpTo(maxTier ?? 'restricted')];
}

const entityTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
const canonicalVersion = /^(?:0|[1-9][0-9]{0,14})$/;

/**
 * The version that `If-Match` asks for (RFC 9110, 13.1.1): `"7"`, `"0"` for what was never written, or `*` for any that exists. Throws Invalid where
 * it is no single entity tag, Problem 412 where it is one that no record of ours can have: weak, or no number.
 */
function expectedVersion(ifMatch: string): number | 'any' {
  const tag = ifMatch.trim();
  if (tag === '*') return 'any';
  const [whole, weak, version = ''] = entityTag.exec(tag) ?? [];
  if (whole === undefined) {
    throw new Invalid(
      'invalid_if_match',
      'If-Match must be the ETag of the record, one, in quotes ("7"), or *.',
    );
  }
  if (weak !== undefined || !canonicalVersion.test(version)) {
    throw new Problem(
      412,
      'version_conflict',
      `No version of a record has the ETag ${tag}. Read the record again and decide anew.`,
    );
  }
  return Number(version);
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** Whether `If-None-Match` names this entity tag: then the answer is 304 (RFC 9110, 13.1.2; weak comparison). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.split(',').some((each) => {
    const tag = each.trim();
    return tag === '*' || opaque(tag) === opaque(etag);
  });
}
