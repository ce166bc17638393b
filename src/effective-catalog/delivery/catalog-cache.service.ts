import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NotFound } from '../../kernel/errors.js';
import { Heads } from '../../kernel/heads.js';
import { DATABASE, type Database } from '../../kernel/sql.js';
import { makeCatalog, type CatalogQuestion, type MadeCatalog } from '../effective-catalog.queries.js';
import { LatestWrites } from '../latest-writes.service.js';

interface Entry {
  readonly catalog: MadeCatalog;
  /** Position of the host's log up to which the catalog is known to be valid. */
  validThrough: number;
}

interface Flight {
  readonly running: Promise<MadeCatalog>;
  /** The question after it, for callers who asked while this one was under way. */
  next?: Promise<MadeCatalog>;
}

const MAX_BYTES = 128 * 1024 * 1024;
/** Memory that an entry takes beside its bytes, as the cache counts it. */
const ENTRY_BYTES = 4096;
/** Memory that an id of its rows takes. */
const ID_BYTES = 100;

/**
 * The catalogs that this instance has made, as bytes. One is answered from memory only where the head of its host's
 * log is confirmed (docs/contract.md, section 3: within 100 ms) and the catalog is known to be valid there: it was read
 * at that head, or this instance has written everything since, and none of it affects the rows that the catalog
 * is made of. Else one statement asks the database, which sends rows only where the catalog's version has changed.
 */
@Injectable()
export class CatalogCache {
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ catalog: { bytes, ids } }) => bytes.length + ids.size * ID_BYTES + ENTRY_BYTES,
  });
  private readonly flights = new Map<string, Flight>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly heads: Heads,
    private readonly writes: LatestWrites,
  ) {}

  /** The catalog at the latest position; a promise where the database has to be asked. Throws NotFound. */
  read(question: CatalogQuestion): MadeCatalog | Promise<MadeCatalog> {
    const key = keyOf(question);
    const entry = this.entries.get(key);
    const position = this.heads.freshPosition(question.hostId);
    if (entry !== undefined && position !== undefined && this.isValid(entry, question.hostId, position))
      return entry.catalog;
    return this.ask(key, question);
  }

  private isValid(entry: Entry, hostId: string, position: number): boolean {
    if (entry.validThrough < position)
      entry.validThrough = this.writes.validThrough(hostId, entry.validThrough, entry.catalog.ids);
    return entry.validThrough >= position;
  }

  /** Asks one question of a key at a time. A caller who comes meanwhile waits for the next, since the one under way may have begun too early. */
  private ask(key: string, question: CatalogQuestion): Promise<MadeCatalog> {
    const flight = this.flights.get(key);
    if (flight === undefined) return this.start(key, question);
    const next = (): Promise<MadeCatalog> => this.flights.get(key)?.running ?? this.start(key, question);
    return (flight.next ??= flight.running.then(next, next));
  }

  private start(key: string, question: CatalogQuestion): Promise<MadeCatalog> {
    const running = this.load(key, question).finally(() => this.flights.delete(key));
    this.flights.set(key, { running });
    return running;
  }

  private async load(key: string, question: CatalogQuestion): Promise<MadeCatalog> {
    const entry = this.entries.get(key);
    const sql = this.database.of(question.hostId);
    try {
      const { position, catalog } = await makeCatalog(sql, question, { known: entry?.catalog });
      if (catalog === entry?.catalog) entry.validThrough = position;
      else this.entries.set(key, { catalog, validThrough: position });
      return catalog;
    } catch (error) {
      if (error instanceof NotFound) this.entries.delete(key);
      throw error;
    }
  }
}

/** Services, environments and ids hold no control characters; names of a context, which come last, no comma. */
function keyOf(question: CatalogQuestion): string {
  const {
    hostId,
    agentDefId,
    services,
    environments,
    tokenTier = '',
    withheld,
    examples,
    context,
  } = question;
  const given = services === 'all' ? '\t' : services.join('\t');
  const flags = `${withheld ? 'w' : ''}${examples ? 'e' : ''}${context === undefined ? '' : 'c'}`;
  const names = context?.join() ?? '';
  return `${hostId}\n${agentDefId}\n${given}\n${environments.join('\t')}\n${tokenTier}\n${flags}\n${names}`;
}
