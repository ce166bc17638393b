import type { FastifyInstance } from 'fastify';
import type { Caller } from '../auth/caller.js';
import type { Visibility } from '../auth/visibility.js';
import type { KeyedContext } from '../idempotency/idempotency.js';

/** What the stations of a request leave on it for those after them. */
interface RequestNotes {
  /** Set once the token is verified. Its claims may yet not admit the request: then no handler runs. */
  caller: Caller | null;
  /** Asks for the agent scope of a narrowed token when called. */
  visibility: (() => Promise<Visibility>) | null;
  /** Set before the handler of a write runs. */
  writeContext: KeyedContext | null;
  /** The body as it came. */
  bodyBytes: Buffer | null;
  /** Code of the problem that the request was answered with. */
  problemCode: string | null;
}

declare module 'fastify' {
  interface FastifyRequest extends RequestNotes {} // eslint-disable-line -- an interface can only be widened like this
}

export function decorateRequests(instance: FastifyInstance): void {
  const notes: readonly (keyof RequestNotes)[] = [
    'caller',
    'visibility',
    'writeContext',
    'bodyBytes',
    'problemCode',
  ];
  for (const note of notes) instance.decorateRequest(note, null);
}

/** The value that an earlier station must have left; without it the route is declared wrongly. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined)
    throw new Error(`No ${what} on this request: is the route an @Operation?`);
  return value;
}
