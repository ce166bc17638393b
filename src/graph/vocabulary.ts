/** The ontology by its names: the only way from a word of a query to a name that stands in SQL. Pure. */
import { nodeTypes, relationshipTypes } from './ontology.js';
import type { NodeType, Pair, Property, RelationshipType } from './ontology.types.js';

export type NodeName = (typeof nodeTypes)[number]['name'];
export type RelationshipName = (typeof relationshipTypes)[number]['name'];

/** One kind of edge: a relationship between two kinds of nodes. */
export interface Link {
  readonly type: RelationshipType;
  readonly pair: Pair;
  readonly from: NodeType;
  readonly to: NodeType;
}

/** A link as it is walked: along its direction, or against it. */
export interface Step {
  readonly link: Link;
  readonly forward: boolean;
  readonly start: NodeType;
  readonly end: NodeType;
}

export const nodeNames = nodeTypes.map(({ name }) => name);
export const relationshipNames = relationshipTypes.map(({ name }) => name);

const nodes: ReadonlyMap<string, NodeType> = new Map(nodeTypes.map((type) => [type.name, type]));
const relationships: ReadonlyMap<string, RelationshipType> = new Map(
  relationshipTypes.map((type) => [type.name, type]),
);
const properties: ReadonlyMap<object, ReadonlyMap<string, Property>> = new Map(
  [...nodeTypes, ...relationshipTypes].map((type) => [
    type,
    new Map(type.properties.map((property): [string, Property] => [property.name, property])),
  ]),
);

export function nodeType(name: string): NodeType | undefined {
  return nodes.get(name);
}

/** Of a node that the ontology itself names. */
export function knownNodeType(name: string): NodeType {
  const type = nodes.get(name);
  if (type === undefined) throw new Error(`The ontology has no node ${name}.`);
  return type;
}

export function relationshipType(name: string): RelationshipType | undefined {
  return relationships.get(name);
}

export function propertyOf(type: NodeType | RelationshipType, name: string): Property | undefined {
  return properties.get(type)?.get(name);
}

export function idOf(type: NodeType): Property {
  const property = propertyOf(type, 'id');
  if (property === undefined) throw new Error(`${type.name} has no id.`);
  return property;
}

/** `sensitivityTier` is the column `sensitivity_tier`. */
export function columnOf({ name }: Property): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export const links: readonly Link[] = relationshipTypes.flatMap((type: RelationshipType) =>
  type.pairs.map((pair) => ({ type, pair, from: knownNodeType(pair.from), to: knownNodeType(pair.to) })),
);

/** All ways to leave a node; along, against, or both, and only by the relationships named, if any are. */
export function stepsFrom(
  start: NodeType,
  direction: 'outgoing' | 'incoming' | 'both',
  only?: readonly RelationshipType[],
): readonly Step[] {
  const open = only === undefined ? links : links.filter(({ type }) => only.includes(type));
  const along = direction === 'incoming' ? [] : open.filter(({ from }) => from === start);
  const against = direction === 'outgoing' ? [] : open.filter(({ to }) => to === start);
  return [
    ...along.map((link) => ({ link, forward: true, start, end: link.to })),
    ...against.map((link) => ({ link, forward: false, start, end: link.from })),
  ];
}
