/** Which writes can have changed a catalog: those that touch an id of its rows, or everybody, as event types declare. */
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Domain } from '../kernel/domain.js';
import type { RecordedEvent } from '../kernel/event.js';
import type { EventTypes } from '../kernel/event-types.js';
import { Heads, type OwnWrite } from '../kernel/heads.js';

/** Ids by which affected agents are found, or that every agent may be affected. */
export type Affected = readonly string[] | 'everybody';

/** A write of so many events counts as affecting everybody: checking each event would take longer than reading again. */
export const MAX_EVENTS = 200;

/** For readers who ask the database which agents the ids reach. */
export function affectedBy(types: EventTypes, events: readonly RecordedEvent[]): Affected {
  if (events.length >= MAX_EVENTS) return 'everybody';
  const ids = new Set<string>();
  for (const event of events) {
    const touched = types.touchedBy(event);
    if (touched === 'everybody') return touched;
    for (const id of touched) ids.add(id);
  }
  return [...ids];
}

/** For readers without the database: an event about what others refer to by name counts as affecting everybody. */
export function affectedAtMost(types: EventTypes, events: readonly RecordedEvent[]): Affected {
  return events.some(({ type }) => types.touches(type) === 'referrers')
    ? 'everybody'
    : affectedBy(types, events);
}

interface KnownWrite {
  readonly last: number;
  readonly affected: Affected;
}

/** Ids kept for all hosts together, some ten megabytes; a write counts as a few more. */
const MAX_IDS = 100_000;
/** Writes that one question checks: beyond that the database answers as fast. */
const MAX_STEPS = 500;

/**
 * What the latest writes of this instance affect, by the position of their first event. Writes of other instances, and
 * writes no longer kept, leave gaps, and nothing is concluded over a gap. So writes may be noted in any order.
 */
@Injectable()
export class LatestWrites implements OnModuleDestroy {
  private readonly writes = new LRUCache<string, KnownWrite>({
    maxSize: MAX_IDS,
    sizeCalculation: ({ affected }) => 4 + (affected === 'everybody' ? 0 : affected.length),
  });
  private readonly subscription;

  constructor(
    heads: Heads,
    private readonly domain: Domain,
  ) {
    this.subscription = heads.written.subscribe((write) => {
      this.note(write);
    });
  }

  /**
   * Returns the position up to which a catalog made of rows with these ids is still valid: the end of the last known write
   * that follows `position` without a gap and without a write that may affect it.
   */
  validThrough(hostId: string, position: number, ids: ReadonlySet<string>): number {
    let valid = position;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const write = this.writes.get(keyOf(hostId, valid + 1));
      if (write === undefined || write.affected === 'everybody' || write.affected.some((id) => ids.has(id)))
        break;
      valid = write.last;
    }
    return valid;
  }

  onModuleDestroy(): void {
    this.subscription.unsubscribe();
  }

  private note({ hostId, position, events }: OwnWrite): void {
    const first = position - events.length + 1;
    this.writes.set(keyOf(hostId, first), {
      last: position,
      affected: affectedAtMost(this.domain.types, events),
    });
  }
}

function keyOf(hostId: string, first: number): string {
  return `${hostId} ${String(first)}`;
}
