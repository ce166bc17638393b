import { isUniqueViolation, type Domain } from './domain.js';
import { NewerEvent, readEvent, type StoredEvent } from './envelope.js';
import { RuleBroken } from './errors.js';
import { beginLog, insertStored, moveHead, readStored } from './event-store.js';
import { LogFileFault, readLine, type LogEnd } from './log-file.js';
import { anchorsOf, beginning, walk, type Anchor } from './log-trail.js';
import { differingTables, digestRows } from './row-digests.js';
import type { Database, Transaction } from './sql.js';

export interface RestoreOptions {
  /** Opens the file and gives its lines; called again where it must be read from the start. */
  readonly lines: () => AsyncIterable<string>;
  /** The host that the log must be of; whichever it is, where this is left out. */
  readonly hostId?: string | undefined;
  /** What the log was at earlier positions. */
  readonly anchors: readonly Anchor[];
  readonly onProgress: (events: number) => void;
}

export interface RestoreReport {
  readonly hostId: string;
  readonly events: number;
  readonly end: LogEnd;
  /** Tables that hold something else than where the file was written; undefined where that can't be compared. */
  readonly differing: readonly string[] | undefined;
}

/** Most events, and most characters of their data, that are inserted and projected at once. */
const STEP = { events: 500, characters: 1_000_000 } as const;

/**
 * Takes the log of a host from a file into a database where the host has none, with the rows that follow from it: in one
 * transaction, so that all of it is seen or nothing, and in steps, so that no more than one is in memory.
 *
 * @throws LogFileFault where the file is not the log as it was written, RuleBroken `host_not_empty`, `other_host`, `newer_event`
 */
export async function restoreLog(
  database: Database,
  domain: Domain,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const begun = options.lines()[Symbol.asyncIterator]();
  const first = await begun.next();
  const hostId = hostIn(first);
  if (options.hostId !== undefined && options.hostId !== hostId) {
    throw new RuleBroken('other_host', `The file holds the log of host ${hostId}, not of ${options.hostId}.`);
  }
  let unread: AsyncIterable<string> | undefined = whole(first, begun);
  const lines = (): AsyncIterable<string> => {
    const opened = unread ?? options.lines();
    unread = undefined;
    return opened;
  };
  const attempt = (steps: 'large' | 'writes'): Promise<RestoreReport> =>
    database
      .of(hostId)
      .transaction((tx) => new LogRestore(tx, domain, hostId, steps).run({ ...options, lines }))
      .catch((error: unknown) => {
        throw asRefusal(error);
      });
  try {
    return await attempt('large');
  } catch (error) {
    // One statement may break a unique rule that each write kept: one record gave up a name that another took.
    if (!isUniqueViolation(error)) throw error;
    return attempt('writes');
  }
}

function hostIn({ done, value }: IteratorResult<string, unknown>): string {
  if (done === true) throw new LogFileFault('The file is empty.');
  const read = readLine(value, 1);
  const hostId = 'end' in read ? read.end.host : read.event.host_id;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(hostId)) return hostId;
  throw new LogFileFault('Line 1 names no host.');
}

/** A sequence of which the first was taken already. */
async function* whole(
  { done, value }: IteratorResult<string, unknown>,
  others: AsyncIterator<string>,
): AsyncGenerator<string, void, undefined> {
  if (done === true) return;
  yield value;
  yield* { [Symbol.asyncIterator]: () => others };
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof NewerEvent)) return error;
  return new RuleBroken('newer_event', `${error.message} Restore it with the version that wrote it.`);
}

/** Restores one log within a transaction. */
class LogRestore {
  private readonly trail = beginning();
  private step: StoredEvent[] = [];
  private characters = 0;

  constructor(
    private readonly tx: Transaction,
    private readonly domain: Domain,
    private readonly hostId: string,
    /** `writes`: the events of each write are projected by themselves, as they were then. */
    private readonly steps: 'large' | 'writes',
  ) {}

