import { setTimeout as sleep } from 'node:timers/promises';
import { tokenFrom, type Settings } from './agent-options.js';
import { Backoff, CatalogRefused, CatalogUnavailable, limited, messageOf } from './requests.js';
import type { CatalogIdentity } from './catalog-document.js';
import { CatalogFiles, type ConfirmedCatalog } from './catalog-files.js';
import type { CatalogSource } from './catalog-source.js';
import { faultOfToken, identityOf, tierOfToken } from './identity.js';
import { searchableCatalog, type SearchableCatalog } from './searchable-catalog.js';

/** The catalog as it is known at a moment. */
export interface CurrentCatalog {
  /**
   * `fresh`: the service confirmed it within its time to live, and has not said since that it changed. `stale`: that was
   * longer ago, and the service does not answer. `none`: there is none, or it is too old. `refused`: the service says that
   * this token is given none. `no_token`: as `none`, and the token is missing, expired or no JWT. `no_agent`: the token
   * names no agent, nor does the configuration.
   */
  readonly state: 'fresh' | 'stale' | 'none' | 'refused' | 'no_token' | 'no_agent';
  /** With `fresh` and `stale`. */
  readonly catalog?: SearchableCatalog;
  /** Since the service last confirmed it. */
  readonly ageSeconds?: number;
  /** Reason why the last load failed. */
  readonly error?: string;
}

