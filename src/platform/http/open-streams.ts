import type { Readable } from 'node:stream';
import type { Caller } from '../auth/caller.js';
import { eventStream, type ServerSentEvent } from './event-stream.js';
import type { GracefulStop } from './graceful-stop.js';
import { Problem } from './problem.js';

/** Seconds after which it is worth while to ask again. */
const later = '30';

/** Counts the streams that are held open: each has a connection and a look at every change. */
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
    const stream = eventStream(source, { expiresAt: caller.expiresAt, stop: this.stop.signal });
    return stream.once('close', close);
  }

  /** Counts one more; what it gives is called when that one is over. Throws Problem 429 `too_many_streams`. */
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
  return new Problem(429, 'too_many_streams', detail, { headers: { 'retry-after': later } });
}
