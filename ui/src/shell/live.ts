import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followChanges } from '../api/changes.ts';
import { ApiFault } from '../api/client.ts';
import { useHost, useMay } from '../api/session.ts';
import { watchPresence } from './presence.ts';
import { isConcerned } from './readers.ts';

/** Milliseconds for which changes are gathered before what they concern is asked anew. */
const GATHERING = 500;
/** Milliseconds before the stream is asked for again: twice as long after each failure, up to the longest. */
const WAIT = 1_000;
const LONGEST_WAIT = 60_000;
/** After so many milliseconds away all is asked anew, instead of what has changed meanwhile. */
const LONG_AWAY = 60_000;

/**
 * Asks anew what others change, as they change it, while somebody looks at the page. Those who may not follow the log see
 * it when they ask again.
 */
export function useLiveUpdates(isSignedIn: boolean): void {
  const hostId = useHost();
  const queries = useQueryClient();
  const mayFollow = useMay('catalog:admin');
  useEffect(() => {
    if (!isSignedIn || !mayFollow) return;
    const left = new AbortController();
    const live = new LiveUpdates(hostId, queries);
    watchPresence((isThere) => (isThere ? live.follow() : live.rest()), left.signal);
    return () => {
      left.abort();
      live.rest();
    };
  }, [hostId, queries, isSignedIn, mayFollow]);
}

class LiveUpdates {
  /** The last position that was told. */
  private last: number | undefined;
  /** When it was last looked at; undefined before the first time. */
  private rested: number | undefined;
  private following = new AbortController();
  private readonly gathered = new Set<string>();

  constructor(
    private readonly hostId: string,
    private readonly queries: QueryClient,
  ) {}

  follow(): void {
    if (this.rested !== undefined && Date.now() - this.rested > LONG_AWAY) this.last = undefined;
    this.following = new AbortController();
    void this.keepFollowing(this.following.signal, this.rested !== undefined);
  }

  rest(): void {
    this.following.abort();
    this.rested = Date.now();
  }

  private async keepFollowing(signal: AbortSignal, mayHaveMissed: boolean): Promise<void> {
    let [missed, wait] = [mayHaveMissed, WAIT];
    while (!signal.aborted) {
      try {
        await followChanges({
          hostId: this.hostId,
          after: this.last,
          signal,
          opened: () => {
            if (missed && this.last === undefined) this.askAgain(() => true);
            wait = WAIT;
          },
          changed: ({ position, aggregatetype }) => {
            this.last = position;
            this.gather(aggregatetype);
          },
        });
      } catch (error) {
        // Not theirs to follow, or not signed in any more.
        if (error instanceof ApiFault && [401, 403, 404].includes(error.status)) return;
      }
      missed = true;
      await pause(wait * (0.5 + Math.random() / 2), signal);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  }

  private gather(aggregateType: string): void {
    if (this.gathered.size === 0) {
      setTimeout(() => {
        const types = new Set(this.gathered);
        this.gathered.clear();
        this.askAgain((key) => isConcerned(key, types));
      }, GATHERING);
    }
    this.gathered.add(aggregateType);
  }

  private askAgain(isConcerned: (key: readonly unknown[]) => boolean): void {
    void this.queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== 'session' && isConcerned(queryKey),
    });
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
