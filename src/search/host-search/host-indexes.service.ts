import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Heads } from '../../kernel/heads.js';
import { Pace } from '../../kernel/pace.js';
import { DATABASE, type Database } from '../../kernel/sql.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { type Kind, kinds } from '../documents/search-document.js';
import { searchDocuments } from '../documents/search-documents.follower.js';
import { HostIndex, indexedColumns, type IndexedRow } from './host-index.lookup.js';

/** Rows that are read at once. */
const PAGE = 250;
/** Milliseconds that a search waits for an index that is being made, or that is far behind: that of a small host is there at once. */
const PATIENCE = 50;
/** Events beyond which an index is far behind; and the milliseconds that a search waits for one that is not. */
const FAR = 1_000;
const PATIENCE_WHEN_NEAR = 1_000;
/** Documents that have gone at which an index is made anew, where they are a third of all. */
const MANY_GONE = 1_000;
/** Milliseconds for which the index of a host that needs more than there may be is not tried again. */
const GIVEN_UP = 600_000;
/** The same of one that could not be made. */
const FAILED = 10_000;

const pageStatement = `
SELECT ${indexedColumns} FROM search_document_t d
 WHERE d.host_id = $1 AND (d.kind, d.entity_id) > ($2::text, $3::uuid) ORDER BY d.kind, d.entity_id LIMIT ${String(PAGE)}`;

const rowsStatement = `
SELECT ${indexedColumns} FROM search_document_t d
 WHERE d.host_id = $1 AND d.kind = $2 AND d.entity_id = ANY(ARRAY(SELECT unnest($3::uuid[])))`;

/** $1 host, $2 follower, $3 position: how far the documents are, and which have changed since; one row without any where none has. */
const changesStatement = `
SELECT at.position AS at, changed.kind, changed.entity_id AS id
  FROM checkpoint_t at LEFT JOIN search_change_t changed ON changed.host_id = at.host_id AND changed.position > $3
 WHERE at.host_id = $1 AND at.follower = $2`;

interface Change {
  readonly at: number;
  readonly kind: Kind | null;
  readonly id: string | null;
}

/**
 * Keeps an index in memory for each host that is searched, as far as there is room: the one that was not asked for the longest goes
 * first. An index is made from the rows, in steps between which others are served, and follows them by what the follower notes as
 * changed; where it goes, nothing is lost.
 */