/** Keeps one agent's catalog in memory and optionally on disk; loads it at most once at a time. */
export class CatalogCache {
  private kept: (ConfirmedCatalog & { readonly searchable: SearchableCatalog }) | undefined;
  private identity: CatalogIdentity | undefined;
  private isAgentless = false;
  private refusal: string | undefined;
  private failure: string | undefined;
  /** Fault of the last token, as far as it can be seen here. */
  private tokenFault: string | undefined;
  private readonly backoff = new Backoff();
  private retryAt = 0;
  /** Counts notified changes; a load that began before the last one is outdated. */
  private changes = 0;
  private loadedAtChange = -1;
  private loading: Promise<void> | undefined;
  private trying: Promise<void> | undefined;
  private readonly closing = new AbortController();
  private readonly files: CatalogFiles | undefined;
  /** Agent and tier that the kept catalog is of. */
  private owner = '';
  /** The write to disk under way. */
  private filing: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: Settings,
    private readonly source: CatalogSource,
  ) {
    this.files =
      settings.cacheDirectory === undefined ? undefined : new CatalogFiles(settings.cacheDirectory);
  }

  /** The catalog as far as it is known without asking anybody. */
  current(): CurrentCatalog {
    const error = this.refusal ?? this.failure;
    const said = error === undefined ? {} : { error };
    if (this.isAgentless) return { state: 'no_agent' };
    if (this.refusal !== undefined) return { state: 'refused', ...said };
    const none = this.tokenFault === undefined ? 'none' : 'no_token';
    if (this.kept === undefined) return { state: none, ...said };
    const { searchable: catalog } = this.kept;
    const ageSeconds = Math.max(0, this.settings.clock() - this.kept.confirmedAt) / 1000;
    const { ttlSeconds } = catalog.document;
    if (ageSeconds <= ttlSeconds && this.isUnchanged()) return { state: 'fresh', catalog, ageSeconds };
    if (ageSeconds > ttlSeconds + this.settings.staleOnErrorSeconds)
      return { state: none, ageSeconds, ...said };
    return { state: 'stale', catalog, ageSeconds, ...said };
  }

  /**
   * The catalog after an attempt to refresh it, unless the last one failed a moment ago. While the service is known
   * not to answer, what there is is given at once and the attempt goes on behind it. Never throws.
   */
  async refreshed(): Promise<CurrentCatalog> {
    const { state } = this.current();
    const isDue = this.loading !== undefined || this.settings.clock() >= this.retryAt;
    if (state === 'fresh' || !isDue) return this.current();
    const loaded = this.load();
    if (state !== 'stale' || !this.backoff.hasFailed) await loaded;
    return this.current();
  }

  /** Identity of the agent, once it is known. */
  get of(): CatalogIdentity | undefined {
    return this.identity;
  }

  /** Marks the catalog as stale until the service has been asked. */
  invalidate(): void {
    this.changes += 1;
    this.retryAt = 0;
    if (this.settings.eager) this.keepTrying();
  }

  /** Loads in the background until it is fresh or refused, at growing intervals. */
  keepTrying(): void {
    this.trying ??= this.untilSettled().finally(() => (this.trying = undefined));
  }

  /** Stops writing; does not wait for a load under way. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.filing;
  }

  private isUnchanged(): boolean {
    return this.loadedAtChange === this.changes;
  }

  private isLoaded(): boolean {
    return this.failure === undefined && this.isUnchanged();
  }

  /** Whether trying again is useless. */
  private isSettled(): boolean {
    return this.isLoaded() || this.refusal !== undefined || this.isAgentless;
  }

  private async untilSettled(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted && !this.isLoaded()) {
      if (this.settings.clock() >= this.retryAt) await this.load();
      if (this.isSettled()) return;
      const pause = Math.max(this.retryAt - this.settings.clock(), 0);
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private load(): Promise<void> {
    this.loading ??= this.loadUnchanged().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Loads again where a change was notified while loading. */
  private async loadUnchanged(): Promise<void> {
    const change = this.changes;
    await this.loadOnce();
    if (this.changes !== change && this.settings.clock() >= this.retryAt) await this.loadUnchanged();
  }

  private async loadOnce(): Promise<void> {
    const change = this.changes;
    try {
      const { catalog } = this.settings;
      const inTime = limited(catalog.timeoutMs, this.closing.signal);
      const token = await this.tokenOfNow(inTime);
      const identity = (this.identity = identityOf(catalog, token));
      // Without an identity the service can't judge the token.
      if (identity === undefined && this.tokenFault !== undefined) throw new CatalogRefused(this.tokenFault);
      this.isAgentless = identity === undefined;
      if (identity === undefined) return;
      const tier = tierOfToken(token);
      await this.comeToOwn(identity, tier);
      const document = await this.source.load(identity, this.kept?.document);
      await this.take(document, identity, tier);
      this.loadedAtChange = change;
    } catch (error) {
      await this.fail(error);
    }
  }

  private async tokenOfNow(inTime: AbortSignal): Promise<string> {
    try {
      const token: unknown = await tokenFrom(this.settings.catalog.token, inTime);
      if (typeof token !== 'string' || token.trim() === '')
        throw new CatalogUnavailable('There is no token for the catalog.');
      this.tokenFault = faultOfToken(token, this.settings.clock());
      return token;
    } catch (error) {
      this.tokenFault = messageOf(error);
      throw error;
    }
  }

  /** Drops the catalog of another identity or tier, which is not this token's. */
  private async comeToOwn(identity: CatalogIdentity, tier: string): Promise<void> {
    const owner = JSON.stringify([identity, tier]);
    if (owner === this.owner) return;
    [this.owner, this.kept] = [owner, undefined];
    const found = await this.files?.read(identity, tier);
    if (found !== undefined) this.kept = { ...found, searchable: searchableCatalog(found.document) };
  }

  /**
   * Takes a loaded catalog.
   *
   * @param loaded undefined where the kept one is confirmed
   */
  private async take(
    loaded: ConfirmedCatalog['document'] | undefined,
    identity: CatalogIdentity,
    tier: string,
  ): Promise<void> {
    const document = loaded ?? this.kept?.document;
    if (document === undefined)
      throw new CatalogUnavailable('The catalog says that nothing has changed, and nothing is known.');
    const confirmedAt = this.settings.clock();
    const searchable = loaded === undefined ? this.kept?.searchable : undefined;
    this.kept = { document, confirmedAt, searchable: searchable ?? searchableCatalog(document) };
    [this.refusal, this.failure, this.retryAt] = [undefined, undefined, 0];
    this.backoff.reset();
    const { catalogVersion, catalogHash } = document;
    const isChanged = loaded !== undefined;
    this.settings.log('debug', 'catalog loaded', { catalogVersion, catalogHash, changed: isChanged });
    await this.write(identity, tier, isChanged);
  }

  private async write(identity: CatalogIdentity, tier: string, isChanged: boolean): Promise<void> {
    const { kept } = this;
    if (kept === undefined) return;
    await this.file((files) =>
      isChanged ? files.keep(identity, tier, kept) : files.confirm(identity, tier, kept),
    );
  }

  /** Writes to disk, where there is a folder and the cache is open. Never throws. */
  private file(change: (files: CatalogFiles) => Promise<void>): Promise<void> {
    const { files } = this;
    if (files === undefined || this.closing.signal.aborted) return Promise.resolve();
    this.filing = change(files).catch((error: unknown) => {
      this.settings.log('warn', 'catalog could not be written to disk', { error: messageOf(error) });
    });
    return this.filing;
  }

  private async fail(error: unknown): Promise<void> {
    const message = messageOf(error);
    this.isAgentless = false;
    const pause = this.backoff.next(error instanceof CatalogUnavailable ? error.retryAfterSeconds : 0);
    this.retryAt = this.settings.clock() + pause;
    if (error instanceof CatalogRefused) {
      this.refusal = message;
      this.kept = undefined;
      const { identity } = this;
      if (identity !== undefined) await this.file((files) => files.forget(identity));
      this.settings.log('warn', 'catalog refused', { error: message });
      return;
    }
    this.failure = message;
    this.settings.log('warn', 'catalog not loaded', { error: message, retryInMs: Math.round(pause) });
  }
}
