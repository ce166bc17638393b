import { Inject, Injectable } from '@nestjs/common';
import { EffectiveCatalogs, type DisclosedCatalog } from '../effective-catalog/effective-catalogs.lookup.js';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { isNarrowedCaller, type Caller } from '../platform/auth/caller.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import type { GraphConfines, GraphScope } from './graph.scope.js';
import type { NodeName } from './vocabulary.js';

type Skill = DisclosedCatalog['content']['skills'][number];

/** What of the graph a caller sees: their services and tiers, or what one agent's catalog discloses to them. */
@Injectable()
export class GraphScopes {
  constructor(
    private readonly catalogs: EffectiveCatalogs,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /**
   * @param agentDefId agent to be confined to; a token with `agent_def_id` is confined to its own in any case
   * @throws Problem 403 where the token does not cover the agent, NotFound where there is no such agent
   */
  async of(caller: Caller, agentDefId = caller.agentDefId): Promise<GraphScope> {
    const { hostId, services, environments, tiers } = visibilityOf(caller);
    const administers = caller.scopes.has('catalog:admin') && !isNarrowedCaller(caller);
    const open = { hostId, services, environments, tiers, administers };
    if (agentDefId === undefined) return open;
    return { ...open, within: await this.confinesOf(caller, agentDefId) };
  }

  private async confinesOf(caller: Caller, agentDefId: string): Promise<GraphConfines> {
    try {
      const catalog = await this.catalogs.of(caller, agentDefId);
      return confinesOf(catalog, await this.headingsOf(caller.hostId, catalog));
    } catch (error) {
      // The token's agent is not where the token reaches: then nothing is.
      if (error instanceof NotFound && caller.agentDefId !== undefined) {
        return { nodes: new Map(), edges: new Map() };
      }
      throw error;
    }
  }

  /** The categories and tags of what the catalog discloses. */
  private async headingsOf(hostId: string, { confines }: DisclosedCatalog): Promise<Headings> {
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
function confinesOf({ content, confines }: DisclosedCatalog, headings: Headings): GraphConfines {
  const { skills } = content;
  const edges = (ends: (skill: Skill) => readonly string[]): (readonly [string, string])[] =>
    skills.flatMap((skill) => ends(skill).map((end) => [skill.skillId, end] as const));
  return {
    nodes: new Map<NodeName, readonly string[]>([
      ['Api', confines.apiIds],
      ['ApiVersion', confines.apiVersionIds],
      ['Endpoint', confines.endpointIds],
      ['Tool', confines.toolIds],
      ['Skill', confines.skillIds],
      ['Agent', [confines.agentDefId]],
      ['Workflow', skills.flatMap(workflowsOf)],
      ['Category', headings.categories],
      ['Tag', headings.tags],
    ]),
    edges: new Map([
      ['USES_TOOL', edges(({ tools }) => tools.map(({ toolId }) => toolId))],
      ['USES_WORKFLOW', edges(workflowsOf)],
      ['DEPENDS_ON', edges(({ dependsOn }) => dependsOn)],
    ]),
  };
}

function workflowsOf({ workflows }: Skill): string[] {
  return (workflows as readonly { readonly wfDefId?: unknown }[])
    .map(({ wfDefId }) => wfDefId)
    .filter((id) => typeof id === 'string');
}
