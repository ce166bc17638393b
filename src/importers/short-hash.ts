import { createHash } from 'node:crypto';

/** The first 32 bits of a SHA-256, as 8 hex digits: tells apart what would else have one name. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
