import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { passes } from '../../packages/ranking/macro-filter.js';
import { rank } from '../../packages/ranking/rank.js';
import { EffectiveCatalogs } from '../effective-catalog/effective-catalogs.lookup.js';
import type {
  AdministratorOptions,
  CatalogOptions,
  DisclosedCatalog,
} from '../effective-catalog/effective-catalogs.lookup.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { searchableCatalog, type SearchableCatalog } from './catalog-documents.js';
import { foundItem } from './found.js';
import { PromptVectors, type PromptVector } from './prompt-vectors.service.js';
import { contextOf } from './search-filters.js';
import type { FoundItem, SearchAnswer, SearchBody } from './search.schemas.js';

/** Documents of catalogs that are kept taken apart. */
const mostDocuments = 20_000;

/**
 * Search within one agent's effective catalog: it is read as the agent is given it and ranked in memory, so that what
 * is withheld is not found, counts in no frequency and moves no score.
 */
@Injectable()
export class AgentSearch {
  private readonly taken = new LRUCache<string, SearchableCatalog>({
    maxSize: mostDocuments,
    sizeCalculation: ({ documents }) => documents.length + 1,
  });

  constructor(
    private readonly catalogs: EffectiveCatalogs,
    private readonly vectors: PromptVectors,
  ) {}

  /** Throws Problem 403 and NotFound as the effective catalog does. */
  async search(caller: Caller, agentDefId: string, question: SearchBody): Promise<SearchAnswer> {
    const { serviceId, envTag, prompt } = question;
    const options = { serviceId, envTag, context: contextOf(question)?.join(), examples: true };
    const catalog = await this.catalogs.of(caller, agentDefId, options);
    const vector = await this.vectors.of(caller.hostId, prompt);
    return this.searchIn(catalog, question, { hostId: caller.hostId, vector });
  }

  /**
   * The catalog as it was at a moment, to be searched any number of times: by words alone, for the vectors are those of
   * today's texts. Throws as {@link search} does, and Problem 403 where the token may not look back.
   */
  async past(
    caller: Caller,
    agentDefId: string,
    options: AdministratorOptions,
  ): Promise<{
    version: number;
    toolIds: readonly string[];
    search: (question: SearchBody) => Promise<SearchAnswer>;
  }> {
    const catalog = await this.catalogs.of(caller, agentDefId, { ...options, examples: true });
    const without = { hostId: caller.hostId, vector: undefined };
    return {
      version: catalog.version,
      toolIds: catalog.scope.toolIds,
      search: (question) => this.searchIn(catalog, question, without),
    };
  }

  /** The catalog as a transaction would leave it, to be searched when that is over: by words alone. */
  async within(
    sql: Sql,
    caller: Caller,
    agentDefId: string,
    { serviceId, envTag }: CatalogOptions,
  ): Promise<{ toolIds: readonly string[]; search: (question: SearchBody) => Promise<SearchAnswer> }> {
    const catalog = await this.catalogs.within(sql, caller, agentDefId, {
      serviceId,
      envTag,
      examples: true,
    });
    const without = { hostId: caller.hostId, vector: undefined };
    return {
      toolIds: catalog.scope.toolIds,
      search: (question) => this.searchIn(catalog, question, without),
    };
  }

  private async searchIn(
    catalog: DisclosedCatalog,
    { kinds, filters = {}, prompt, limit, explain }: SearchBody,
    { hostId, vector }: { readonly hostId: string; readonly vector: PromptVector | undefined },
  ): Promise<SearchAnswer> {
    const { documents, statistics, around } = this.documentsOf(catalog);
    const passing = documents.filter((one) => kinds.includes(one.kind) && passes(one.facets, filters));
    const ids = passing.map(({ id }) => id);
    const cosines = await this.vectors.cosines(hostId, vector, { kinds, ids });
    const candidates = passing.map((document) => ({ ...document, cosine: cosines.get(document.id) }));
    const items = kinds.flatMap((kind): FoundItem[] => {
      const ofKind = candidates.filter((document) => document.kind === kind);
      const best = rank(prompt, ofKind, statistics[kind], vector?.terms).slice(0, limit);
      return best.map((ranked) => foundItem(ranked, around, explain));
    });
    return { items: bestOf(items, limit), ...(vector === undefined && { degraded: ['vectors'] }) };
  }

  /** Ids of the tools in the agent's catalog. Throws as {@link search} does. */
  async toolIds(caller: Caller, agentDefId: string, options: CatalogOptions): Promise<readonly string[]> {
    return (await this.catalogs.of(caller, agentDefId, options)).scope.toolIds;
  }

  private documentsOf({ etag, content }: DisclosedCatalog): SearchableCatalog {
    const known = this.taken.get(etag);
    if (known !== undefined) return known;
    const made = searchableCatalog(content);
    this.taken.set(etag, made);
    return made;
  }
}

/** Of several kinds the best by score, ties by id. */
export function bestOf(items: FoundItem[], limit: number): FoundItem[] {
  return items.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
}
