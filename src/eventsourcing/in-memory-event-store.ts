import type { RecordedEvent, StreamId } from './event.js';
import { GENESIS_HASH, StreamMoved, type EventStore, type Head, type NewEvent } from './event-store.js';
import type { EventTypes } from './event-types.js';
import { chainHash, recorded } from './new-event.js';
import { oneWrite } from './one-write.js';
import { readEvent, type StoredEvent } from './stored-event.js';

/** The log in the memory of the process, for tests: it keeps the same contract as the one in PostgreSQL. */
export class InMemoryEventStore implements EventStore {
  private readonly logs = new Map<string, StoredEvent[]>();

  constructor(
    private readonly types: EventTypes,
    private readonly clock: () => number = Date.now,
  ) {}

  append(hostId: string, events: readonly NewEvent[]): Promise<readonly RecordedEvent[]> {
    oneWrite(hostId, events);
    const log = this.logOf(hostId);
    const versions = new Map<string, number>();
    for (const { aggregatetype, aggregateid, aggregateversion } of events) {
      const key = `${aggregatetype} ${aggregateid}`;
      const version = versions.get(key) ?? this.versionOf(log, aggregatetype, aggregateid);
      if (aggregateversion !== version + 1) return Promise.reject(new StreamMoved(hostId));
      versions.set(key, aggregateversion);
    }
    const last = log.at(-1);
    const time = new Date(
      Math.max(this.clock(), last === undefined ? 0 : Date.parse(last.time)),
    ).toISOString();
    const appended: RecordedEvent[] = [];
    let hash = last?.hash ?? GENESIS_HASH;
    for (const event of events) {
      const position = log.length + 1;
      hash = chainHash(hash, position, time, event.digest);
      const placed = recorded(event, { position, time, hash });
      log.push(this.store(event, placed));
      appended.push(placed);
    }
    this.logs.set(hostId, log);
    return Promise.resolve(appended);
  }

  readStreams(streams: readonly StreamId[]): Promise<readonly RecordedEvent[]> {
    const found = streams.flatMap(({ hostId, aggregateType, aggregateId }) =>
      this.logOf(hostId).filter(
        (row) => row.aggregate_type === aggregateType && row.aggregate_id === aggregateId,
      ),
    );
    return Promise.resolve(found.map((row) => readEvent(this.types, row)));
  }

  readLog(hostId: string, after: number, limit: number): Promise<readonly RecordedEvent[]> {
    const rows = this.logOf(hostId).slice(after, after + limit);
    return Promise.resolve(rows.map((row) => readEvent(this.types, row)));
  }

  head(hostId: string): Promise<Head> {
    const last = this.logOf(hostId).at(-1);
    return Promise.resolve({
      position: last?.position ?? 0,
      time: last?.time ?? '',
      hash: last?.hash ?? GENESIS_HASH,
    });
  }

  private logOf(hostId: string): StoredEvent[] {
    return this.logs.get(hostId) ?? [];
  }

  private versionOf(log: readonly StoredEvent[], type: string, id: string): number {
    return log.filter((row) => row.aggregate_type === type && row.aggregate_id === id).length;
  }

  private store(event: NewEvent, { position, time, hash }: RecordedEvent): StoredEvent {
    return {
      host_id: event.host,
      position,
      id: event.id,
      event_type: event.type,
      schema_version: this.types.get(event.type).version,
      aggregate_type: event.aggregatetype,
      aggregate_id: event.aggregateid,
      aggregate_version: event.aggregateversion,
      user_id: event.user,
      client_id: event.clientid ?? null,
      source: event.source,
      correlation_id: event.correlationid,
      causation_id: event.causationid ?? null,
      time,
      data: event.text,
      data_digest: event.datadigest,
      hash,
    };
  }
}
