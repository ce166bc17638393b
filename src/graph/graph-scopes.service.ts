import { Inject, Injectable } from '@nestjs/common';
import { EffectiveCatalogs } from '../effective-catalog/effective-catalogs.lookup.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { isNarrowedCaller, type Caller } from '../platform/auth/caller.js';
import {
  CONFINEMENT,
  visibilityOf,
  type Confinement,
  type Confines,
  type SkillLinks,
} from '../platform/auth/visibility.js';
import type { GraphConfines, GraphScope } from './graph.scope.js';
import type { NodeName } from './vocabulary.js';

/** What of the graph a caller sees: their services and tiers, or what one agent's catalog discloses to them. */
@Injectable()
export class GraphScopes {
  constructor(
    private readonly catalogs: EffectiveCatalogs,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFINEMENT) private readonly confinement: Confinement,
  ) {}

  /**
   * @param agentDefId agent to be confined to; a token with `agent_def_id` is confined to its own in any case
   * @throws Problem 403 where the token does not cover the agent, NotFound where there is no such agent
   */
  async of(caller: Caller, agentDefId = caller.agentDefId): Promise<GraphScope> {
    const administers = caller.scopes.has('catalog:admin') && !isNarrowedCaller(caller);
    const confines = agentDefId === undefined ? undefined : await this.confinesOf(caller, agentDefId);
    const { within, ...open } = visibilityOf(caller, confines);
    if (within === undefined) return { ...open, administers };
    return {
      ...open,
      administers,
      within: graphConfinesOf(within, await this.headingsOf(open.hostId, within)),
    };
  }

  private async confinesOf(caller: Caller, agentDefId: string): Promise<Confines> {
    if (agentDefId === caller.agentDefId) return this.confinement.confinesOf(caller);
    return (await this.catalogs.of(caller, agentDefId)).scope;
  }

  /** The categories and tags of what the catalog discloses. */
  private async headingsOf(hostId: string, confines: Confines): Promise<Headings> {
    const ids = [...confines.skillIds, ...confines.toolIds, ...confines.endpointIds];
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

/** No gateways, and only such edges as the catalog itself shows: a tool may be withheld from one skill of two. */
function graphConfinesOf(within: Confines, headings: Headings): GraphConfines {
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
  };
}
