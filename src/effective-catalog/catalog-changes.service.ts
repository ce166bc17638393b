import { Inject, Injectable } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Domain } from '../eventsourcing/domain.js';
import { NotFound } from '../eventsourcing/errors.js';
import { Heads } from '../eventsourcing/heads.js';
import { PostgresEventStore } from '../eventsourcing/postgres-event-store.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { ServerSentEvent } from '../platform/http/event-stream.js';
import { CatalogCache, type CatalogQuestion, type MadeCatalog } from './catalog-cache.service.js';
import { agentsConcerned } from './catalog-changes.queries.js';
import { concernOf, mostLookedAt, type Concern } from './catalog.concern.js';
import { Wake } from './wake.js';

/** One host with open streams: its log is followed once for all of them. */
interface Watched {
  /** By agent. */
  readonly streams: Map<string, Set<Wake>>;
  subscription?: Subscription;
  /** The log was looked at up to here. */
  position: number;
  looking: boolean;
  grown: boolean;
}

/**
 * Tells streams that their agent's catalog has changed. A stream costs nothing while nothing happens: for each growth
 * of a host's log its events are read once and mapped to agents with one statement; only streams of those ask for
 * their catalog, which comes from the cache that serves it.
 */
@Injectable()
export class CatalogChanges {
  private readonly hosts = new Map<string, Watched>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly domain: Domain,
    private readonly heads: Heads,
    private readonly catalogs: CatalogCache,
  ) {}

  /**
   * Says `catalog-changed` whenever what this question is answered with has changed, until the signal, or until there
   * is no such agent any more.
   *
   * @param since what the catalog was when the reader was heard
   */
  async *follow(
    question: CatalogQuestion,
    since: MadeCatalog,
    ended: AbortSignal,
  ): AsyncIterable<ServerSentEvent> {
    const wake = new Wake(ended);
    try {
      await this.join(question, wake);
      let given = since;
      do {
        const now = await this.catalogs.read(question);
        if (now.etag !== given.etag) yield changed(now);
        given = now;
      } while (await wake.next());
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    } finally {
      this.leave(question, wake);
    }
  }

  private async join({ hostId, agentDefId }: CatalogQuestion, wake: Wake): Promise<void> {
    let host = this.hosts.get(hostId);
    if (host === undefined) {
      host = { streams: new Map(), position: Infinity, looking: false, grown: false };
      this.hosts.set(hostId, host);
    }
    const wakes = host.streams.get(agentDefId);
    if (wakes === undefined) host.streams.set(agentDefId, new Set([wake]));
    else wakes.add(wake);
    const watched = host;
    host.subscription ??= this.heads.changesOf(hostId).subscribe(() => void this.look(hostId, watched));
    // Whoever comes first says from where on; what happens between the two is looked at twice.
    host.position = Math.min(host.position, await this.heads.position(hostId));
  }

  private leave({ hostId, agentDefId }: CatalogQuestion, wake: Wake): void {
    const host = this.hosts.get(hostId);
    const wakes = host?.streams.get(agentDefId);
    if (host === undefined || wakes === undefined) return;
    wakes.delete(wake);
    if (wakes.size === 0) host.streams.delete(agentDefId);
    if (host.streams.size > 0) return;
    host.subscription?.unsubscribe();
    this.hosts.delete(hostId);
  }

  /** One look at a time; growth meanwhile makes another one. */
  private async look(hostId: string, host: Watched): Promise<void> {
    host.grown = true;
    if (host.looking || host.position === Infinity) return;
    host.looking = true;
    try {
      while (host.grown) {
        host.grown = false;
        wakeUp(host, await this.concerned(hostId, host));
      }
    } catch {
      // The database did not answer: every stream asks for itself, and fails by itself.
      wakeUp(host, 'all');
    } finally {
      host.looking = false;
    }
  }

  private async concerned(hostId: string, host: Watched): Promise<Concern> {
    const sql = this.database.of(hostId);
    const store = new PostgresEventStore(sql, this.domain.types);
    const events = await store.readLog(hostId, host.position, mostLookedAt);
    const isFull = events.length === mostLookedAt;
    host.position = isFull ? await this.heads.position(hostId) : (events.at(-1)?.position ?? host.position);
    const concern = concernOf(events);
    if (concern === 'all' || concern.length === 0) return concern;
    return agentsConcerned(sql, hostId, [...host.streams.keys()], concern);
  }
}

function wakeUp({ streams }: Watched, agents: Concern): void {
  for (const agent of agents === 'all' ? streams.keys() : agents) {
    for (const wake of streams.get(agent) ?? []) wake.note();
  }
}

/** What a stream says of a catalog that is not the one that its reader has. */
export function changed({ version, etag }: MadeCatalog): ServerSentEvent {
  const data = JSON.stringify({ catalogVersion: version, catalogHash: etag.slice(1, -1) });
  return { id: String(version), event: 'catalog-changed', data };
}
