import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { refuseNarrowed } from '../platform/auth/admission.js';
import { refuseConfined, requireScope } from '../platform/auth/claims.js';
import { checkNamed } from '../platform/auth/named-values.js';
import type { Caller } from '../platform/auth/caller.js';
import { lowestTier, type Tier } from '../platform/auth/sensitivity-tier.js';
import type { Confines } from '../platform/auth/visibility.js';
import { assembleCatalog, CatalogCache } from './catalog-cache.service.js';
import type { CatalogQuestion, MadeCatalog } from './catalog-cache.service.js';
import type { CatalogContent } from './catalog.document.js';
import type { Withheld, WithheldTool } from './catalog.withholding.js';
import { contextNames } from './context-names.js';
import { DisclosureLog } from './disclosure-log.service.js';
import { readCatalog } from './effective-catalog.queries.js';
import { PastCatalogs } from './past-catalogs.service.js';
import { momentOf } from './past-rows.lookup.js';

export type { WithheldTool };

/** What a request adds to the caller's token. Each only narrows what the token reaches. */
export interface CatalogWish {
  /** The agent's service; without it any that the token covers. */
  readonly serviceId?: string | undefined;
  /** The agent's environment; without it any that the token covers. */
  readonly envTag?: string | undefined;
  readonly maxTier?: Tier | undefined;
  /** Names of the context at hand, comma-separated; without it nothing is withheld for context. */
  readonly context?: string | undefined;
  /** Whether each tool comes with its example prompts. */
  readonly examples?: boolean | undefined;
  /** A position of the log, or a time: the catalog as it was then. For administrators. */
  readonly asOf?: string | undefined;
}

/** One agent's catalog as one caller is given it: nothing in it is withheld from that caller. */
export interface DisclosedCatalog {
  /** Position of the last event that could change it. */
  readonly version: number;
  /** Tells contents apart: equal content, equal tag. */
  readonly etag: string;
  /** Shared between callers: never to be changed. */
  readonly content: CatalogContent;
  /** Ids of all that it holds, each once. */
  readonly confines: Confines;
}

const named = { top: ['serviceId', 'envTag', 'agentDefId'], below: {} };

/** Bytes of catalogs whose parsed form is kept. */
const mostBytes = 16 * 1024 * 1024;

/**
 * For read surfaces above (search, graph, commands): the effective catalog of one agent for a caller, as fresh and
 * as narrowed as `getEffectiveAgentCatalog` gives it, from the same cache.
 */
@Injectable()
export class EffectiveCatalogs {
  private readonly contents = new LRUCache<string, CatalogContent>({ maxSize: mostBytes });

  constructor(
    private readonly catalogs: CatalogCache,
    private readonly past: PastCatalogs,
    private readonly log: DisclosureLog,
  ) {}

  /**
   * Throws Problem 403 where the token does not cover the agent, service or environment named, NotFound where the
   * agent is not registered for such a service and environment.
   */
  async of(caller: Caller, agentDefId: string, wish: CatalogWish = {}): Promise<DisclosedCatalog> {
    return this.disclosed(await this.read(caller, agentDefId, wish));
  }

  /** The same, read within a transaction: what that has changed shows, and nothing is remembered of it. */
  async within(
    sql: Sql,
    caller: Caller,
    agentDefId: string,
    wish: Omit<CatalogWish, 'asOf'>,
  ): Promise<DisclosedCatalog> {
    const question = questionOf(caller, agentDefId, wish);
    const { version, rows } = await readCatalog(sql, question);
    if (version === null || rows === undefined) throw new NotFound('agent', agentDefId);
    return this.disclosed(assembleCatalog(question, rows, version));
  }

  /** The same with the tools that it withholds from the agent, and why. Throws Problem 403 but for administrators who see all. */
  async withWithheld(
    caller: Caller,
    agentDefId: string,
  ): Promise<DisclosedCatalog & { readonly withheld: readonly WithheldTool[] }> {
    requireScope(caller, 'catalog:admin');
    refuseNarrowed(caller);
    const disclosed = this.disclosed(await this.read(caller, agentDefId, {}, true));
    const { withheld } = disclosed.content as CatalogContent & { readonly withheld: readonly Withheld[] };
    return { ...disclosed, withheld: withheld.filter((one) => one.toolId !== undefined) };
  }

  /** The same, to be given out whole: one line of the log, as for `getEffectiveAgentCatalog`. */
  async given(
    caller: Caller,
    agentDefId: string,
    { requestId, ...wish }: CatalogWish & { readonly requestId: string },
  ): Promise<DisclosedCatalog> {
    const made = await this.read(caller, agentDefId, wish);
    this.log.given(requestId, caller, made, true);
    return this.disclosed(made);
  }

  private async read(
    caller: Caller,
    agentDefId: string,
    wish: CatalogWish,
    withheld = false,
  ): Promise<MadeCatalog> {
    const question = questionOf(caller, agentDefId, wish, withheld);
    if (wish.asOf === undefined) return this.catalogs.read(question);
    requireScope(caller, 'catalog:admin');
    refuseConfined(caller);
    return this.past.read(question, momentOf(wish.asOf));
  }

  private disclosed({ version, etag, bytes, confines }: MadeCatalog): DisclosedCatalog {
    return { version, etag, content: this.contentOf(etag, bytes), confines };
  }

  private contentOf(etag: string, bytes: Buffer): CatalogContent {
    const known = this.contents.get(etag);
    if (known !== undefined) return known;
    const content = JSON.parse(bytes.toString()) as CatalogContent;
    this.contents.set(etag, content, { size: bytes.length });
    return content;
  }
}

function questionOf(
  caller: Caller,
  agentDefId: string,
  wish: CatalogWish,
  withheld = false,
): CatalogQuestion {
  checkNamed(caller, named, { ...wish, agentDefId });
  return {
    hostId: caller.hostId,
    agentDefId,
    services: wish.serviceId === undefined ? caller.services : [wish.serviceId.trim()],
    environments: wish.envTag === undefined ? caller.environments : [wish.envTag.trim()],
    tokenTier: wish.maxTier === undefined ? caller.maxTier : lowestTier(caller.maxTier, wish.maxTier),
    withheld,
    examples: wish.examples ?? false,
    context: wish.context === undefined ? undefined : contextNames(wish.context),
  };
}