@Injectable()
export class HostIndexes implements BeforeApplicationShutdown {
  private readonly log = new Logger('Search');
  private readonly indexes: LRUCache<string, HostIndex> | undefined;
  private readonly making = new Map<string, Promise<void>>();
  private readonly following = new Map<HostIndex, Promise<void>>();
  private readonly givenUp = new LRUCache<string, true>({ max: 10_000, ttl: GIVEN_UP });
  private readonly most: number;
  private turn: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly heads: Heads,
    @Inject(CONFIG) { searchIndexBytes }: Pick<Config, 'searchIndexBytes'>,
  ) {
    this.most = searchIndexBytes;
    if (this.most > 0)
      this.indexes = new LRUCache({
        maxSize: this.most,
        sizeCalculation: ({ bytes }) => Math.ceil(bytes) + 1,
      });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.allSettled([...this.making.values(), ...this.following.values()]);
  }

  /** Whether there may be one of the host: else it is no use to wait. */
  mayHave(hostId: string): boolean {
    return this.indexes !== undefined && !this.givenUp.has(hostId);
  }

  /** The index of the host as far as it is. */
  peek(hostId: string): HostIndex | undefined {
    return this.indexes?.get(hostId);
  }

  /** Makes the index of the host, or lets it follow the documents, without anybody who waits for it. */
  advance(hostId: string): void {
    if (!this.mayHave(hostId) || this.stopping) return;
    const index = this.peek(hostId);
    void (index === undefined ? this.make(hostId) : this.followUpTo(hostId, index, index.position + 1));
  }

  /**
   * The index of the host, with all that is in its documents; undefined where it is not there in time: then it is being made, unless
   * there is no room for it.
   *
   * @param patience milliseconds to wait for one that is made, or far behind
   */
  async of(hostId: string, patience = PATIENCE): Promise<HostIndex | undefined> {
    const index = await this.made(hostId, patience);
    if (index === undefined) return undefined;
    const isThere = await this.caughtUp(hostId, index, patience);
    return isThere && this.indexes?.peek(hostId) === index ? index : undefined;
  }

  /** The index of the host as far as it is once it is made; undefined where that takes longer than `patience` milliseconds. */
  async made(hostId: string, patience: number): Promise<HostIndex | undefined> {
    if (!this.mayHave(hostId) || this.stopping) return undefined;
    if (this.indexes?.has(hostId) !== true) {
      await Promise.race([this.make(hostId), delay(patience, undefined, { ref: false })]);
    }
    return this.peek(hostId);
  }

  /**
   * Whether the index holds all that is in the documents: after a large import that takes longer than a search waits. One that is near
   * is waited for longer: where a service is so busy that it takes long, an answer from rows would take longer still.
   */
  private async caughtUp(hostId: string, index: HostIndex, whenFar: number): Promise<boolean> {
    const head = await this.heads.position(hostId);
    if (index.position >= head) return true;
    const patience = head - index.position > FAR ? whenFar : Math.max(whenFar, PATIENCE_WHEN_NEAR);
    return Promise.race([this.followUpTo(hostId, index, head), delay(patience, false, { ref: false })]);
  }

  private async followUpTo(hostId: string, index: HostIndex, head: number): Promise<boolean> {
    while (index.position < head) {
      const before = index.position;
      try {
        await this.follow(hostId, index);
      } catch (error) {
        // What it took in of the change is not known. The database answers meanwhile, or says itself what is wrong.
        this.log.warn(`The index of host ${hostId} could not follow: ${String(error)}`);
        this.drop(hostId);
        return false;
      }
      if (index.position === before) break;
    }
    return true;
  }

  /** Forgets the index of a host: it is made again when it is asked for. */
  drop(hostId: string): void {
    this.indexes?.delete(hostId);
  }

  /** One after the other, so that many hosts take no more than one. */
  private make(hostId: string): Promise<void> {
    const known = this.making.get(hostId);
    if (known !== undefined) return known;
    const making = this.turn
      .then(() => this.makeNow(hostId))
      .catch((error: unknown) => {
        this.log.warn(`The index of host ${hostId} could not be made: ${String(error)}`);
        this.givenUp.set(hostId, true, { ttl: FAILED });
      })
      .finally(() => this.making.delete(hostId));
    this.making.set(hostId, making);
    this.turn = making;
    return making;
  }

  private async makeNow(hostId: string): Promise<void> {
    const index = new HostIndex();
    const sql = this.database.of(hostId);
    const [first] = await sql.query<Change>(changesStatement, [
      hostId,
      searchDocuments,
      Number.MAX_SAFE_INTEGER,
    ]);
    index.position = first?.at ?? 0;
    const pace = new Pace();
    let last: readonly [string, string] = ['', '00000000-0000-0000-0000-000000000000'];
    for (;;) {
      const rows = await sql.query<IndexedRow>(pageStatement, [hostId, ...last], 'search_index_page');
      for (const row of rows) {
        index.put(row);
        await pace.step();
      }
      const end = rows.at(-1);
      if (this.stopping) return;
      if (index.bytes > this.most) {
        this.givenUp.set(hostId, true);
        return;
      }
      if (rows.length < PAGE || end === undefined) break;
      last = [end.kind, end.entity_id];
    }
    this.indexes?.set(hostId, index);
  }

  /** One at a time for each index; who asks meanwhile waits for that. */
  private follow(hostId: string, index: HostIndex): Promise<void> {
    const known = this.following.get(index);
    if (known !== undefined) return known;
    const following = this.followNow(hostId, index).finally(() => this.following.delete(index));
    this.following.set(index, following);
    return following;
  }

  private async followNow(hostId: string, index: HostIndex): Promise<void> {
    const sql = this.database.of(hostId);
    const asked = [hostId, searchDocuments, index.position];
    const changes = await sql.query<Change>(changesStatement, asked, 'search_index_changes');
    const at = changes[0]?.at ?? 0;
    // The follower has started over: what it notes says nothing of what is here.
    if (at < index.position) {
      this.drop(hostId);
      return;
    }
    const pace = new Pace();
    for (const kind of kinds) {
      const ids = changes.flatMap((change) =>
        change.kind === kind && change.id !== null ? [change.id] : [],
      );
      for (let from = 0; from < ids.length; from += PAGE) {
        const some = ids.slice(from, from + PAGE);
        const rows = await sql.query<IndexedRow>(rowsStatement, [hostId, kind, some]);
        await takeIn(index, { kind, ids: some, rows }, pace);
      }
    }
    index.position = at;
    const changed = changes.some(({ kind }) => kind !== null);
    if (changed) this.tidy(hostId, index);
  }

  /** Counts its bytes again, and drops what holds much that has gone. */
  private tidy(hostId: string, index: HostIndex): void {
    if (this.indexes?.peek(hostId) !== index) return;
    const keeps = index.gone <= Math.max(MANY_GONE, index.size / 2);
    // The cache counts no bytes of a value that it has already.
    this.drop(hostId);
    if (keeps) this.indexes.set(hostId, index);
  }
}

interface Changed {
  readonly kind: Kind;
  readonly ids: readonly string[];
  /** Of those that are still there. */
  readonly rows: readonly IndexedRow[];
}

async function takeIn(index: HostIndex, { kind, ids, rows }: Changed, pace: Pace): Promise<void> {
  const there = new Map(rows.map((row) => [row.entity_id, row]));
  for (const id of ids) {
    const row = there.get(id);
    if (row === undefined) index.remove(kind, id);
    else index.put(row);
    await pace.step();
  }
}
