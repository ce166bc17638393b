import type { QueryText } from '../../../src/graph/reading/query.schema.js';
import { compare, holds } from './evaluated-filter.js';
import type { World, WorldEdge, WorldNode } from './graph-world.js';

/** The meaning of the query language in plain loops over a small world: what SQL must agree with. */
type Json = Readonly<Record<string, unknown>>;
export interface Hop {
  readonly edge: WorldEdge;
  readonly from: WorldNode;
  readonly to: WorldNode;
  /** Walked as the relationship runs. */
  readonly along: boolean;
}
export interface Match {
  readonly nodes: readonly WorldNode[];
  readonly walks: readonly (readonly Hop[])[];
}

export class Evaluator {
  private readonly byType = new Map<string, WorldNode[]>();

  private readonly hops = new Map<WorldNode, Hop[]>();

  constructor(world: World) {
    for (const node of world.nodes) this.byType.set(node.type, [...(this.byType.get(node.type) ?? []), node]);
    for (const edge of world.edges) this.addHops(edge);
  }

  /** Both ends of each edge, by the kinds of nodes that the ontology lets it run between. */
  hopsFrom(node: WorldNode, direction: string, types?: readonly string[]): Hop[] {
    const hops = this.hops.get(node) ?? [];
    return hops.filter(
      ({ edge, along }) =>
        (types === undefined || types.includes(edge.type)) && direction !== (along ? 'incoming' : 'outgoing'),
    );
  }

  private addHops(edge: WorldEdge): void {
    for (const [start, end] of pairs[edge.type] ?? []) {
      const from = this.byType.get(start)?.find(({ id }) => id === edge.from);
      const to = this.byType.get(end)?.find(({ id }) => id === edge.to);
      if (from === undefined || to === undefined) continue;
      this.hops.set(from, [...(this.hops.get(from) ?? []), { edge, from, to, along: true }]);
      this.hops.set(to, [...(this.hops.get(to) ?? []), { edge, from: to, to: from, along: false }]);
    }
  }

  selected(selector: Json): WorldNode[] {
    const { entity, filters = {}, node_ids, id_range, id_property = 'id', without = [] } = selector;
    const range = id_range as { start: string; end: string } | undefined;
    return (this.byType.get(entity as string) ?? []).filter((node) => {
      const key = node[id_property as string];
      if (node_ids !== undefined && !(node_ids as unknown[]).includes(key)) return false;
      if (range !== undefined && !(compare(key, range.start) >= 0 && compare(key, range.end) <= 0))
        return false;
      if (!holds(node, filters as Json)) return false;
      return (without as { type: string; direction?: string }[]).every(
        ({ type, direction = 'outgoing' }) => this.hopsFrom(node, direction, [type]).length === 0,
      );
    });
  }

  matches({ nodes, relationships }: Pick<QueryText, 'nodes' | 'relationships'>): Match[] {
    let found: Match[] = [{ nodes: [], walks: [] }];
    for (const selector of nodes) {
      const candidates = this.selected(selector);
      found = found.flatMap((match) =>
        candidates.map((node) => ({ ...match, nodes: [...match.nodes, node] })),
      );
      const ready = relationships.filter(({ from, to }) => {
        const places = [from, to].map((alias) => nodes.findIndex(({ id }) => id === alias));
        return Math.max(...places) === nodes.indexOf(selector);
      });
      for (const each of ready) found = found.flatMap((match) => this.walked(match, each, nodes));
    }
    return found;
  }

  private walked(match: Match, each: QueryText['relationships'][number], nodes: QueryText['nodes']): Match[] {
    const at = (alias: string) => match.nodes[nodes.findIndex(({ id }) => id === alias)];
    const [start, end] = [at(each.from), at(each.to)];
    const types = [each.type].flat();
    const [least = 1, most = 1] = each.hops;
    const walks = start === undefined ? [] : this.walks(start, most, each.direction, types);
    const fit = walks.filter((walk) => walk.length >= least && walk.at(-1)?.to === end);
    const kept = fit.filter((walk) => walk.every(({ edge }) => holds(edge, each.filters ?? {})));
    return kept.map((walk) => ({ ...match, walks: [...match.walks, walk] }));
  }

