import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds that a delivery may be old, or ahead: against replays. */
const tolerance = 300;

export interface Delivery {
  readonly headers: Headers;
  /** As it arrived, byte for byte. */
  readonly body: string;
}

/**
 * Whether a delivery was signed with the secret, as Standard Webhooks does (https://www.standardwebhooks.com): HMAC-SHA256
 * over id, time and body. A secret that begins with `whsec_` is Base64 of the key, any other one is the key itself.
 *
 * @param now milliseconds since 1970
 */
export function isSigned({ headers, body }: Delivery, secret: string, now: number): boolean {
  const [id, timestamp = '', signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? undefined,
  );
  if (id === undefined || signatures === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > tolerance) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((signature) => {
    const [version, given = ''] = signature.split(',');
    const bytes = Buffer.from(given, 'base64');
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}
