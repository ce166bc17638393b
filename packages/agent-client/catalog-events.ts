import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { Settings } from './agent-options.js';
import { Backoff, CatalogRefused, CatalogUnavailable, messageOf } from './requests.js';
import type { CatalogCache } from './catalog-cache.js';
import type { CatalogSource } from './catalog-source.js';

/** A stream that lasted this long resets the pauses. */
const steadyMs = 60_000;
/** Characters of one event, which holds no catalog. */
const MAX_EVENT_LENGTH = 64 * 1024;

/**
 * Follows the service's events about this agent's catalog. Opens a stream that ends again at growing intervals, from
 * the known version, so that no change is missed. Without a stream changes come after the time to live.
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

  /** Starts to follow in the background. */
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
        // Whoever is refused events is hardly given the catalog: asks for it at once.
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
    // The identity is not known yet.
    if (identity === undefined) return;
    const version = this.cache.current().catalog?.document.catalogVersion;
    const response = await this.source.request(identity, {
      path: '/events',
      query: version === undefined ? {} : { after: String(version) },
      headers: { accept: 'text/event-stream' },
      signal,
    });
    if (response.body === null) throw new CatalogUnavailable('The catalog answers no stream.');
    // The service answers again: loads what could not be loaded before.
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
