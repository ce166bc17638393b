import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { Caller } from '../auth/caller.js';
import type { GracefulStop } from './graceful-stop.js';
import { Problem } from './problem.js';

const RETRY_AFTER_S = '30';

/** Limits the streams that are open at once, of one caller and in all. */
export class OpenStreams {
  private inAll = 0;
  private readonly byCaller = new Map<string, number>();

  constructor(
    private readonly most: { readonly inAll: number; readonly perCaller: number },
    private readonly stop: Pick<GracefulStop, 'signal'>,
  ) {}

  /** The body of a stream of events for the caller. Throws as {@link open} does. */
  events(caller: Caller, source: (ended: AbortSignal) => AsyncIterable<ServerSentEvent>): Readable {
    const close = this.open(caller);
    const { expiresAt: own, streamSeconds = Infinity } = caller;
    const expiresAt = Math.min(own, Date.now() / 1000 + streamSeconds);
    const stream = eventStream(source, { expiresAt, stop: this.stop.signal });
    return stream.once('close', close);
  }

  /** Counts one more; call the result when it is over. Throws Problem 429 `too_many_streams`. */
  open({ fingerprint }: Pick<Caller, 'fingerprint'>): () => void {
    const own = this.byCaller.get(fingerprint) ?? 0;
    if (own >= this.most.perCaller) throw tooMany(`This caller has ${String(own)} streams open`);
    if (this.inAll >= this.most.inAll) throw tooMany('As many streams are open as this instance takes');
    this.byCaller.set(fingerprint, own + 1);
    this.inAll += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.inAll -= 1;
      const left = (this.byCaller.get(fingerprint) ?? 1) - 1;
      if (left === 0) this.byCaller.delete(fingerprint);
      else this.byCaller.set(fingerprint, left);
    };
  }
}

function tooMany(what: string): Problem {
  const detail = `${what}. Close one, or share one stream among those that want the same.`;
  return new Problem(429, 'too_many_streams', detail, { headers: { 'retry-after': RETRY_AFTER_S } });
}

/** One event of a `text/event-stream` (HTML Living Standard, 9.2). */
export interface ServerSentEvent {
  readonly id?: string;
  readonly event?: string;
  /** One line, as JSON text is. */
  readonly data: string;
}

/** Ends a stream whose reader does not leave. */
interface StreamLimits {
  /** `exp` of the caller's token, seconds since the epoch: the stream says `expired` and ends. */
  readonly expiresAt: number;
  /** Aborted when the service stops. */
  readonly stop: AbortSignal;
}

/** Keeps proxies from taking a silent stream for a dead one. */
const heartbeat = 15_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The body of a stream of events. `source` is asked for events until it ends, the reader leaves, the token expires or the
 * service stops; its signal is aborted then. A slow reader slows it down: nothing piles up.
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
    Math.min(Math.max(expiresAt * 1000 - Date.now(), 0), MAX_TIMER_MS),
  );
  const release = (): void => {
    clearInterval(beat);
    clearTimeout(expiry);
    left.abort();
    out.end();
  };
  out.once('close', release);
  ended.addEventListener('abort', release, { once: true });
  // Sent at once, so that the reader knows that the stream is open.
  out.write(':\n\n');
  void pump(out, source(ended), ended).then(release, (error: unknown) => {
    // A failure after the stream has ended is expected; any other is passed on.
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
