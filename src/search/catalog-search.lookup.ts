import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { passes } from '../../packages/ranking/macro-filter.js';
import { rank } from '../../packages/ranking/rank.js';
import {
  type AdministratorOptions,
  type CatalogOptions,
  type DisclosedCatalog,
  EffectiveCatalogs,
} from '../effective-catalog/public.js';
import type { Sql } from '../kernel/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { searchableCatalog, type SearchableCatalog } from './documents/catalog-documents.js';
import { bestOf, foundItem } from './found.js';
import { type PromptVector, PromptVectors } from './embeddings/prompt-vectors.service.js';
import { contextOf } from './documents/search-documents.filter.js';
import type { FoundItem, SearchAnswer, SearchBody } from './search.schemas.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { requireScope } from '../platform/auth/claims.js';
import { HostSearch } from './host-search/host-search.service.js';

/** Documents of the catalogs that are kept in memory. */
const MAX_DOCUMENTS = 20_000;

/**
 * Searches one agent's effective catalog in memory, so that withheld tools are not found and change neither word
 * frequencies nor scores.
 */
@Injectable()
export class AgentSearch {
  private readonly prepared = new LRUCache<string, SearchableCatalog>({
    maxSize: MAX_DOCUMENTS,
    sizeCalculation: ({ documents }) => documents.length + 1,
  });

  constructor(
    private readonly catalogs: EffectiveCatalogs,
    private readonly vectors: PromptVectors,
    @Inject(CONFIG) private readonly config: Pick<Config, 'embeddings'>,
  ) {}

  /** Throws as the effective catalog does. */
  async search(caller: Caller, agentDefId: string, question: SearchBody): Promise<SearchAnswer> {
    const { serviceId, envTag, prompt } = question;
    const options = { serviceId, envTag, context: contextOf(question)?.join(), examples: true };
    const catalog = await this.catalogs.of(caller, agentDefId, options);
    const vector = await this.vectors.of(caller.hostId, prompt);
    return this.searchIn(catalog, question, { hostId: caller.hostId, vector });
  }

  /**
   * Prepares the catalog of a past moment, or as a transaction would leave it, for a search by words alone, since vectors
   * are made of today's texts. Throws as {@link search} does, and Problem 403 where the token may not read the past.
   */
  async searchable(
    caller: Caller,
    agentDefId: string,
    options: AdministratorOptions,
    sql?: Sql,
  ): Promise<{
    version: number;
    toolIds: readonly string[];
    search: (question: SearchBody) => Promise<SearchAnswer>;
  }> {
    const asked = { ...options, examples: true };
    const catalog =
      sql === undefined
        ? await this.catalogs.of(caller, agentDefId, asked)
        : await this.catalogs.within(sql, caller, agentDefId, asked);
    const vectorless = { hostId: caller.hostId, vector: undefined };
    return {
      version: catalog.version,
      toolIds: catalog.scope.toolIds,
      search: (question) => this.searchIn(catalog, question, vectorless),
    };
  }

  private async searchIn(
    catalog: DisclosedCatalog,
    { kinds, filters = {}, prompt, limit, explain }: SearchBody,
    { hostId, vector }: { readonly hostId: string; readonly vector: PromptVector | undefined },
  ): Promise<SearchAnswer> {
    const { documents, statistics, around } = this.documentsOf(catalog);
    const passing = documents.filter((one) => kinds.includes(one.kind) && passes(one.facets, filters));
    const cosines = await this.vectors.cosinesOfDisclosed(hostId, vector, passing);
    const candidates = passing.map((document) => ({ ...document, ...cosines.get(document.id) }));
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
    const known = this.prepared.get(etag);
    if (known !== undefined) return known;
    const made = searchableCatalog(content, this.config.embeddings.sourceFields);
    this.prepared.set(etag, made);
    return made;
  }
}

/** Searches for HTTP and for the commands of agents. */
@Injectable()
export class CatalogSearch {
  constructor(
    private readonly agents: AgentSearch,
    private readonly hosts: HostSearch,
  ) {}

  /**
   * Searches the effective catalog of the agent that the question or the token names, else all that the token may
   * read of the host. Throws Problem 403 where that is nothing.
   */
  search(caller: Caller, question: SearchBody): Promise<SearchAnswer> {
    const agentDefId = question.agentDefId ?? caller.agentDefId;
    if (agentDefId !== undefined) return this.agents.search(caller, agentDefId, question);
    requireScope(caller, 'catalog:read');
    return this.hosts.search(caller, question);
  }
}
