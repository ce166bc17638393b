import type { Command } from './command.js';
import type { Decider } from './decider.js';
import { VersionConflict } from './errors.js';
import type { DomainEvent, RecordedEvent, StreamId } from './event.js';
import type { NewEvent } from './event-store.js';
import { isErased } from './stored-event.js';

/** One aggregate on which a write works: what the log says of it, and what the write adds. */
export class WorkingStream {
  state: unknown;
  version = 0;
  /** Position of the last event that is in the log. */
  position = 0;
  lastEventId: string | undefined;
  /** Version that was found in the log; undefined where it was not looked for, the aggregate being new. */
  readVersion: number | undefined;

  constructor(
    readonly id: StreamId,
    private readonly decider: Decider<unknown, Command, DomainEvent>,
  ) {
    this.state = decider.initial;
  }

  /** Takes in the next event of the log. One whose data was erased counts, and says nothing. */
  replay(event: RecordedEvent): void {
    if (!isErased(event)) this.state = this.decider.evolve(this.state, event);
    this.version = this.readVersion = event.aggregateversion;
    this.position = event.position;
    this.lastEventId = event.id;
  }

  decide(command: Command): readonly DomainEvent[] {
    return this.decider.decide(command, this.state);
  }

  /** Takes in an event of this write. */
  add(event: NewEvent): void {
    this.state = this.decider.evolve(this.state, event);
    this.version = event.aggregateversion;
    this.lastEventId = event.id;
  }

  /**
   * Throws VersionConflict unless the aggregate is at the version (contract 1, `If-Match`). Of an aggregate that does
   * not exist the decider may speak first: that it does not is the better answer.
   */
  expect(version: number | 'any' | undefined, command: Command): void {
    if (version === undefined || (version === 'any' ? this.version > 0 : this.version === version)) return;
    if (this.version === 0) this.decide(command);
    throw new VersionConflict(version === 'any' ? 'any version' : String(version), this.version);
  }
}

/** Names a stream within its host. */
export function streamKey(aggregateType: string, aggregateId: string): string {
  return `${aggregateType} ${aggregateId}`;
}
