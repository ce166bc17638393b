import { type GraphScope, keptNodesOf } from '../../../src/graph/graph-scopes.service.js';
import type { RelationshipName } from '../../../src/graph/ontology.js';
import { paramIds } from '../../../src/tools/model/tool-params.js';
import {
  formerContent,
  formerPlaces,
  formerVersion,
  type World,
  type WorldEdge,
  type WorldNode,
} from './graph-world.js';

/** Whose nodes a token's services, and whose its tiers decide about: written out, not taken from the ontology. */
const ofServices = ['ApiVersion', 'Endpoint', 'Tool', 'ToolParam', 'Agent', 'Gateway'];
const ofTiers = ['Endpoint', 'Tool', 'ToolParam'];
const references: Readonly<Record<string, string>> = {
  ...{ parentSkillId: 'Skill', parentCategoryId: 'Category', endpointId: 'Endpoint' },
  ...{ apiVersionId: 'ApiVersion', apiId: 'Api', toolId: 'Tool' },
};

/** What is left of a world for a caller, in plain loops: what of the graph the SQL must keep to. */
export function confinedWorld(world: World, scope: GraphScope): World {
  const { nodes, edges } = atKeptVersions(world, scope);
  const toolOf = ({ toolId }: WorldNode) => nodes.find(({ id }) => id === toolId);
  const isSeen = (node: WorldNode): boolean => {
    const { serviceId, envTag, sensitivityTier } = node.type === 'ToolParam' ? (toolOf(node) ?? node) : node;
    const { services, environments, tiers, within, administers } = scope;
    if (node.type === 'Gateway' && administers !== true) return false;
    const isOf = (list: readonly unknown[] | 'all', value: unknown): boolean =>
      list === 'all' || value === null || value === undefined || list.includes(value);
    if (ofServices.includes(node.type) && !(isOf(services, serviceId) && isOf(environments, envTag)))
      return false;
    if (ofTiers.includes(node.type) && !isOf(tiers, sensitivityTier)) return false;
    if (within === undefined) return true;
    const [type, id] = node.type === 'ToolParam' ? ['Tool', node['toolId']] : [node.type, node.id];
    return (within.nodes.get(type as never) ?? []).includes(id as string);
  };
  const seen = nodes.filter(isSeen);
  const has = (type: string, id: unknown): boolean =>
    seen.some((node) => node.type === type && node.id === id);
  const rendered = seen.map((node): WorldNode => {
    const hidden = Object.entries(references).filter(
      ([name, type]) => typeof node[name] === 'string' && !has(type, node[name]),
    );
    return { ...node, ...Object.fromEntries(hidden.map(([name]) => [name, null])) };
  });
  return { nodes: rendered, edges: edges.filter((edge) => isListed(edge, scope)) };
}

/** The world with the former version of those tools that the scope keeps to it. */
function atKeptVersions({ nodes, edges }: World, { within }: GraphScope): World {
  const kept = within?.kept.get('Tool')?.ids ?? [];
  if (kept.length === 0) return { nodes, edges };
  const { description, sourceProtocol, capabilityRef, routing, params } = formerContent;
  const behind = nodes
    .filter(({ type, id }) => type === 'Tool' && kept.includes(id))
    .map(({ endpointId }) => endpointId);
  const present = nodes.filter(({ type, toolId }) => type === 'ToolParam' && kept.includes(String(toolId)));
  const former = kept.flatMap((toolId) =>
    params.map(({ name, type, required, description: said = null, order }) => ({
      ...{ type: 'ToolParam', id: paramIds(toolId)(name), name, toolId, paramType: type, required },
      ...{ description: said, orderIndex: order },
    })),
  );
  const rendered = nodes
    .filter((node) => !present.includes(node))
    .map((node): WorldNode => {
      if (node.type === 'Endpoint' && behind.includes(node.id))
        return { ...node, description, costTier: routing.costTier };
      if (node.type !== 'Tool' || !kept.includes(node.id)) return node;
      const { semanticWeight } = routing;
      return { ...node, version: formerVersion, description, sourceProtocol, capabilityRef, semanticWeight };
    });
  const gone = present.map(({ id }) => id);
  return {
    nodes: [...rendered, ...former],
    edges: [
      ...edges.filter(({ to }) => !gone.includes(to)),
      ...former.map(({ toolId, id }) => ({ type: 'HAS_PARAM', from: toolId, to: id })),
    ],
  };
}

function isListed({ type, from, to }: WorldEdge, { within }: GraphScope): boolean {
  const listed = within?.edges.get(type as RelationshipName);
  return listed === undefined || listed.some(([start, end]) => start === from && end === to);
}

/** What an agent is given of the world: some of each kind, and of its skills' tools not all. */
export function agentScope({ nodes, edges }: World, everything: GraphScope, keeps = false): GraphScope {
  const ids = (type: string, places: readonly number[]): string[] =>
    nodes
      .filter((node) => node.type === type)
      .flatMap(({ id }, index) => (places.includes(index) ? [id] : []));
  const given = new Map([
    ['Api', ids('Api', [0])],
    ['ApiVersion', ids('ApiVersion', [0, 2])],
    ['Endpoint', ids('Endpoint', [0, 3, 5])],
    ['Tool', ids('Tool', [0, 2, 3, 5])],
    ['Skill', ids('Skill', [0, 2, 3])],
    ['Agent', ids('Agent', [0])],
    ['Workflow', ids('Workflow', [0])],
    ['Category', ids('Category', [1])],
    ['Tag', ids('Tag', [0])],
  ]);
  const some = (type: string) =>
    edges
      .filter((edge) => edge.type === type)
      .filter((_, index) => index % 3 !== 1)
      .map(({ from, to }) => [from, to] as const);
  const listed = ['USES_TOOL', 'USES_WORKFLOW', 'DEPENDS_ON'].map((type) => [type, some(type)] as const);
  const tools = ids('Tool', formerPlaces);
  const behind = nodes.flatMap(({ id, endpointId }) => (tools.includes(id) ? [String(endpointId)] : []));
  const kept = keptNodesOf(
    tools.map((toolId, place) => ({
      ...{ toolId, endpointId: behind[place], version: formerVersion },
      paramNames: formerContent.params.map(({ name }) => name),
    })),
  );
  return {
    ...everything,
    within: { nodes: given as never, edges: new Map(listed) as never, kept: keeps ? kept : new Map() },
  };
}
