import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Heads, type OwnWrite } from '../eventsourcing/heads.js';
import { concernUnasked, type Concern } from './catalog.concern.js';

interface KnownWrite {
  readonly last: number;
  readonly concern: Concern;
}

/** Of all hosts together; a write counts as a few more. Some ten megabytes. */
const mostIds = 100_000;
/** Writes that one question goes through: beyond that the database answers as fast. */
const mostSteps = 500;

/**
 * Whom the latest writes of this instance concern, by the position of their first event. What another instance wrote, or
 * was not kept, is a gap that nothing is concluded over, so it does not matter in which order writes are told.
 */
@Injectable()
export class LatestWrites implements OnModuleDestroy {
  private readonly writes = new LRUCache<string, KnownWrite>({
    maxSize: mostIds,
    sizeCalculation: ({ concern }) => 4 + (concern === 'all' ? 0 : concern.length),
  });
  private readonly subscription;

  constructor(heads: Heads) {
    this.subscription = heads.written.subscribe((write) => {
      this.note(write);
    });
  }

  /**
   * How far what was made of the rows with these ids still holds: the end of the last write known after `position`,
   * without a gap, of those before the first that may concern it.
   */
  heldUpTo(hostId: string, position: number, ids: ReadonlySet<string>): number {
    let held = position;
    for (let step = 0; step < mostSteps; step += 1) {
      const write = this.writes.get(keyOf(hostId, held + 1));
      if (write === undefined || write.concern === 'all' || write.concern.some((id) => ids.has(id))) break;
      held = write.last;
    }
    return held;
  }

  onModuleDestroy(): void {
    this.subscription.unsubscribe();
  }

  private note({ hostId, position, events }: OwnWrite): void {
    const first = position - events.length + 1;
    this.writes.set(keyOf(hostId, first), { last: position, concern: concernUnasked(events) });
  }
}

function keyOf(hostId: string, first: number): string {
  return `${hostId} ${String(first)}`;
}
