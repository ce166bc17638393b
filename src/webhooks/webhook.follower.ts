import type { Follower } from '../eventsourcing/follower.js';

/** Of a delivery: a dead letter that is replayed begins to count anew, and has failed before. */
const untried = `state = 'pending' AND attempts = 0 AND last_error IS NULL`;

/**
 * Makes deliveries for the webhooks of a host whose catalog has changed, from a checkpoint in the log. A delivery that
 * was never tried takes a later change in: receivers want to know that they are behind, not how often. One that was
 * tried may have arrived: it stays what it is under its id. A webhook is told of what came after it was made; one that
 * was written again since is older than its row says.
 */
export function webhookFollower(eventTypes: readonly string[]): Follower {
  return {
    name: 'webhooks',
    handles: eventTypes,
    reads: [],
    async handle(sql, events) {
      const last = events.at(-1);
      if (last === undefined) return;
      const change = [last.host, last.position, last.time];
      await sql.query(
        `UPDATE webhook_delivery_t SET position = $2, event_ts = $3
         WHERE host_id = $1 AND ${untried}`,
        change,
      );
      await sql.query(
        `INSERT INTO webhook_delivery_t (host_id, delivery_id, webhook_id, position, event_ts, state, attempts, next_attempt_ts)
         SELECT w.host_id, gen_random_uuid(), w.webhook_id, $2::bigint, $3::timestamptz, 'pending', 0, now()
         FROM webhook_t w
         WHERE w.host_id = $1 AND w.active AND (w.position < $2::bigint OR w.aggregate_version > 1) AND NOT EXISTS (
           SELECT FROM webhook_delivery_t d WHERE d.host_id = w.host_id AND d.webhook_id = w.webhook_id AND ${untried})`,
        change,
      );
    },
  };
}
