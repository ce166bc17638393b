import type { Follower } from '../eventsourcing/follower.js';

/**
 * Makes deliveries for the webhooks of a host whose catalog has changed, from a checkpoint in the log. A delivery that
 * nobody has begun with yet takes a later change in: receivers want to know that they are behind, not how often.
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
         WHERE host_id = $1 AND state = 'pending' AND attempts = 0`,
        change,
      );
      await sql.query(
        `INSERT INTO webhook_delivery_t (host_id, delivery_id, webhook_id, position, event_ts, state, attempts, next_attempt_ts)
         SELECT w.host_id, gen_random_uuid(), w.webhook_id, $2::bigint, $3::timestamptz, 'pending', 0, now()
         FROM webhook_t w
         WHERE w.host_id = $1 AND w.active AND w.position < $2::bigint AND NOT EXISTS (
           SELECT FROM webhook_delivery_t d WHERE d.host_id = w.host_id AND d.webhook_id = w.webhook_id
             AND d.state = 'pending' AND d.attempts = 0)`,
        change,
      );
    },
  };
}
