import type { Follower } from '../kernel/follower-runner.js';
import type { Sql } from '../kernel/sql.js';
import { reviewedTypes, wantedReviews } from '../tools/shared.js';
import type { NoticeKind } from './webhook-notice.js';

/** A delivery that this instance has taken. */
export interface TakenDelivery {
  readonly hostId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly kind: NoticeKind;
  readonly position: number;
  readonly time: string;
  /** Attempts, this one included. */
  readonly attempts: number;
  readonly url: string;
  /** Name of the secret. */
  readonly secret: string;
}

/** Seconds after which another instance may take a delivery whose attempt has not ended. */
const lease = 60;
/** Days that dead letters are kept. */
const keptDays = 30;

/**
 * Takes due deliveries of active webhooks for this instance alone; of each webhook the one that has waited longest.
 *
 * @param busy webhooks that are left out, by host
 */
export function takeDeliveries(
  sql: Sql,
  most: number,
  busy: readonly Pick<TakenDelivery, 'hostId' | 'webhookId'>[],
): Promise<TakenDelivery[]> {
  return sql.query<TakenDelivery>(
    `UPDATE webhook_delivery_t d
     SET attempts = d.attempts + 1, next_attempt_ts = now() + make_interval(secs => $2)
     FROM webhook_t w
     WHERE w.host_id = d.host_id AND w.webhook_id = d.webhook_id AND (d.host_id, d.delivery_id) IN (
         SELECT p.host_id, p.delivery_id FROM webhook_delivery_t p
         WHERE p.state = 'pending' AND p.next_attempt_ts <= now() AND EXISTS (
           SELECT FROM webhook_t v WHERE v.host_id = p.host_id AND v.webhook_id = p.webhook_id AND v.active)
           AND (p.host_id, p.webhook_id) NOT IN (SELECT * FROM unnest($3::uuid[], $4::uuid[]))
           AND NOT EXISTS (
             SELECT FROM webhook_delivery_t o WHERE o.host_id = p.host_id AND o.webhook_id = p.webhook_id
               AND o.state = 'pending' AND (o.next_attempt_ts, o.delivery_id) < (p.next_attempt_ts, p.delivery_id))
         ORDER BY p.next_attempt_ts LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING d.host_id AS "hostId", d.webhook_id AS "webhookId", d.delivery_id AS "deliveryId", d.kind,
               d.position, d.event_ts AS time, d.attempts, w.url, w.secret`,
    [most, lease, busy.map(({ hostId }) => hostId), busy.map(({ webhookId }) => webhookId)],
  );
}

/** Deletes a delivery that has arrived. */
export async function forgetDelivery(sql: Sql, { hostId, deliveryId }: TakenDelivery): Promise<void> {
  await sql.query('DELETE FROM webhook_delivery_t WHERE host_id = $1 AND delivery_id = $2', [
    hostId,
    deliveryId,
  ]);
}

/** The outcome of an attempt that failed. */
interface Failure {
  readonly reason: string;
  readonly givesUp: boolean;
  /** Seconds until the next attempt. */
  readonly pause: number;
}

/** Puts a delivery off until the next attempt, or gives it up. */
export async function failDelivery(
  sql: Sql,
  { hostId, deliveryId }: Pick<TakenDelivery, 'hostId' | 'deliveryId'>,
  { reason, givesUp, pause }: Failure,
): Promise<void> {
  await sql.query(
    `UPDATE webhook_delivery_t SET state = $3, last_error = $4, next_attempt_ts = now() + make_interval(secs => $5)
     WHERE host_id = $1 AND delivery_id = $2`,
    [hostId, deliveryId, givesUp ? 'dead' : 'pending', reason, pause],
  );
}

/** Deletes the pending deliveries of a webhook and its dead letters. */
export async function forgetDeliveries(sql: Sql, hostId: string, webhookId: string): Promise<void> {
  await sql.query('DELETE FROM webhook_delivery_t WHERE host_id = $1 AND webhook_id = $2', [
    hostId,
    webhookId,
  ]);
}

