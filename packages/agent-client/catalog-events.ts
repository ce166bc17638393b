import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { Settings } from './agent-options.js';
import { Backoff, CatalogRefused, CatalogUnavailable, messageOf } from './requests.js';
import type { CatalogCache } from './catalog-cache.js';
import type { CatalogSource } from './catalog-source.js';

/** A stream that held as long as this is no reason to hesitate. */
const steadyMs = 60_000;
/** Characters of one event: it carries no catalog. */
const MAX_EVENT_LENGTH = 64 * 1024;

/**
 * Follows the service's events about this agent's catalog. A stream that ends, or can't be had, is opened again at ever
 * longer intervals, from the version at hand: what happened meanwhile comes at once. Without a stream the time to
 * live still brings every change.
 */
export class CatalogEvents {
  private readonly closing = new AbortController();
  private readonly backoff = new Backoff();
  private following: Promise<void> | undefined;

  constructor(
    private readonly settings: Pick<Settings, 'log' | 'clock'>,
    private readonly source: CatalogSource,
    private readonly cache: CatalogCache,
  ) {}

  /** Begins to follow, behind the caller. */
  start(): void {
    this.following ??= this.follow();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.following;
  }

  private async follow(): Promise<void> {
    const { signal } = this.closing;
    for (;;) {
      const began = this.settings.clock();
      await this.read(signal).catch((error: unknown) => {
        // What is refused here is hardly given there: the catalog is asked at once.
        if (error instanceof CatalogRefused && this.cache.current().catalog !== undefined)
          this.cache.invalidate();
        this.settings.log('debug', 'catalog events not heard', { error: messageOf(error) });
      });
      if (signal.aborted) return;
      if (this.settings.clock() - began > steadyMs) this.backoff.reset();
      await sleep(this.backoff.next(), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async read(signal: AbortSignal): Promise<void> {
    const { of: identity } = this.cache;
    // Nobody is known yet whose catalog it is; the cache is still trying to find out.
    if (identity === undefined) return;
    const version = this.cache.current().catalog?.document.catalogVersion;
    const response = await this.source.request(identity, {
      path: '/events',
      query: version === undefined ? {} : { after: String(version) },
      headers: { accept: 'text/event-stream' },
      signal,
    });
    if (response.body === null) throw new CatalogUnavailable('The catalog answers no stream.');
    // It answers again: what could not be loaded before can be now.
    if (this.cache.current().state !== 'fresh') this.cache.invalidate();
    const parser = createParser({
      onEvent: ({ event }) => {
        if (event === 'catalog-changed') this.cache.invalidate();
      },
      maxBufferSize: MAX_EVENT_LENGTH,
    });
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) parser.feed(text);
  }
}
