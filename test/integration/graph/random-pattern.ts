import { relationshipTypes } from '../../../src/graph/ontology.js';
import type { RelationshipType } from '../../../src/graph/ontology.types.js';
import type { Chooser } from './chooser.js';
import type { World } from './graph-world.js';
import { filters, propertiesOf } from './random-filter.js';

type Json = Record<string, unknown>;
const relationships: readonly RelationshipType[] = relationshipTypes;

export interface RandomPattern {
  readonly nodes: Json[];
  readonly relationships: Json[];
}

/** One to four nodes, each related to one before it; now and then two of them twice. */
export function chain(choose: Chooser, world: World, entities: readonly string[]): RandomPattern {
  const nodes = [selector(choose, world, choose.of(entities), 'n0')];
  const related: Json[] = [];
  const length = 1 + choose.below(3) + Number(choose.chance(10));
  while (nodes.length < length) {
    const from = choose.of(nodes);
    const link = choose.of(linksOf(String(from['entity'])));
    const node = selector(choose, world, link.end, `n${String(nodes.length)}`);
    nodes.push(node);
    related.push(relatedBy(choose, world, { from, to: node, link }));
    if (related.length === 1 && choose.chance(20))
      related.push(relatedBy(choose, world, { from, to: node, link }));
  }
  return { nodes, relationships: related };
}

interface Link {
  readonly type: RelationshipType;
  readonly end: string;
  readonly direction: 'outgoing' | 'incoming';
}

function linksOf(entity: string): Link[] {
  return relationships.flatMap((type) =>
    type.pairs.flatMap((pair): Link[] => [
      ...(pair.from === entity ? [{ type, end: pair.to, direction: 'outgoing' as const }] : []),
      ...(pair.to === entity ? [{ type, end: pair.from, direction: 'incoming' as const }] : []),
    ]),
  );
}

function relatedBy(
  choose: Chooser,
  world: World,
  { from, to, link }: { readonly from: Json; readonly to: Json; readonly link: Link },
): Json {
  const { type, direction } = link;
  const turned = choose.chance(30);
  const ends = turned ? { from: to['id'], to: from['id'] } : { from: from['id'], to: to['id'] };
  const opposite = direction === 'outgoing' ? 'incoming' : 'outgoing';
  const form = choose.below(10);
  if (form === 0) {
    const hops = choose.of([
      [1, 2],
      [1, 3],
      [2, 2],
      [2, 3],
    ]);
    return { ...ends, type: [type.name, choose.of(relationships).name], direction: 'both', hops };
  }
  const own = type.properties;
  const filtered = own.length > 0 && choose.chance(40);
  return {
    ...ends,
    type: form === 2 ? [type.name] : type.name,
    direction: form === 3 ? 'both' : turned ? opposite : direction,
    ...(filtered && { filters: filters(choose, own, edgesOf(world, type.name)) }),
  };
}

const edgesOf = ({ edges }: World, name: string) => edges.filter(({ type }) => type === name);

export function selector(choose: Chooser, world: World, entity: string, alias: string): Json {
  const own = world.nodes.filter(({ type }) => type === entity);
  const node: Json = { id: alias, entity };
  const properties = propertiesOf(entity);
  if (choose.chance(35)) node['filters'] = filters(choose, properties, own);
  if (choose.chance(30)) {
    const names = choose.some(properties, 3).map(({ name }) => name);
    node['columns'] = choose.chance(30) ? '*' : names;
  }
  if (own.length > 0) Object.assign(node, keys(choose, own, entity));
  const links = linksOf(entity);
  if (choose.chance(10)) {
    node['without'] = choose.some(links, 2).map(({ type, direction }) => ({
      type: type.name,
      ...((direction === 'incoming' || choose.chance(50)) && { direction: choose.of([direction, 'both']) }),
    }));
  }
  return node;
}

function keys(choose: Chooser, own: World['nodes'], entity: string): Json {
  const named = propertiesOf(entity).filter(({ kind, nullable }) => kind === 'id' && !nullable);
  const by = choose.chance(20) ? choose.of(named).name : 'id';
  const key = (): unknown => choose.of(own)[by];
  return {
    ...(choose.chance(12) && { node_ids: [key(), key()], id_property: by }),
    ...(choose.chance(8) && { id_range: { start: key(), end: key() }, id_property: by }),
  };
}
