import type { OnModuleDestroy } from '@nestjs/common';
import { filter, finalize, map, Observable, Subject } from 'rxjs';
import type { RecordedEvent } from './event.js';
import type { Database, Session, Sql } from './sql.js';

/** A host's log has grown. */
export interface HeadChange {
  readonly hostId: string;
  readonly position: number;
}

/** A write of this instance, committed: `position` is that of its last event. */
export interface OwnWrite extends HeadChange {
  /** At least one, consecutive in the log. Listeners read them and keep none. */
  readonly events: readonly RecordedEvent[];
}

/** What an instance does when one of its own writes was committed. */
export interface CommitListener {
  /** `at`: a moment (`performance.now()`) at which the write's position was surely the end of the host's log. */
  committed(write: OwnWrite, at: number): void;
}

/** Knows where the hosts' logs end, after own writes and those of other instances. */
export abstract class Heads {
  /**
   * Position that was the end of the host's log at some moment of the last 90 ms; `undefined` where that is not
   * known: ask the database. Asking keeps the host watched for a while.
   */
  abstract freshPosition(hostId: string): number | undefined;
  /** Position that was the end of the host's log at some moment of the last 90 ms; asks the database if it must. */
  abstract position(hostId: string): Promise<number>;
  /** Every growth that this instance learns of. Only watched hosts are learnt of: see {@link changesOf}. */
  abstract readonly changes: Observable<HeadChange>;
  /** This instance's own writes, each before its {@link changes} and its reply; not always in the order of the log. */
  abstract readonly written: Observable<OwnWrite>;
  /** Growth of one host's log, which is watched as long as somebody is subscribed. Starts with nothing. */
  abstract changesOf(hostId: string): Observable<number>;
}

/** Position of the last event of the host's log, as the reader's transaction sees it; 0 where there is none. */
export async function headPosition(sql: Sql, hostId: string): Promise<number> {
  const [head] = await sql.query<{ readonly position: number }>(
    'SELECT position FROM host_head_t WHERE host_id = $1',
    [hostId],
  );
  return head?.position ?? 0;
}

/** Milliseconds between two polls. */
const PERIOD = 40;
/** Milliseconds that a position counts as fresh, from the moment the question was sent. */
const FRESH = 90;
/** Milliseconds after which a question without an answer is given up, with its connection. */
const HANGING = 500;
/** Most questions of callers under way about one host: the second, so that one that hangs delays nobody. */
const MAX_ASKING = 2;
/** Milliseconds that a host stays watched after somebody asked. */
const INTEREST = 3_000;
/** Milliseconds after which a host is forgotten that nobody has asked about; and how often that is looked for. */
const FORGET = 600_000;
const SWEEP = 60_000;

interface Watched {
  position: number | undefined;
  /** The latest moment at which the position is known to have been the end of the log. */
  confirmed: number;
  asked: number;
  subscribers: number;
  /** The questions under way, and when they were sent: at most {@link MAX_ASKING}, the latest last. */
  readonly asking: { readonly sent: number; readonly answer: Promise<number> }[];
}

/**
 * Polls the heads of those hosts that somebody asks about, on a connection of its own. A connection that hangs delays nobody:
 * positions that it does not confirm stop being fresh. The embedded database has one writer, this process.
 */
export class HeadWatcher extends Heads implements CommitListener, OnModuleDestroy {
  private readonly hosts = new Map<string, Watched>();
  private readonly growth = new Subject<HeadChange>();
  readonly changes = this.growth.asObservable();
  private readonly own = new Subject<OwnWrite>();
  readonly written = this.own.asObservable();
  private timer: NodeJS.Timeout | undefined;
  private session: Session | undefined;
  /** When the question under way was asked. */
  private waitingSince: number | undefined;
  /** Counts questions; one that was given up has an older number. */
  private turn = 0;
  private stopped = false;
  /** When hosts that nobody asks about were last looked for. */
  private swept = 0;

  constructor(private readonly database: Database) {
    super();
  }

  freshPosition(hostId: string): number | undefined {
    const host = this.watch(hostId);
    const fresh = this.database.embedded || performance.now() - host.confirmed <= FRESH;
    return fresh ? host.position : undefined;
  }

  async position(hostId: string): Promise<number> {
    const fresh = this.freshPosition(hostId);
    if (fresh !== undefined) return fresh;
    const host = this.watch(hostId);
    // An answer may be as old as its question: one sent too long ago is not shared. On the embedded database own writes
    // keep it right.
    const latest = host.asking.at(-1);
    if (latest !== undefined && (this.database.embedded || performance.now() - latest.sent <= FRESH))
      return latest.answer;
    if (host.asking.length < MAX_ASKING) return this.askFor(hostId, host);
    // Those who wait share the next question, so that a slow database is not asked ever more.
    await Promise.race(host.asking.map(({ answer }) => answer)).catch(() => undefined);
    return this.position(hostId);
  }

