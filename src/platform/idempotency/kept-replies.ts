import { RuleBroken } from '../../kernel/errors.js';
import type { Database, Sql } from '../../kernel/sql.js';

/** Bytes of a body that is kept whole (docs/contract.md, section 1). */
const BODY_LIMIT = 1_048_576;
/** Hours that a reply is kept: one more than the contract promises. */
const KEPT_HOURS = 25;

/** The reply to a successful write, as it is kept under its idempotency key. */
export interface Reply {
  readonly status: 200 | 201;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** A key under which the reply is kept in the appending transaction (docs/contract.md, section 1). */
export interface IdempotencyKey {
  /** Identifies host, caller and key: hex SHA-256. */
  readonly key: string;
  /** Hex SHA-256 of method, path, body and whatever else tells requests apart. */
  readonly fingerprint: string;
  /** Rights of the caller that the write may have needed; a caller without one of them gets no kept reply. */
  readonly grants: readonly string[];
}

/** A reply under its idempotency key. */
export interface KeptReply {
  readonly fingerprint: string;
  readonly grants: readonly string[];
  readonly reply: Reply;
}

/** Keeps the reply in the appending transaction. */
export async function keepReply(tx: Sql, hostId: string, key: IdempotencyKey, reply: Reply): Promise<void> {
  const inserted = await tx.query(
    `INSERT INTO idempotency_key_t (host_id, key, fingerprint, grants, status, headers, body)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT DO NOTHING RETURNING key`,
    [
      ...[hostId, key.key, key.fingerprint, key.grants],
      ...[reply.status, JSON.stringify(reply.headers), bodyToKeep(reply.body)],
    ],
    'keep_reply',
  );
  if (inserted.length === 0) throw requestInProgress();
}

export async function findKeptReply(sql: Sql, hostId: string, key: string): Promise<KeptReply | undefined> {
  const [row] = await sql.query<{
    fingerprint: string;
    grants: string[];
    status: 200 | 201;
    headers: Reply['headers'];
    body: string;
  }>(
    'SELECT fingerprint, grants, status, headers, body FROM idempotency_key_t WHERE host_id = $1 AND key = $2',
    [hostId, key],
    'find_kept_reply',
  );
  return (
    row && {
      fingerprint: row.fingerprint,
      grants: row.grants,
      reply: { status: row.status, headers: row.headers, body: row.body },
    }
  );
}

/** Removes old replies in small batches; gives their number. */
export async function forgetOldReplies(database: Database): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const rows = await database.acrossHosts.query(
      `DELETE FROM idempotency_key_t WHERE (host_id, key) IN (
         SELECT host_id, key FROM idempotency_key_t WHERE created < now() - make_interval(hours => $1)
         LIMIT 1000 FOR UPDATE SKIP LOCKED) RETURNING 1 AS one`,
      [KEPT_HOURS],
    );
    forgotten += rows.length;
    if (rows.length < 1000) return forgotten;
  }
}

export function requestInProgress(): RuleBroken {
  return new RuleBroken(
    'request_in_progress',
    'The first request with this Idempotency-Key is still running. Ask again in a moment for its answer.',
  );
}

/** The body, or of one that is too large the receipt: its members that are no lists and no objects. */
function bodyToKeep(body: string): string {
  if (Buffer.byteLength(body) <= BODY_LIMIT) return body;
  const members = Object.entries(JSON.parse(body) as object);
  return JSON.stringify(Object.fromEntries(members.filter(([, value]) => typeof value !== 'object')));
}
