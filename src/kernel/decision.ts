import type { Command, Outcome, WriteContext, Decider } from './command.js';
import type { Domain } from './domain.js';
import { isErased, newEvent, type NewEvent } from './envelope.js';
import { VersionConflict } from './errors.js';
import type { DomainEvent, RecordedEvent, StreamId } from './event.js';
import { Pace } from './pace.js';
import type { Caused, Change } from './slice.js';

/** Reads the events of streams of one host. */
export type StreamReader = (streams: readonly StreamId[]) => Promise<readonly RecordedEvent[]>;

/** What became of one command, before its events are in the log. */
export interface Decided extends Omit<Outcome, 'version' | 'position'> {
  readonly stream: WorkingStream;
  readonly events: readonly NewEvent[];
}

/** Decides a write's commands, and those that reactions cause, one after another on the current streams. */
export class Decision {
  readonly events: NewEvent[] = [];
  private readonly streams = new Map<string, WorkingStream>();
  private readonly pace = new Pace();

  constructor(
    private readonly domain: Domain,
    private readonly context: WriteContext,
    private readonly read: StreamReader,
    /** Whether streams of commands with `createsStream` are taken as empty, and not read. */
    private readonly assumesNewStreams: boolean,
  ) {}

  /** Decides the write's own commands. The first one's aggregate must be at the version expected. */
  async decide(commands: readonly Command[]): Promise<readonly Decided[]> {
    await this.open(commands);
    const [first] = commands;
    if (first !== undefined) this.streamOf(first).expect(this.context.expectedVersion, first);
    return this.carryOut(commands.map((command) => ({ command, causationId: undefined })));
  }

  /** Decides what a wave of changes causes. */
  async decideCaused(caused: readonly Caused[]): Promise<readonly Decided[]> {
    const work = caused.map(({ command, cause }) => ({
      command,
      causationId: this.streamOf(cause.command).lastEventId,
    }));
    await this.open(caused.map(({ command }) => command));
    return this.carryOut(work);
  }

  /** The outcomes, once the events are in the log. */
  outcomesOf(decided: readonly Decided[], appended: readonly RecordedEvent[]): readonly Outcome[] {
    for (const { aggregatetype, aggregateid, position } of appended) {
      const stream = this.streams.get(streamKey(aggregatetype, aggregateid));
      if (stream !== undefined) stream.position = position;
    }
    return decided.map(({ stream: { version, position }, events: _events, ...rest }) => ({
      ...rest,
      version,
      position,
    }));
  }

  /** Reads the streams of the commands that were not read yet, in one query. */
  private async open(commands: readonly Command[]): Promise<void> {
    const unread: StreamId[] = [];
    for (const command of commands) {
      const { hostId, aggregateType, aggregateId } = command;
      if (hostId !== this.context.hostId) throw new Error('A write works on one host.');
      const key = streamKey(aggregateType, aggregateId);
      if (this.streams.has(key)) continue;
      const id = { hostId, aggregateType, aggregateId };
      this.streams.set(key, new WorkingStream(id, this.domain.deciderOf(command)));
      if (!(command.createsStream && this.assumesNewStreams)) unread.push(id);
    }
    if (unread.length === 0) return;
    for (const event of await this.read(unread)) {
      this.streams.get(streamKey(event.aggregatetype, event.aggregateid))?.replay(event);
      await this.pace.step();
    }
  }

  private async carryOut(
    work: readonly { readonly command: Command; readonly causationId: string | undefined }[],
  ): Promise<readonly Decided[]> {
    const decided: Decided[] = [];
    for (const { command, causationId } of work) {
      const stream = this.streamOf(command);
      const before = stream.state;
      const events = stream.decide(command).map((event) => {
        const added = newEvent(this.domain.types, event, {
          stream: stream.id,
          version: stream.version + 1,
          actor: this.context.actor,
          correlationId: this.context.correlationId,
          causationId,
        });
        stream.add(added);
        return added;
      });
      this.events.push(...events);
      const changed = events.length > 0;
      decided.push({
        command,
        id: command.aggregateId,
        changed,
        before,
        after: stream.state,
        stream,
        events,
      });
      await this.pace.step();
    }
    return decided;
  }

  private streamOf({ aggregateType, aggregateId }: Command): WorkingStream {
    const stream = this.streams.get(streamKey(aggregateType, aggregateId));
    if (stream === undefined) throw new Error(`The stream ${aggregateType} ${aggregateId} is not open.`);
    return stream;
  }
}

/** One aggregate in a write: its state by the log, and the events that the write adds. */
class WorkingStream {
  state: unknown;
  version = 0;
  /** Position of the last event that is in the log. */
  position = 0;
  lastEventId: string | undefined;

  constructor(
    readonly id: StreamId,
    private readonly decider: Decider<unknown, Command, DomainEvent>,
  ) {
    this.state = decider.initial;
  }

  /** Applies the next event of the log. An event whose data was erased moves the version and leaves the state. */
  replay(event: RecordedEvent): void {
    if (!isErased(event)) this.state = this.decider.evolve(this.state, event);
    this.version = event.aggregateversion;
    this.position = event.position;
    this.lastEventId = event.id;
  }

  decide(command: Command): readonly DomainEvent[] {
    return this.decider.decide(command, this.state);
  }

  /** Applies an event of this write. */
  add(event: NewEvent): void {
    this.state = this.decider.evolve(this.state, event);
    this.version = event.aggregateversion;
    this.lastEventId = event.id;
  }

  /**
   * Throws VersionConflict unless the aggregate is at the version (docs/contract.md, section 1, `If-Match`). Where there is no
   * aggregate, the decider decides first: its NotFound says more.
   */
  expect(version: number | 'any' | undefined, command: Command): void {
    if (version === undefined || (version === 'any' ? this.version > 0 : this.version === version)) return;
    if (this.version === 0) this.decide(command);
    throw new VersionConflict(version === 'any' ? 'any version' : String(version), this.version);
  }
}

/** Names a stream within its host. */
function streamKey(aggregateType: string, aggregateId: string): string {
  return `${aggregateType} ${aggregateId}`;
}

/** The changes of one wave, one for each aggregate that changed; `position` is still that before the write. */
export function changesOf(wave: readonly Decided[]): readonly Change[] {
  const changes = new Map<WorkingStream, Change>();
  for (const { stream, events, ...rest } of wave) {
    if (events.length === 0) continue;
    const earlier = changes.get(stream);
    changes.set(stream, {
      ...rest,
      before: (earlier ?? rest).before,
      version: stream.version,
      position: stream.position,
      eventTypes: [...(earlier?.eventTypes ?? []), ...events.map(({ type }) => type)],
    });
  }
  return [...changes.values()];
}
