import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { NodeName, RelationshipName } from './ontology.js';
import { Inject, Injectable } from '@nestjs/common';
import { EffectiveCatalogs } from '../effective-catalog/public.js';
import { DATABASE, type Database } from '../kernel/sql.js';
import { paramIds } from '../tools/shared.js';
import { type Caller, isNarrowedCaller } from '../platform/auth/caller.js';
import {
  AGENT_SCOPES,
  type AgentScopes,
  type AgentScope,
  type KeptTool,
  type SkillLinks,
  visibilityOf,
} from '../platform/auth/visibility.js';

/** The part of the graph that one caller sees. */
export interface GraphScope {
  readonly hostId: string;
  readonly services: readonly string[] | 'all';
  readonly environments: readonly string[];
  readonly tiers: readonly Tier[] | 'all';
  /** Set for administrators whose token nothing narrows. */
  readonly administers?: boolean;
  /** Set for callers who are confined to one agent's catalog. */
  readonly within?: GraphAgentScope;
}

export interface GraphAgentScope {
  /** Ids by kind of node; there are no nodes of other kinds. */
  readonly nodes: ReadonlyMap<NodeName, readonly string[]>;
  /** Edges by relationship; other relationships run between all visible nodes. */
  readonly edges: ReadonlyMap<RelationshipName, readonly (readonly [from: string, to: string])[]>;
  /** Nodes at another version of their tool than the present one, by kind: mostly none. */
  readonly kept: ReadonlyMap<string, KeptNodes>;
}

export interface KeptNodes {
  /** Of these nodes, or of the tools that they belong to. */
  readonly ids: readonly string[];
  /** The version of each. */
  readonly versions: readonly string[];
  /** Set for params. */
  readonly params?: KeptParams;
}

/** Params of tools at these versions, each with its id. */
export interface KeptParams {
  readonly ids: readonly string[];
  readonly toolIds: readonly string[];
  readonly versions: readonly string[];
  readonly names: readonly string[];
}

/** Finds the part of the graph that a caller sees: by services and tiers, or by one agent's catalog. */
@Injectable()
export class GraphScopes {
  constructor(
    private readonly catalogs: EffectiveCatalogs,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(AGENT_SCOPES) private readonly agentScopes: AgentScopes,
  ) {}

  /**
   * @param agentDefId agent to be confined to; a token with `agent_def_id` is confined to its own in any case
   * @throws Problem 403 where the token does not cover the agent, NotFound where there is no such agent
   */
  async of(caller: Caller, agentDefId = caller.agentDefId): Promise<GraphScope> {
    const administers = caller.scopes.has('catalog:admin') && !isNarrowedCaller(caller);
    const agentScope = agentDefId === undefined ? undefined : await this.agentScopeOf(caller, agentDefId);
    const { within, ...open } = visibilityOf(caller, agentScope);
    if (within === undefined) return { ...open, administers };
    return {
      ...open,
      administers,
      within: graphAgentScopeOf(within, await this.headingsOf(open.hostId, within)),
    };
  }

  private async agentScopeOf(caller: Caller, agentDefId: string): Promise<AgentScope> {
    if (agentDefId === caller.agentDefId) return this.agentScopes.agentScopeOf(caller);
    return (await this.catalogs.of(caller, agentDefId)).scope;
  }

  /** Reads the categories and tags of what the catalog discloses. */
  private async headingsOf(hostId: string, agentScope: AgentScope): Promise<Headings> {
    const ids = [...agentScope.skillIds, ...agentScope.toolIds, ...agentScope.endpointIds];
    const [row] = await this.database.of(hostId).query<Headings>(
      `SELECT ARRAY(SELECT DISTINCT category_id FROM entity_category_read
          WHERE host_id = $1 AND entity_type IN ('skill', 'tool', 'endpoint') AND entity_id = ANY ($2::uuid[])) AS categories,
        ARRAY(SELECT DISTINCT tag_id FROM entity_tag_read
          WHERE host_id = $1 AND entity_type IN ('skill', 'tool', 'endpoint') AND entity_id = ANY ($2::uuid[])) AS tags`,
      [hostId, ids],
    );
    return row ?? { categories: [], tags: [] };
  }
}

interface Headings {
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}

/**
 * Scopes the graph to a catalog: without gateways, and with the catalog's own edges, since a tool may be withheld
 * from one of two skills.
 */
function graphAgentScopeOf(within: AgentScope, headings: Headings): GraphAgentScope {
  const edges = (ends: (links: SkillLinks) => readonly string[]): (readonly [string, string])[] =>
    [...within.links].flatMap(([skillId, links]) => ends(links).map((end) => [skillId, end] as const));
  return {
    nodes: new Map<NodeName, readonly string[]>([
      ['Api', within.apiIds],
      ['ApiVersion', within.apiVersionIds],
      ['Endpoint', within.endpointIds],
      ['Tool', within.toolIds],
      ['Skill', within.skillIds],
      ['Agent', within.agentDefIds],
      ['Workflow', within.workflowIds],
      ['Category', headings.categories],
      ['Tag', headings.tags],
    ]),
    edges: new Map([
      ['USES_TOOL', edges(({ toolIds }) => toolIds)],
      ['USES_WORKFLOW', edges(({ workflowIds }) => workflowIds)],
      ['DEPENDS_ON', edges(({ dependsOn }) => dependsOn)],
    ]),
    kept: keptNodesOf(within.kept),
  };
}

/** By kind: tools, their endpoints and their params. */
export function keptNodesOf(kept: readonly KeptTool[]): ReadonlyMap<string, KeptNodes> {
  if (kept.length === 0) return new Map();
  const versions = kept.map(({ version }) => version);
  const tools = { ids: kept.map(({ toolId }) => toolId), versions };
  const behind = kept.flatMap(({ endpointId, version }) =>
    endpointId === undefined ? [] : [{ endpointId, version }],
  );
  const params = kept.flatMap(({ paramNames, ...tool }) => {
    const idOf = paramIds(tool.toolId);
    return paramNames.map((name) => ({ ...tool, name, id: idOf(name) }));
  });
  return new Map<NodeName, KeptNodes>([
    ['Tool', tools],
    [
      'Endpoint',
      { ids: behind.map(({ endpointId }) => endpointId), versions: behind.map(({ version }) => version) },
    ],
    [
      'ToolParam',
      {
        ...tools,
        params: {
          ids: params.map(({ id }) => id),
          toolIds: params.map(({ toolId }) => toolId),
          versions: params.map(({ version }) => version),
          names: params.map(({ name }) => name),
        },
      },
    ],
  ]);
}
