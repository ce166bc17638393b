import { createHmac } from 'node:crypto';

/** What webhooks are told, as types of CloudEvents. */
export const noticeKinds = ['catalog-changed', 'review-wanted'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The content of a message to a webhook. */
interface Notice {
  readonly deliveryId: string;
  readonly hostId: string;
  readonly kind: NoticeKind;
  /** Position in the host's log. */
  readonly position: number;
  /** Time of the change, RFC 3339. */
  readonly time: string;
}

/** Renders the notice as a CloudEvent 1.0 in structured mode: it carries the position and nothing of what changed. */
export function cloudEvent({ deliveryId, hostId, kind, position, time }: Notice): string {
  return JSON.stringify({
    specversion: '1.0',
    id: deliveryId,
    source: 'urn:portal-catalog',
    type: kind,
    subject: hostId,
    time,
    datacontenttype: 'application/json',
    host: hostId,
    data: { position },
  });
}

/**
 * Headers of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and body. A secret that
 * begins with `whsec_` is Base64 of the key, any other one is the key itself.
 */
export function signed(
  body: string,
  { id, seconds, secret }: { readonly id: string; readonly seconds: number; readonly secret: string },
): Record<string, string> {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const signature = createHmac('sha256', key)
    .update(`${id}.${String(seconds)}.${body}`)
    .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}

/** Longest wait between two attempts, seconds. */
const longest = 3600;

/**
 * Seconds until the next attempt: doubled each time up to an hour, a quarter more or less at random, so that deliveries
 * that failed together are not tried again together.
 *
 * @param chance from 0 to 1
 */
export function pauseAfter(attempts: number, chance: number): number {
  return Math.min(longest, 2 ** attempts) * (0.75 + 0.5 * chance);
}