  async run({ lines, anchors, onProgress }: RestoreOptions): Promise<RestoreReport> {
    await this.refuseWritten();
    // The tables grow too fast for kept plans.
    await this.tx.query('SET LOCAL plan_cache_mode TO force_custom_plan');
    const own = anchorsOf(this.hostId, anchors);
    let end: LogEnd | undefined;
    let number = 0;
    for await (const line of lines()) {
      number += 1;
      if (end !== undefined)
        throw new LogFileFault(`Line ${String(number)} stands behind the last one of the log.`);
      const read = readLine(line, number);
      if ('end' in read) end = read.end;
      else {
        this.follow(read.event, number, own);
        if (this.isFull(read.event)) await this.carryOut();
        this.step.push(read.event);
        this.characters += read.event.data?.length ?? 0;
        if (number % STEP.events === 0) onProgress(number);
      }
    }
    await this.carryOut();
    this.refuseCut(end, own);
    moveHead(this.tx, this.hostId, end);
    return this.checked(end);
  }

  private async refuseWritten(): Promise<void> {
    const { position } = await beginLog(this.tx, this.hostId);
    const [written] = await this.tx.query('SELECT FROM event_store_t WHERE host_id = $1 LIMIT 1', [
      this.hostId,
    ]);
    if (position === 0 && written === undefined) return;
    throw new RuleBroken(
      'host_not_empty',
      `The host ${this.hostId} has a log here already, up to position ${String(position)}. A log is restored where there is none.`,
    );
  }

  private follow(event: StoredEvent, number: number, anchors: ReadonlyMap<number, Anchor>): void {
    if (event.host_id !== this.hostId) {
      throw new LogFileFault(`Line ${String(number)} is of another host than the lines before.`);
    }
    const fault = walk(this.trail, event, anchors);
    if (fault !== undefined) {
      throw new LogFileFault(
        `Line ${String(number)}: ${fault.finding} at position ${String(fault.position)}: ${fault.detail}`,
      );
    }
  }

  /** Whether the event goes into the next step. */
  private isFull(event: StoredEvent): boolean {
    const last = this.step.at(-1);
    if (last === undefined) return false;
    const isNext = event.time !== last.time || event.correlation_id !== last.correlation_id;
    if (this.steps === 'writes') return isNext;
    return this.step.length >= STEP.events || this.characters >= STEP.characters;
  }

  private async carryOut(): Promise<void> {
    const { step } = this;
    this.step = [];
    this.characters = 0;
    if (step.length === 0) return;
    await insertStored(this.tx, this.domain.types, step);
    await this.domain.project(
      this.tx,
      step.map((event) => readEvent(this.domain.types, event)),
    );
  }

  private refuseCut(end: LogEnd | undefined, anchors: ReadonlyMap<number, Anchor>): asserts end is LogEnd {
    const { position, hash } = this.trail;
    if (end === undefined) {
      const detail = `The file is cut off behind position ${String(position)}: the line that says where the log ends is missing.`;
      throw new LogFileFault(detail);
    }
    if (end.host !== this.hostId || end.position !== position || end.hash !== hash) {
      const detail = `The last line names position ${String(end.position)} as the end of the log, but the events end at ${String(position)} with another hash.`;
      throw new LogFileFault(detail);
    }
    const furthest = Math.max(position, ...anchors.keys());
    if (furthest > position) {
      throw new LogFileFault(
        `The log ends at position ${String(position)}, but by the anchor it had ${String(furthest)} events.`,
      );
    }
    if (position === 0)
      throw new RuleBroken('empty_log', 'The file holds no event: there is nothing to restore.');
  }

  /** Reads back what the database holds now, and compares. */
  private async checked(end: LogEnd): Promise<RestoreReport> {
    const trail = beginning();
    for (;;) {
      const events = await readStored(this.tx, this.hostId, trail.position, {
        events: STEP.events,
        bytes: 4_000_000,
      });
      for (const event of events) {
        const fault = walk(trail, event, new Map());
        if (fault !== undefined)
          throw new Error(`The database does not hold what it was given: ${fault.detail}`);
      }
      if (events.length === 0) break;
    }
    if (trail.hash !== end.hash) throw new Error('The database does not hold all that it was given.');
    const rows = await digestRows(
      this.tx,
      this.domain.projections.flatMap(({ tables }) => tables),
    );
    const differing = differingTables(end.rows, rows);
    return { hostId: this.hostId, events: trail.position, end, differing };
  }
}