/** Deletes deliveries of webhooks that are gone, and dead letters that are too old. */
export async function forgetOldDeliveries(sql: Sql): Promise<void> {
  await sql.query(
    `DELETE FROM webhook_delivery_t d
     WHERE (d.state = 'dead' AND d.next_attempt_ts < now() - make_interval(days => $1)) OR NOT EXISTS (
       SELECT FROM webhook_t w WHERE w.host_id = d.host_id AND w.webhook_id = d.webhook_id AND w.active)`,
    [keptDays],
  );
}

/** Makes dead letters of a webhook due again, all or one. Returns how many. */
export async function replayDeliveries(
  sql: Sql,
  hostId: string,
  webhookId: string,
  deliveryId?: string,
): Promise<number> {
  const rows = await sql.query(
    `UPDATE webhook_delivery_t SET state = 'pending', attempts = 0, next_attempt_ts = now()
     WHERE host_id = $1 AND webhook_id = $2 AND state = 'dead' AND ($3::uuid IS NULL OR delivery_id = $3)
     RETURNING delivery_id`,
    [hostId, webhookId, deliveryId ?? null],
  );
  return rows.length;
}

/** Matches deliveries that were never tried. A replayed dead letter has no attempts, but an error. */
const untried = `state = 'pending' AND attempts = 0 AND last_error IS NULL`;

/**
 * Makes deliveries for the webhooks of a host whose catalog has changed, or where versions of tools begin to wait for a review,
 * from a checkpoint in the log.
 *
 * @param changing types of the events that may change a catalog
 */
export function webhookFollower(changing: readonly string[]): Follower {
  return {
    name: 'webhooks',
    handles: [...new Set([...changing, ...reviewedTypes])],
    reads: reviewedTypes,
    async handle(sql, events) {
      const host = events[0]?.host ?? '';
      const change = events.findLast(({ type }) => changing.includes(type));
      if (change !== undefined) await tell(sql, host, 'catalog-changed', change);
      const review = wantedReviews(events).at(-1);
      if (review !== undefined) await tell(sql, host, 'review-wanted', review);
    },
  };
}

/**
 * A delivery that was never tried moves on to a later change, since receivers only need to know that they are behind. One that
 * was tried may have arrived, so it stays as it is under its id. A webhook gets the changes since it was created: the position
 * of its row shows that only while it was never written again (`aggregate_version` 1).
 */
async function tell(
  sql: Sql,
  hostId: string,
  kind: NoticeKind,
  { position, time }: { readonly position: number; readonly time: string },
): Promise<void> {
  const notice = [hostId, kind, position, time];
  await sql.query(
    `UPDATE webhook_delivery_t SET position = $3, event_ts = $4
     WHERE host_id = $1 AND kind = $2 AND ${untried}`,
    notice,
  );
  await sql.query(
    `INSERT INTO webhook_delivery_t (host_id, delivery_id, webhook_id, kind, position, event_ts, state, attempts, next_attempt_ts)
     SELECT w.host_id, gen_random_uuid(), w.webhook_id, $2::text, $3::bigint, $4::timestamptz, 'pending', 0, now()
     FROM webhook_t w
     WHERE w.host_id = $1 AND w.active AND $2::text = ANY (w.kinds) AND (w.position < $3::bigint OR w.aggregate_version > 1)
       AND NOT EXISTS (
         SELECT FROM webhook_delivery_t d
         WHERE d.host_id = w.host_id AND d.webhook_id = w.webhook_id AND d.kind = $2 AND ${untried})`,
    notice,
  );
}

/** A webhook with deliveries that were given up. */
interface DeadLetters {
  readonly webhookId: string;
  readonly url: string;
  readonly count: number;
  readonly lastError: string | null;
}

/** The active webhooks with deliveries that were given up, most of them first. */
export function deadLetters(sql: Sql, hostId: string, limit: number): Promise<DeadLetters[]> {
  return sql.query<DeadLetters>(
    `SELECT w.webhook_id AS "webhookId", w.url, count(*)::int AS count,
       (array_agg(d.last_error ORDER BY d.next_attempt_ts DESC))[1] AS "lastError"
     FROM webhook_delivery_t d JOIN webhook_t w ON w.host_id = d.host_id AND w.webhook_id = d.webhook_id
     WHERE d.host_id = $1 AND d.state = 'dead' AND w.active
     GROUP BY w.webhook_id, w.url ORDER BY count(*) DESC, w.webhook_id LIMIT $2`,
    [hostId, limit],
  );
}
