import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';

/** One event of a `text/event-stream` (HTML Living Standard, 9.2). */
export interface ServerSentEvent {
  readonly id?: string;
  readonly event?: string;
  /** One line, as JSON text is. */
  readonly data: string;
}

/** What ends a stream that nobody leaves. */
export interface StreamLimits {
  /** `exp` of the caller's token, seconds since the epoch: the stream says `expired` and ends. */
  readonly expiresAt: number;
  /** Aborted when the service stops. */
  readonly stop: AbortSignal;
}

/** Keeps proxies from taking a silent stream for a dead one. */
const heartbeat = 15_000;
/** Longest time that a timer can be set for. */
const longestTimer = 2 ** 31 - 1;

/**
 * The body of a stream of events. `source` is asked for events until it ends, the reader leaves, the token expires
 * or the service stops; its signal tells it so. A slow reader slows it down: nothing piles up.
 */
export function eventStream(
  source: (ended: AbortSignal) => AsyncIterable<ServerSentEvent>,
  { expiresAt, stop }: StreamLimits,
): Readable {
  const out = new PassThrough();
  const left = new AbortController();
  const ended = AbortSignal.any([stop, left.signal]);
  const beat = setInterval(() => out.write(':\n\n'), heartbeat);
  const expiry = setTimeout(
    () => {
      out.write('event: expired\ndata: {}\n\n');
      left.abort();
    },
    Math.min(Math.max(expiresAt * 1000 - Date.now(), 0), longestTimer),
  );
  const release = (): void => {
    clearInterval(beat);
    clearTimeout(expiry);
    left.abort();
    out.end();
  };
  out.once('close', release);
  ended.addEventListener('abort', release, { once: true });
  // Sent at once: the reader knows that it is heard.
  out.write(':\n\n');
  void pump(out, source(ended), ended).then(release, (error: unknown) => {
    // Whoever ended the stream has ended the source with it; only another failure is one.
    if (ended.aborted) return;
    out.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return out;
}

async function pump(
  out: PassThrough,
  events: AsyncIterable<ServerSentEvent>,
  ended: AbortSignal,
): Promise<void> {
  for await (const { id, event, data } of events) {
    if (ended.aborted) return;
    const fields = [
      id === undefined ? [] : `id: ${id}`,
      event === undefined ? [] : `event: ${event}`,
      `data: ${data}`,
    ];
    if (!out.write(`${fields.flat().join('\n')}\n\n`)) await once(out, 'drain', { signal: ended });
  }
}
