import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { NodeName, RelationshipName } from './vocabulary.js';

/** What of the graph one caller sees. What lies outside is not in the graph that they query. */
export interface GraphScope {
  readonly hostId: string;
  readonly services: readonly string[] | 'all';
  readonly environments: readonly string[];
  readonly tiers: readonly Tier[] | 'all';
  /** They see what only administrators do; nothing narrows their token. */
  readonly administers?: boolean;
  /** Present for whoever is confined to one agent's catalog. */
  readonly within?: GraphAgentScope;
}

export interface GraphAgentScope {
  /** Ids by kind of node; of a kind that is not named there are none. */
  readonly nodes: ReadonlyMap<NodeName, readonly string[]>;
  /** Edges by relationship; one that is not named runs between all nodes that are in the graph. */
  readonly edges: ReadonlyMap<RelationshipName, readonly (readonly [from: string, to: string])[]>;
}
