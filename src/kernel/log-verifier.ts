import { setImmediate as nextTurn } from 'node:timers/promises';
import { GENESIS_HASH, type StoredEvent } from './envelope.js';
import { readStored } from './event-store.js';
import {
  anchorsOf,
  anchorText,
  beginning,
  readAnchor,
  removed,
  walk,
  type Anchor,
  type LogFault,
  type Trail,
} from './log-trail.js';
import type { Database } from './sql.js';

/** What the check of one host's log has found. */
export interface HostVerdict {
  readonly hostId: string;
  /** Events that are as they were written. */
  readonly events: number;
  readonly fault?: LogFault;
  /** Events whose data was erased; their digests are whole. */
  readonly erased: readonly Pick<StoredEvent, 'position' | 'id' | 'event_type'>[];
  /** `hostId:position:hash` of the last event: kept elsewhere, it proves later that the log was not rewritten. */
  readonly anchor: string;
}

export interface VerifyOptions {
  /** Only this host; otherwise all. */
  readonly hostId?: string | undefined;
  /** Anchors taken earlier. */
  readonly anchors?: readonly string[];
  readonly onProgress?: (hostId: string, events: number) => void;
}

const BATCH = { events: 500, bytes: 4_000_000 } as const;

/** Checks that the logs are what was written (docs/contract.md, section 3, tamper evidence). */
export class LogVerifier {
  constructor(private readonly database: Database) {}

  async verify(options: VerifyOptions = {}): Promise<readonly HostVerdict[]> {
    const anchors = (options.anchors ?? []).map(readAnchor);
    const hosts = options.hostId === undefined ? await this.hosts() : [options.hostId];
    const named = anchors
      .map(({ hostId }) => hostId)
      .filter((hostId) => options.hostId === undefined || hostId === options.hostId);
    const verdicts: HostVerdict[] = [];
    for (const hostId of new Set([...hosts, ...named])) {
      verdicts.push(await this.verifyHost(hostId, anchorsOf(hostId, anchors), options.onProgress));
    }
    return verdicts;
  }

  private async verifyHost(
    hostId: string,
    anchors: ReadonlyMap<number, Anchor>,
    onProgress?: VerifyOptions['onProgress'],
  ): Promise<HostVerdict> {
    const trail = beginning();
    const erased: StoredEvent[] = [];
    // Read first: events appended meanwhile are not reported as missing.
    const head = await this.head(hostId);
    let fault = await this.beforeFirst(hostId);
    while (fault === undefined) {
      const batch = await readStored(this.database.of(hostId), hostId, trail.position, BATCH);
      for (const event of batch) {
        fault ??= walk(trail, event, anchors);
        if (fault !== undefined) break;
        if (event.data === null) erased.push(event);
        fault = event.position === head.position ? headFault(event, head) : undefined;
      }
      onProgress?.(hostId, trail.position);
      if (batch.length === 0) break;
      await nextTurn();
    }
    const furthest = Math.max(head.position, ...anchors.keys());
    if (fault === undefined && trail.position < furthest) fault = removed(trail.position + 1, furthest);
    if (fault === undefined && trail.position > head.position) fault = behind(await this.head(hostId), trail);
    return {
      hostId,
      events: trail.position,
      ...(fault !== undefined && { fault }),
      erased: erased.map(({ position, id, event_type }) => ({ position, id, event_type })),
      anchor: anchorText({ hostId, ...trail }),
    };
  }

  /** Finds events before position 1, which reads of the log pass over and reads of a stream give. */
  private async beforeFirst(hostId: string): Promise<LogFault | undefined> {
    const [row] = await this.database.of(hostId).query<{ id: string; position: number; events: number }>(
      `SELECT id, position, count(*) OVER () AS events FROM event_store_t
        WHERE host_id = $1 AND position < 1 ORDER BY position LIMIT 1`,
      [hostId],
    );
    if (row === undefined) return undefined;
    const many = row.events === 1 ? 'This event was' : `${String(row.events)} events from here on were`;
    return {
      position: row.position,
      finding: 'added',
      detail: `${many} added before position 1, where the log begins; the first is ${row.id}.`,
    };
  }

  private async head(hostId: string): Promise<{ position: number; hash: string }> {
    const [row] = await this.database
      .of(hostId)
      .query<{ position: number; hash: string }>(
        'SELECT position, hash FROM host_head_t WHERE host_id = $1',
        [hostId],
      );
    return row ?? { position: 0, hash: GENESIS_HASH };
  }

  /** Every host that has a head or an event, found by leaps over the index. */
  private async hosts(): Promise<readonly string[]> {
    const rows = await this.database.acrossHosts.query<{ host_id: string }>(
      `WITH RECURSIVE leap AS (
         (SELECT host_id FROM event_store_t ORDER BY host_id LIMIT 1)
         UNION ALL
         SELECT (SELECT e.host_id FROM event_store_t e WHERE e.host_id > leap.host_id ORDER BY e.host_id LIMIT 1)
         FROM leap WHERE leap.host_id IS NOT NULL)
       SELECT host_id FROM leap WHERE host_id IS NOT NULL UNION SELECT host_id FROM host_head_t ORDER BY host_id`,
    );
    return rows.map(({ host_id: hostId }) => hostId);
  }
}

function headFault(event: StoredEvent, head: { position: number; hash: string }): LogFault | undefined {
  if (head.hash === event.hash) return undefined;
  return {
    position: event.position,
    finding: 'altered',
    detail: `The head of the host names another hash than its last event ${event.id} has.`,
  };
}

/** A head read after the walk is at its end, or beyond: events and head are written together. */
function behind(head: { position: number }, trail: Trail): LogFault | undefined {
  if (head.position >= trail.position) return undefined;
  return {
    position: head.position + 1,
    finding: 'altered',
    detail: `The head of the host stands at ${String(head.position)}, but the log goes on to ${String(trail.position)}.`,
  };
}
