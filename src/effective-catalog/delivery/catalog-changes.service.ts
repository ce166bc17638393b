import { Inject, Injectable } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Domain } from '../../kernel/domain.js';
import { NotFound } from '../../kernel/errors.js';
import { Heads } from '../../kernel/heads.js';
import { EventStore } from '../../kernel/event-store.js';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import type { ServerSentEvent } from '../../platform/http/event-stream.js';
import { isUuid } from '../../platform/validation/validator.js';
import { CatalogCache } from './catalog-cache.service.js';
import type { CatalogQuestion, MadeCatalog } from '../effective-catalog.queries.js';
import { affectedBy, MAX_EVENTS, type Affected } from '../latest-writes.service.js';

/** A host with open streams: its log is followed once for all of them. */
interface Watched {
  /** The signals of the streams, by agent. */
  readonly streams: Map<string, Set<Signal>>;
  subscription?: Subscription;
  /** The log was read up to here. */
  position: number;
  looking: boolean;
  grown: boolean;
}

/**
 * Notifies streams that their agent's catalog has changed. A stream costs nothing while nothing happens: for each growth
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
   * Sends `catalog-changed` whenever what this question is answered with has changed, until `ended`, or until there is
   * no such agent any more.
   *
   * @param since the catalog that the reader was answered with
   */
  async *follow(
    question: CatalogQuestion,
    since: MadeCatalog,
    ended: AbortSignal,
  ): AsyncIterable<ServerSentEvent> {
    const signal = new Signal(ended);
    try {
      await this.join(question, signal);
      let given = since;
      do {
        const now = await this.catalogs.read(question);
        if (now.etag !== given.etag) yield changed(now);
        given = now;
      } while (await signal.next());
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    } finally {
      this.leave(question, signal);
    }
  }

  private async join({ hostId, agentDefId }: CatalogQuestion, signal: Signal): Promise<void> {
    let host = this.hosts.get(hostId);
    if (host === undefined) {
      host = { streams: new Map(), position: Infinity, looking: false, grown: false };
      this.hosts.set(hostId, host);
    }
    const signals = host.streams.get(agentDefId);
    if (signals === undefined) host.streams.set(agentDefId, new Set([signal]));
    else signals.add(signal);
    const watched = host;
    host.subscription ??= this.heads.changesOf(hostId).subscribe(() => void this.look(hostId, watched));
    // The first stream sets where reading begins; one that joins meanwhile never moves it forward.
    const position = await this.heads.position(hostId);
    host.position = Math.min(host.position, position);
  }

  private leave({ hostId, agentDefId }: CatalogQuestion, signal: Signal): void {
    const host = this.hosts.get(hostId);
    const signals = host?.streams.get(agentDefId);
    if (host === undefined || signals === undefined) return;
    signals.delete(signal);
    if (signals.size === 0) host.streams.delete(agentDefId);
    if (host.streams.size > 0) return;
    host.subscription?.unsubscribe();
    this.hosts.delete(hostId);
  }

  /** Reads the log, once at a time; if it grows meanwhile, once more. */
  private async look(hostId: string, host: Watched): Promise<void> {
    host.grown = true;
    if (host.looking || host.position === Infinity) return;
    host.looking = true;
    try {
      while (host.grown) {
        host.grown = false;
        wakeUp(host, await this.affected(hostId, host));
      }
    } catch {
      // The database did not answer: every stream asks for itself, and fails by itself.
      wakeUp(host, 'everybody');
    } finally {
      host.looking = false;
    }
  }

  private async affected(hostId: string, host: Watched): Promise<Affected> {
    const sql = this.database.of(hostId);
    const store = new EventStore(sql, this.domain.types);
    const events = await store.readLog(hostId, host.position, MAX_EVENTS);
    const isFull = events.length === MAX_EVENTS;
    host.position = isFull ? await this.heads.position(hostId) : (events.at(-1)?.position ?? host.position);
    const ids = affectedBy(this.domain.types, events);
    if (ids === 'everybody' || ids.length === 0) return ids;
    return agentsAffected(sql, hostId, [...host.streams.keys()], ids);
  }
}