  private askFor(hostId: string, host: Watched): Promise<number> {
    const sent = performance.now();
    const answer = this.ask(this.database.of(hostId), [hostId])
      .then(() => host.position ?? 0)
      .finally(() => host.asking.splice(host.asking.indexOf(question), 1));
    const question = { sent, answer };
    host.asking.push(question);
    return answer;
  }

  changesOf(hostId: string): Observable<number> {
    return new Observable((subscriber) => {
      const host = this.watch(hostId);
      host.subscribers += 1;
      return this.changes
        .pipe(
          filter((change) => change.hostId === hostId),
          map(({ position }) => position),
          finalize(() => (host.subscribers -= 1)),
        )
        .subscribe(subscriber);
    });
  }

  committed(write: OwnWrite, at: number): void {
    this.own.next(write);
    this.learn(write.hostId, write.position, at);
  }

  onModuleDestroy(): void {
    this.stopped = true;
    // A connection that is being opened just now is closed as soon as it is there.
    this.turn += 1;
    clearInterval(this.timer);
    this.timer = undefined;
    this.session?.close();
    this.growth.complete();
    this.own.complete();
  }

  private watch(hostId: string): Watched {
    let host = this.hosts.get(hostId);
    if (host === undefined) {
      this.forget(performance.now());
      host = { position: undefined, confirmed: -FRESH, asked: 0, subscribers: 0, asking: [] };
      this.hosts.set(hostId, host);
    }
    host.asked = performance.now();
    if (this.timer === undefined && !this.stopped && this.isWanted(host, host.asked)) {
      this.timer = setInterval(() => void this.tick(), PERIOD).unref();
      void this.tick();
    }
    return host;
  }

  /** Where hosts come, those go that nobody has asked about for long: else they would be many after a year. */
  private forget(now: number): void {
    if (now - this.swept < SWEEP) return;
    this.swept = now;
    for (const [hostId, { asked, subscribers, asking }] of this.hosts) {
      if (now - asked > FORGET && subscribers === 0 && asking.length === 0) this.hosts.delete(hostId);
    }
  }

  /** How many hosts are remembered. */
  get remembered(): number {
    return this.hosts.size;
  }

  private async tick(): Promise<void> {
    const now = performance.now();
    if (this.waitingSince !== undefined) {
      if (!this.database.embedded && now - this.waitingSince > HANGING) this.giveUp();
      return;
    }
    const wanted = [...this.hosts].filter(([, host]) => this.isWanted(host, now)).map(([hostId]) => hostId);
    if (wanted.length === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    const turn = (this.turn += 1);
    this.waitingSince = now;
    try {
      await this.ask(await this.connection(turn), wanted);
    } catch {
      if (turn === this.turn) this.giveUp();
    } finally {
      if (turn === this.turn) this.waitingSince = undefined;
    }
  }

  /** On the embedded database a position stays right once known: this process is its only writer. */
  private isWanted(host: Watched, now: number): boolean {
    if (this.database.embedded) return host.position === undefined;
    return host.subscribers > 0 || now - host.asked < INTEREST;
  }

  private async connection(turn: number): Promise<Sql> {
    if (this.database.embedded) return this.database.acrossHosts;
    if (this.session !== undefined) return this.session.acrossHosts;
    const session = await this.database.session();
    if (turn !== this.turn) {
      session.close();
      throw new Error('Too late.');
    }
    session.onEnd(() => {
      if (this.session === session) this.session = undefined;
    });
    this.session = session;
    return session.acrossHosts;
  }

  private async ask(sql: Sql, hostIds: readonly string[]): Promise<void> {
    const sent = performance.now();
    const rows = await sql.query<{ host_id: string; position: number }>(
      'SELECT host_id, position FROM host_head_t WHERE host_id = ANY($1::uuid[])',
      [hostIds],
      'watch_heads',
    );
    const positions = new Map(rows.map(({ host_id, position }) => [host_id, position]));
    for (const hostId of hostIds) this.learn(hostId, positions.get(hostId) ?? 0, sent);
  }

  private learn(hostId: string, position: number, at: number): void {
    const host = this.hosts.get(hostId);
    if (host !== undefined) host.confirmed = Math.max(host.confirmed, at);
    const grown = position > (host?.position ?? -1);
    if (host !== undefined && grown) host.position = position;
    if (grown) this.growth.next({ hostId, position });
  }

  private giveUp(): void {
    this.turn += 1;
    this.waitingSince = undefined;
    this.session?.close();
    this.session = undefined;
  }
}
