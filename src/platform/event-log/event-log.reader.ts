import { Inject, Injectable } from '@nestjs/common';
import { Domain } from '../../kernel/domain.js';
import { showEvent } from '../../kernel/envelope.js';
import { NotFound } from '../../kernel/errors.js';
import { EventStore } from '../../kernel/event-store.js';
import type { RecordedEvent, StreamId } from '../../kernel/event.js';
import { FollowerRunner } from '../../kernel/follower-runner.js';
import { Heads } from '../../kernel/heads.js';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { ServerSentEvent } from '../http/event-stream.js';
import { Metrics } from '../metrics/metrics.js';

/** Events read from the database at once: one may hold a whole API description. */
const batch = 20;
/** Characters of a page: one event is given however large it is, more only while they fit. */
const MAX_PAGE = 4 << 20;
/** Looks again after this time even where no growth was heard of. Milliseconds. */
const MAX_SILENCE_MS = 5_000;

interface Followed {
  readonly hostId: string;
  /** Position behind which it begins. */
  readonly from: number;
  /** Whether events are given with their data. */
  readonly data: boolean;
}

/** Reads the log for those who administer a host, what a newer program wrote too. Pages are JSON texts of arrays. */
@Injectable()
export class EventLogReader {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly domain: Domain,
    private readonly heads: Heads,
  ) {}

  /** Up to `limit` events behind a position, fewer where they are large. */
  async page(hostId: string, after: number, limit: number): Promise<string> {
    const texts: string[] = [];
    let last = after;
    for (let size = 0; texts.length < limit && size < MAX_PAGE;) {
      const events = await this.storeOf(hostId).readLog(hostId, last, Math.min(batch, limit - texts.length));
      for (const event of events) {
        const text = JSON.stringify(event);
        size += text.length;
        if (texts.length > 0 && size > MAX_PAGE) break;
        texts.push(text);
      }
      last = events.at(-1)?.position ?? last;
      if (events.length < batch) break;
    }
    return arrayOf(texts);
  }

  /** Up to `limit` events before a position, the newest of them first; without one those at the end of the log. */
  async pageBack(hostId: string, before: number | undefined, limit: number): Promise<string> {
    const texts: string[] = [];
    const behind = (await this.end(hostId)) + 1;
    let next = Math.min(before ?? behind, behind);
    for (let size = 0; texts.length < limit && size < MAX_PAGE && next > 1;) {
      const from = Math.max(0, next - 1 - Math.min(batch, limit - texts.length));
      const events = await this.storeOf(hostId).readLog(hostId, from, next - 1 - from);
      for (const event of events.filter(({ position }) => position < next).toReversed()) {
        const text = JSON.stringify(event);
        size += text.length;
        if (texts.length > 0 && size > MAX_PAGE) break;
        texts.push(text);
      }
      next = from + 1;
    }
    return arrayOf(texts);
  }

  /** One aggregate's history behind a version. */
  async history(stream: StreamId, after: number, limit: number): Promise<string> {
    const events = await this.storeOf(stream.hostId).readStreams([stream]);
    if (events.length === 0) throw new NotFound(stream.aggregateType, stream.aggregateId);
    const wanted = events.filter(({ aggregateversion }) => aggregateversion > after).slice(0, limit);
    return arrayOf(wanted.map((event) => JSON.stringify(event)));
  }

  /** Where the log ends. */
  end(hostId: string): Promise<number> {
    return this.heads.position(hostId);
  }

  /** The log behind a position, with the data of its events or without, and all that is appended to it until the signal. */
  async *follow({ hostId, from, data }: Followed, ended: AbortSignal): AsyncIterable<ServerSentEvent> {
    const growth = new Growth();
    const subscription = this.heads.changesOf(hostId).subscribe(() => {
      growth.note();
    });
    try {
      for (let position = from; !ended.aborted;) {
        const events = await this.storeOf(hostId).readLog(hostId, position, batch);
        for (const event of events) yield serverSent(event, data);
        position = events.at(-1)?.position ?? position;
        if (events.length === 0) await growth.next(ended);
      }
    } finally {
      subscription.unsubscribe();
    }
  }

  private storeOf(hostId: string): EventStore {
    return new EventStore(this.database.of(hostId), this.domain.types, showEvent);
  }
}

/** Coalesces notifications: many wake one waiter, or the next one. */
class Growth {
  private noted = false;
  private wake: () => void = () => undefined;

  note(): void {
    this.noted = true;
    this.wake();
  }

  /** Resolves at the next growth, or the one not looked at yet, or the end, or after a while. */
  async next(ended: AbortSignal): Promise<void> {
    if (!this.noted && !ended.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, MAX_SILENCE_MS);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
        ended.addEventListener('abort', this.wake, { once: true });
      });
      ended.removeEventListener('abort', this.wake);
    }
    this.noted = false;
  }
}

function serverSent(event: RecordedEvent, withData: boolean): ServerSentEvent {
  const shown = withData ? event : { ...event, data: undefined };
  return { id: String(event.position), event: event.type, data: JSON.stringify(shown) };
}

function arrayOf(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

/** Counts how often the logs grow that this instance writes to or watches, and how far followers are behind them. */
@Injectable()
export class EventLogMetrics {
  constructor(heads: Heads, followers: FollowerRunner, metrics: Metrics) {
    const growths = metrics.counter(
      'catalog_log_growths_total',
      'Appends seen by this instance, over all hosts.',
    );
    metrics.gauges(
      'catalog_follower_lag_positions',
      'Positions of the logs that a follower has yet to take in, over all hosts; the same on every instance.',
      'follower',
      () => followers.lags(),
    );
    // Ends with the watcher of the heads.
    heads.changes.subscribe(() => {
      growths.inc();
    });
  }
}