function wakeUp({ streams }: Watched, agents: Affected): void {
  for (const agent of agents === 'everybody' ? streams.keys() : agents) {
    for (const signal of streams.get(agent) ?? []) signal.notify();
  }
}

/** The event for a reader that has another catalog than this one. */
export function changed({ version, etag }: MadeCatalog): ServerSentEvent {
  const data = JSON.stringify({ catalogVersion: version, catalogHash: etag.slice(1, -1) });
  return { id: String(version), event: 'catalog-changed', data };
}

/**
 * Finds which of the agents are among the ids, or reached from one over an assignment, a link, an endpoint, or an approval
 * by a workflow. Tools and links are searched for workflows only where an id is one.
 */
export async function agentsAffected(
  sql: Sql,
  hostId: string,
  agentDefIds: readonly string[],
  names: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql.query<{ agentDefId: string }>(
    `WITH approvals AS MATERIALIZED (
       SELECT reference FROM workflow_approval_read WHERE host_id = $1::uuid AND wf_def_id = ANY ($3::uuid[])
     ), endpoints AS MATERIALIZED (
       SELECT endpoint_id FROM endpoint_read WHERE host_id = $1::uuid AND endpoint_id = ANY ($3::uuid[])
       UNION SELECT endpoint_id FROM endpoint_read WHERE host_id = $1::uuid AND api_version_id = ANY ($3::uuid[])
     ), tools AS MATERIALIZED (
       SELECT tool_id FROM tool_read WHERE host_id = $1::uuid AND tool_id = ANY ($3::uuid[])
       UNION SELECT t.tool_id FROM tool_read t
         WHERE t.host_id = $1::uuid AND t.endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM endpoints))
       UNION SELECT tool_id FROM tool_version_read
         WHERE host_id = $1::uuid AND content ? 'call'
           AND content #> '{call,endpointIds}' ?| ARRAY(SELECT endpoint_id::text FROM endpoints)
       UNION SELECT tool_id FROM tool_read
         WHERE EXISTS (SELECT FROM approvals) AND host_id = $1::uuid
           AND tool_metadata #>> '{safety,approvalWorkflow}' = ANY (ARRAY(SELECT reference FROM approvals))
     ), skills AS MATERIALIZED (
       SELECT skill_id FROM skill_tool_read
         WHERE host_id = $1::uuid AND tool_id = ANY (ARRAY(SELECT tool_id FROM tools)) AND active
       UNION SELECT skill_id FROM skill_tool_read
         WHERE EXISTS (SELECT FROM approvals) AND host_id = $1::uuid AND active
           AND config ->> 'approvalWorkflow' = ANY (ARRAY(SELECT reference FROM approvals))
       UNION SELECT skill_id FROM skill_workflow_read WHERE host_id = $1::uuid AND wf_def_id = ANY ($3::uuid[])
       UNION SELECT unnest($3::uuid[])
     )
     SELECT DISTINCT agent_def_id AS "agentDefId" FROM agent_skill_read
       WHERE host_id = $1::uuid AND agent_def_id = ANY ($2::uuid[])
         AND skill_id = ANY (ARRAY(SELECT skill_id FROM skills)) AND active
     UNION SELECT agent FROM unnest($2::uuid[]) AS agent WHERE agent = ANY ($3::uuid[])`,
    [hostId, agentDefIds, names.filter(isUuid)],
  );
  return rows.map(({ agentDefId }) => agentDefId);
}

/** Coalesces notifications: many wake one waiter, at once or when it waits next. */
class Signal {
  private notified = false;
  private resolve: (() => void) | undefined;

  constructor(private readonly ended: AbortSignal) {
    ended.addEventListener(
      'abort',
      () => {
        this.resolve?.();
      },
      { once: true },
    );
  }

  notify(): void {
    this.notified = true;
    this.resolve?.();
  }

  /** Waits for a notification since the last call; false once the stream has ended. */
  async next(): Promise<boolean> {
    if (!this.notified && !this.ended.aborted) {
      await new Promise<void>((resolve) => {
        this.resolve = resolve;
      });
    }
    this.notified = false;
    return !this.ended.aborted;
  }
}