  private walks(start: WorldNode, most: number, direction: string, types: readonly string[]): Hop[][] {
    const all: Hop[][] = [];
    let open: Hop[][] = [[]];
    for (let length = 1; length <= most; length += 1) {
      open = open.flatMap((walk) => {
        const seen = [start, ...walk.map(({ to }) => to)];
        const last = seen.at(-1) ?? start;
        return this.hopsFrom(last, direction, types)
          .filter(({ to }) => !seen.includes(to))
          .map((hop) => [...walk, hop]);
      });
      all.push(...open);
    }
    return all;
  }

  /** Distance of every node around the middle. */
  around(selector: Json, { direction = 'both', rel_types, max_hops = 1 }: Json): Map<WorldNode, number> {
    const depths = new Map(this.selected(selector).map((node) => [node, 0]));
    for (let depth = 1; depth <= (max_hops as number); depth += 1) {
      const before = [...depths].filter(([, at]) => at === depth - 1);
      const next = before.flatMap(([node]) =>
        this.hopsFrom(node, direction as string, rel_types as string[] | undefined).map(({ to }) => to),
      );
      for (const node of next.filter((each) => !depths.has(each))) depths.set(node, depth);
    }
    return depths;
  }

  /** Nodes that are in both sets. */
  met(from: Json, to: Json): WorldNode[] {
    const ends = this.selected(to);
    return this.selected(from).filter((node) => ends.includes(node));
  }

  /** All paths of the least length between two sets. */
  paths(from: Json, to: Json, { max_depth = 3, rel_types, ...between }: Json): Hop[][] {
    const [starts, ends] = [this.selected(from), this.selected(to)];
    if (this.met(from, to).length > 0) return [];
    let open: Hop[][] = starts.flatMap((start) =>
      this.hopsFrom(start, 'both', rel_types as string[]).map((hop) => [hop]),
    );
    const seen = new Set<WorldNode>(starts);
    for (let depth = 1; depth <= (max_depth as number); depth += 1) {
      open = open.filter((path) => !seen.has(path.at(-1)?.to as WorldNode));
      const done = open.filter((path) => ends.includes(path.at(-1)?.to as WorldNode));
      if (done.length > 0) return done;
      open = open.filter((path) => isFindable(path.at(-1)?.to as WorldNode, between));
      const reached = open.map((path) => path.at(-1)?.to as WorldNode);
      for (const node of reached) seen.add(node);
      open = open.flatMap((path) =>
        this.hopsFrom(path.at(-1)?.to as WorldNode, 'both', rel_types as string[]).map((hop) => [
          ...path,
          hop,
        ]),
      );
    }
    return [];
  }
}

export function isFindable(node: WorldNode, { node_types, filters = {} }: Json): boolean {
  if (node_types === undefined) return true;
  return (node_types as string[]).includes(node.type) && holds(node, filters as Json);
}

/** Between which kinds each relationship runs: written out, not taken from the ontology. */
const pairs: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  HAS_VERSION: [['Api', 'ApiVersion']],
  HAS_ENDPOINT: [['ApiVersion', 'Endpoint']],
  PROJECTED_AS: [['Endpoint', 'Tool']],
  HAS_PARAM: [['Tool', 'ToolParam']],
  USES_TOOL: [['Skill', 'Tool']],
  DEPENDS_ON: [['Skill', 'Skill']],
  PARENT_OF: [
    ['Skill', 'Skill'],
    ['Category', 'Category'],
  ],
  ASSIGNED: [['Agent', 'Skill']],
  USES_WORKFLOW: [['Skill', 'Workflow']],
  EXPOSES: [['Gateway', 'Tool']],
  IN_CATEGORY: ['Skill', 'Tool', 'Endpoint', 'Workflow'].map((kind) => [kind, 'Category']),
  HAS_TAG: ['Skill', 'Tool', 'Endpoint', 'Workflow'].map((kind) => [kind, 'Tag']),
};
