import type { IdempotencyKey, Reply } from './command.js';

/** The key was used before for another request: 422. */
export class IdempotencyKeyReused extends Error {
  readonly code = 'idempotency_key_reused';
  constructor() {
    super('This Idempotency-Key was used before for another request. Use a new key for a new request.');
  }
}

/** The reply was given to a caller who may do more than the one who asks for it again: 403. */
export class ReplyNotCovered extends Error {
  readonly code = 'reply_not_covered';
  constructor() {
    super(
      'The request under this Idempotency-Key was carried out for a token that may do more. Repeat it with such a token.',
    );
  }
}

/**
 * Keeps a key from being worked on twice at once, and finds what it was answered with. The reply itself is stored
 * by the engine in the appending transaction.
 */
export abstract class Idempotency {
  /**
   * Takes the key for this request. Gives the reply kept under it, if any: then the request is answered.
   * Throws RuleBroken `request_in_progress` while another request holds it, here or on another instance, and
   * {@link IdempotencyKeyReused} where the fingerprint differs, {@link ReplyNotCovered} where a grant is missing. Always followed by {@link end} unless it throws.
   */
  abstract begin(hostId: string, key: IdempotencyKey): Promise<Reply | undefined>;
  abstract end(hostId: string, key: IdempotencyKey): void;
  /** The reply kept under the key, without taking it. */
  abstract findReply(hostId: string, key: IdempotencyKey): Promise<Reply | undefined>;
}
