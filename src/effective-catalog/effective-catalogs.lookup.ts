import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NotFound } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { checkNamed, refuseNarrowed } from '../platform/auth/admission.js';
import type { Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import type { AgentScopes, AgentScope } from '../platform/auth/visibility.js';
import { CatalogCache } from './delivery/catalog-cache.service.js';
import { DisclosureLog } from './disclosure/disclosure-log.service.js';
import type { CatalogContent } from './document.js';
import {
  makeCatalog,
  questionOf,
  type AdministratorOptions,
  type CatalogOptions,
  type CatalogQuestion,
  type MadeCatalog,
} from './effective-catalog.queries.js';
import type { Withheld, WithheldTool } from './disclosure/judgement.js';
import { momentOf, PastCatalogs } from './past.lookup.js';

export type { AdministratorOptions, CatalogOptions, WithheldTool };

/** One agent's catalog as one caller is given it: nothing in it is withheld from that caller. */
export interface DisclosedCatalog extends Pick<MadeCatalog, 'version' | 'etag' | 'scope'> {
  /** Shared between callers: never to be changed. */
  readonly content: CatalogContent;
}

const named = { top: ['serviceId', 'envTag', 'agentDefId'], below: {} };

/** Bytes of catalogs whose parsed form is kept. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * For read surfaces above (search, graph, commands): the effective catalog of one agent for a caller, as fresh and
 * as narrowed as `getEffectiveAgentCatalog` gives it, from the same cache.
 */
@Injectable()
export class EffectiveCatalogs {
  private readonly contents = new LRUCache<string, CatalogContent>({ maxSize: MAX_BYTES });

  constructor(
    private readonly catalogs: CatalogCache,
    private readonly past: PastCatalogs,
    private readonly log: DisclosureLog,
  ) {}

  /**
   * Throws Problem 403 where the token does not cover the agent, service or environment named, NotFound where the
   * agent is not registered for such a service and environment.
   */
  async of(
    caller: Caller,
    agentDefId: string,
    options: AdministratorOptions = {},
  ): Promise<DisclosedCatalog> {
    return this.disclosed(await this.read(caller, agentDefId, options));
  }

  /** The same, read within a transaction: what that has changed shows, and nothing is kept of it. */
  async within(
    sql: Sql,
    caller: Caller,
    agentDefId: string,
    options: CatalogOptions,
  ): Promise<DisclosedCatalog> {
    const { catalog } = await makeCatalog(sql, coveredQuestion(caller, agentDefId, options));
    return this.disclosed(catalog);
  }

  /** The same with the tools that it withholds from the agent, and why. Throws Problem 403 but for administrators who see all. */
  async withWithheld(
    caller: Caller,
    agentDefId: string,
  ): Promise<DisclosedCatalog & { readonly withheld: readonly WithheldTool[] }> {
    requireScope(caller, 'catalog:admin');
    refuseNarrowed(caller);
    const disclosed = await this.of(caller, agentDefId, { withheld: true });
    const { withheld } = disclosed.content as CatalogContent & { readonly withheld: readonly Withheld[] };
    return { ...disclosed, withheld: withheld.filter((one) => one.toolId !== undefined) };
  }

  /** The same, to be given out whole: one line of the log, as for `getEffectiveAgentCatalog`. */
  async given(
    caller: Caller,
    agentDefId: string,
    { requestId, ...options }: AdministratorOptions & { readonly requestId: string },
  ): Promise<DisclosedCatalog> {
    const made = await this.read(caller, agentDefId, options);
    this.log.given(requestId, caller, made, true);
    return this.disclosed(made);
  }

  private async read(
    caller: Caller,
    agentDefId: string,
    options: AdministratorOptions,
  ): Promise<MadeCatalog> {
    const question = coveredQuestion(caller, agentDefId, options);
    return options.asOf === undefined
      ? this.catalogs.read(question)
      : this.past.read(question, momentOf(options.asOf));
  }

  private disclosed({ version, etag, bytes, scope }: MadeCatalog): DisclosedCatalog {
    return { version, etag, content: this.contentOf(etag, bytes), scope };
  }

  private contentOf(etag: string, bytes: Buffer): CatalogContent {
    const known = this.contents.get(etag);
    if (known !== undefined) return known;
    const content = JSON.parse(bytes.toString()) as CatalogContent;
    this.contents.set(etag, content, { size: bytes.length });
    return content;
  }
}

function coveredQuestion(caller: Caller, agentDefId: string, options: AdministratorOptions): CatalogQuestion {
  checkNamed(caller, named, { ...options, agentDefId });
  return questionOf(caller, agentDefId, options);
}

/** What a token with `agent_def_id` may read: what is in that agent's catalog, as this token is given it. */
@Injectable()
export class CatalogAgentScopes implements AgentScopes {
  constructor(private readonly catalogs: CatalogCache) {}

  async agentScopeOf(caller: Caller): Promise<AgentScope> {
    const { agentDefId } = caller;
    if (agentDefId === undefined) throw new Error('Only a token with agent_def_id is confined to a catalog.');
    try {
      return (await this.catalogs.read(questionOf(caller, agentDefId, {}))).scope;
    } catch (error) {
      if (error instanceof NotFound) return nothing;
      throw error;
    }
  }
}

/** The token's agent is not there, or not where the token reaches: then nothing is. */
const nothing: AgentScope = {
  agentDefIds: [],
  skillIds: [],
  toolIds: [],
  endpointIds: [],
  apiVersionIds: [],
  apiIds: [],
  workflowIds: [],
  links: new Map(),
  references: () => false,
  kept: [],
};
