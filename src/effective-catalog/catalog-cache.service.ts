import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NotFound } from '../eventsourcing/errors.js';
import { Heads } from '../eventsourcing/heads.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Confines } from '../platform/auth/visibility.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import { catalogOf, type Catalog } from './catalog.document.js';
import { idsOf } from './catalog.concern.js';
import { confinesOf } from './catalog.confines.js';
import { render, type Rendering, type Wanted } from './catalog.rendering.js';
import type { CatalogRows } from './catalog.rows.js';
import type { AuditInfo } from './catalog.withholding.js';
import { readCatalog, type Registration } from './effective-catalog.queries.js';
import { LatestWrites } from './latest-writes.service.js';

/** All that changes what an agent's catalog says: the key under which it is kept. */
export interface CatalogQuestion extends Registration, Wanted {
  /** From the token's `maxSensitivityTier`. */
  readonly tokenTier?: Tier | undefined;
}

/** A catalog, made for one question. */
export interface MadeCatalog extends Rendering {
  readonly version: number;
  readonly confines: Confines;
  readonly disclosure: Disclosure;
  /** How many tools each reason withholds. */
  readonly withheldBy: ReadonlyMap<string, number>;
}

/** What is logged of it. */
export interface Disclosure {
  readonly agentDefId: string;
  readonly catalogHash: string;
  readonly skills: number;
  readonly tools: number;
  readonly withheld: number;
  /** The decisions that withheld something; of very many the first. */
  readonly blocked: readonly AuditInfo[];
}

interface Entry extends MadeCatalog {
  /** Position of the host's log up to which `version` is known to hold. */
  heldAt: number;
  /** Of the rows that it was made of. */
  readonly ids: ReadonlySet<string>;
}

interface Flight {
  readonly running: Promise<Entry>;
  /** What comes after it, for those who asked while it was under way. */
  next?: Promise<Entry>;
}

const mostBytes = 128 * 1024 * 1024;
/** What an entry weighs beside its bytes. */
const entryBytes = 4096;
/** What an id of its rows weighs. */
const idBytes = 100;
const mostBlocked = 50;

/**
 * The catalogs that this instance has made, as bytes. One is given out unasked only where the head of its host's
 * log is confirmed (contract 3: within 100 ms) and the catalog is known to hold there: it was read there, or all that
 * was written since this instance has written itself, and none of it concerns the rows that the catalog is made of. Else
 * one statement asks the database, which sends rows only where the catalog's version has moved.
 */
@Injectable()
export class CatalogCache {
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes, ids }) => bytes.length + ids.size * idBytes + entryBytes,
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
    if (entry !== undefined && position !== undefined && this.holds(entry, question.hostId, position))
      return entry;
    return this.ask(key, question);
  }

  private holds(entry: Entry, hostId: string, position: number): boolean {
    if (entry.heldAt < position) entry.heldAt = this.writes.heldUpTo(hostId, entry.heldAt, entry.ids);
    return entry.heldAt >= position;
  }

  /** One question of a key at a time. Who comes while one is under way waits for the next: it may have begun too early. */
  private ask(key: string, question: CatalogQuestion): Promise<Entry> {
    const flight = this.flights.get(key);
    if (flight === undefined) return this.start(key, question);
    const next = (): Promise<Entry> => this.flights.get(key)?.running ?? this.start(key, question);
    return (flight.next ??= flight.running.then(next, next));
  }

  private start(key: string, question: CatalogQuestion): Promise<Entry> {
    const running = this.load(key, question).finally(() => this.flights.delete(key));
    this.flights.set(key, { running });
    return running;
  }

  private async load(key: string, question: CatalogQuestion): Promise<Entry> {
    const known = this.entries.get(key);
    const { position, version, rows } = await readCatalog(
      this.database.of(question.hostId),
      question,
      known?.version,
    );
    if (version === null) {
      this.entries.delete(key);
      throw new NotFound('agent', question.agentDefId);
    }
    if (rows === undefined) {
      if (known === undefined) throw new Error('The catalog statement sent no rows.');
      known.heldAt = position;
      return known;
    }
    const entry = { ...assembleCatalog(question, rows, version), heldAt: position, ids: idsOf(rows) };
    this.entries.set(key, entry);
    return entry;
  }
}

export function assembleCatalog(question: CatalogQuestion, rows: CatalogRows, version: number): MadeCatalog {
  const context = question.context && new Set(question.context);
  const catalog = catalogOf(rows, { tokenTier: question.tokenTier, context });
  const rendering = render(catalog, version, question);
  const confines = confinesOf(catalog);
  const disclosure = disclosureOf(catalog, rendering);
  return { ...rendering, version, confines, disclosure, withheldBy: countedReasons(catalog) };
}

function countedReasons({ blocked }: Catalog): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { toolPolicyReason: reason } of blocked) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}

function disclosureOf(
  { content, blocked, skillsWithoutTool }: Catalog,
  { catalogHash }: Rendering,
): Disclosure {
  return {
    agentDefId: content.agentDefId,
    catalogHash,
    skills: content.skills.length,
    tools: content.skills.reduce((sum, { tools }) => sum + tools.length, 0),
    withheld: blocked.length + skillsWithoutTool,
    blocked: blocked.slice(0, mostBlocked),
  };
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
