/** Which writes can have changed a catalog: those that touch an id of its rows, or everybody, as event types declare. */
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Domain } from '../kernel/domain.js';
import type { RecordedEvent } from '../kernel/event.js';
import type { EventTypes } from '../kernel/event-types.js';
import { Heads, type OwnWrite } from '../kernel/heads.js';

/** Ids by which the agents affected are found; or that any agent may be. */
export type Affected = readonly string[] | 'everybody';

/** Events that are looked at one by one. As many affect everybody: every reader asks for itself. */
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

/** For readers who ask nobody: what is referred to by name may affect everybody. */
export function affectedAtMost(types: EventTypes, events: readonly RecordedEvent[]): Affected {
  return events.some(({ type }) => types.touches(type) === 'referrers')
    ? 'everybody'
    : affectedBy(types, events);
}

interface KnownWrite {
  readonly last: number;
  readonly affected: Affected;
}

/** Of all hosts together; a write counts as a few more. Some ten megabytes. */
const MAX_IDS = 100_000;
/** Writes that one question goes through: beyond that the database answers as fast. */
const MAX_STEPS = 500;

/**
 * What the latest writes of this instance affect, by the position of their first event. What another instance wrote, or
 * was not kept, is a gap that nothing is concluded over, so the order in which writes become known does not matter.
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
   * Says how far what was made of the rows with these ids is still valid: to the end of the last write known after
   * `position`, without a gap, of those before the first that may affect it.
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
