import type { Domain } from './domain.js';
import type { RecordedEvent } from './event.js';
import type { Head, NewEvent } from './event-store.js';
import { recorded } from './new-event.js';
import { Pace } from './pace.js';
import { project } from './project.js';
import type { Sql, Transaction } from './sql.js';

/** What is known of an event only when it is appended: it can be handed on and told apart, and nobody can reckon with it. */
class Unplaced {
  constructor(
    private readonly name: string,
    readonly placed: (end: Head) => string | number,
  ) {}

  /** As a part of the key by which changes of one row are gathered. */
  [Symbol.toPrimitive](hint: string): string {
    return hint === 'string' ? this.name : this.refuse();
  }

  toJSON(): never {
    return this.refuse();
  }

  private refuse(): never {
    throw new Error(`The ${this.name} is not known yet: it can be a column of a row, not a part of one.`);
  }
}

interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[] | undefined;
  readonly name: string | undefined;
}

/**
 * The rows of many events, made before it is known where in the log these will stand: so the host's lock is held for
 * sending them, not for making them. Positions and time are put in when they are sent.
 *
 * What projections read meanwhile are rows of the events' own streams: the append fails where one of these has moved.
 */
export class DraftedRows implements Transaction {
  private readonly statements: Statement[] = [];

  private constructor(private readonly sql: Sql) {}

  static async of(sql: Sql, domain: Domain, events: readonly NewEvent[]): Promise<DraftedRows> {
    const rows = new DraftedRows(sql);
    await project(rows, domain, await unplaced(events));
    return rows;
  }

  query<Row extends object>(text: string, parameters?: readonly unknown[], name?: string): Promise<Row[]> {
    return this.sql.query<Row>(text, parameters, name);
  }

  send(text: string, parameters?: readonly unknown[], name?: string): void {
    this.statements.push({ text, parameters, name });
  }

  /** Sends all rows on their way, for events that follow this end of the log. */
  async writeAfter(end: Head, tx: Transaction): Promise<void> {
    const pace = new Pace();
    for (const { text, parameters, name } of this.statements) {
      const placed = parameters?.map((value) => (value instanceof Unplaced ? value.placed(end) : value));
      tx.send(text, placed, name);
      await pace.step();
    }
  }
}

/** The events as projections see them, each with an unknown place. */
async function unplaced(events: readonly NewEvent[]): Promise<readonly RecordedEvent[]> {
  const time = new Unplaced('time of the append', (end) => end.time);
  const drafts: RecordedEvent[] = [];
  const pace = new Pace();
  for (const [index, event] of events.entries()) {
    const position = new Unplaced(
      `position of event ${String(index + 1)}`,
      (end) => end.position + index + 1,
    );
    // Read by nobody: projections lay them into rows.
    const place = { position: position as unknown as number, time: time as unknown as string, hash: '' };
    drafts.push(recorded(event, place));
    await pace.step();
  }
  return drafts;
}
