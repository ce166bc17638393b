/** Reads the nodes and relationships of a query into a pattern. Pure. */
import { conditionsOf, type Faults, unknownProperty, valueOf } from './filter.reading.js';
import type { NodeType, Property, RelationshipType } from '../ontology.types.js';
import type {
  Absence,
  Condition,
  Direction,
  NodePattern,
  Pattern,
  RelationshipPattern,
  Walk,
} from './query.ast.js';
import type { NodeText, QueryText, RelationshipText } from './query.schema.js';
import {
  idOf,
  knownNodeType,
  links,
  nodeType,
  propertyOf,
  relationshipType,
  stepsFrom,
} from '../ontology.js';

/** Walks that one relationship of a query may mean. */
const MAX_WALKS = 40;

export function patternOf({ query_type, nodes, relationships }: QueryText, faults: Faults): Pattern {
  const read = nodes.map((node, index) => nodeOf(node, `/nodes/${index}`, faults));
  const aliases = read.map(({ alias }) => alias);
  aliases.forEach((alias, index) => {
    if (aliases.indexOf(alias) < index)
      faults.add(`/nodes/${index}/id`, 'is the alias of another node already');
  });
  const related = relationships.flatMap((each, index) => {
    const pattern = relationshipOf(each, read, `/relationships/${index}`, faults);
    return pattern === null ? [] : [pattern];
  });
  const isMatched = query_type === 'traversal' || query_type === 'aggregation';
  if (isMatched && related.length === relationships.length) refuseLooseNodes(read, related, faults);
  return { nodes: read, relationships: related };
}

function nodeOf(node: NodeText, pointer: string, faults: Faults): NodePattern {
  const type = nodeType(node.entity) ?? knownNodeType('Api');
  return {
    alias: node.id,
    type,
    columns: columnsOf(type, node.columns, `${pointer}/columns`, faults),
    conditions: [
      ...conditionsOf(type, node.filters ?? {}, `${pointer}/filters`, faults),
      ...faults.about(type, () => idConditions(type, node, pointer, faults)),
    ],
    absences: (node.without ?? []).flatMap((each, index) =>
      absenceOf(type, each, `${pointer}/without/${index}`, faults),
    ),
  };
}

/** Columns beside the id. */
function columnsOf(type: NodeType, asked: NodeText['columns'], pointer: string, faults: Faults): Property[] {
  const id = idOf(type);
  if (asked === '*') return type.properties.filter((property) => property !== id);
  const names = [...new Set<string>(asked ?? type.defaults)];
  return names.flatMap((name, index) => {
    const property = propertyOf(type, name);
    if (property === undefined) faults.add(`${pointer}/${index}`, unknownProperty(type, name));
    return property === undefined || property === id ? [] : [property];
  });
}

function idConditions(type: NodeType, node: NodeText, pointer: string, faults: Faults): Condition[] {
  const property = propertyOf(type, node.id_property);
  if (property === undefined || !property.operators.includes('in')) {
    faults.add(`${pointer}/id_property`, `is no property that names a ${type.name} or another node`);
    return [];
  }
  const valid = (value: string, at: string) =>
    valueOf(property, value, (detail) => faults.add(`${pointer}/${at}`, detail));
  const ids = (node.node_ids ?? []).map((value, index) => valid(value, `node_ids/${index}`));
  const listed: Condition[] =
    node.node_ids === undefined ? [] : [{ property, operator: 'in', value: ids.filter((id) => id !== null) }];
  if (node.id_range === undefined) return listed;
  const start = valid(node.id_range.start, 'id_range/start');
  const end = valid(node.id_range.end, 'id_range/end');
  if (start === null || end === null) return listed;
  return [...listed, { property, operator: 'gte', value: start }, { property, operator: 'lte', value: end }];
}

function absenceOf(
  start: NodeType,
  { type, direction }: { readonly type: string; readonly direction: Direction },
  pointer: string,
  faults: Faults,
): Absence[] {
  const steps = stepsFrom(start, direction, typesOf(type));
  if (steps.length === 0) faults.add(pointer, `never fits: ${runsOf(typesOf(type))}`);
  return [{ steps }];
}

function relationshipOf(
  text: RelationshipText,
  nodes: readonly NodePattern[],
  pointer: string,
  faults: Faults,
): RelationshipPattern | null {
  const from = nodes.findIndex(({ alias }) => alias === text.from);
  const to = nodes.findIndex(({ alias }) => alias === text.to);
  if (from < 0) faults.add(`${pointer}/from`, 'is the alias of no node');
  if (to < 0) faults.add(`${pointer}/to`, 'is the alias of no node');
  const [least = 1, most = 1] = text.hops;
  if (least > most) faults.add(`${pointer}/hops`, 'must be the least number of steps, then the most');
  const [start, end] = [nodes[from], nodes[to]];
  if (start === undefined || end === undefined || least > most) return null;
  if (from === to) return faults.add(`${pointer}/to`, 'must be another node than from');
  const types = typesOf(text.type);
  const walks = walksBetween(start.type, end.type, { types, direction: text.direction, hops: [least, most] });
  if (walks.length === 0) faults.add(`${pointer}/type`, noWalk(start.type, end.type, types, text.direction));
  if (walks.length > MAX_WALKS) {
    faults.add(
      pointer,
      `may mean ${walks.length} ways from ${start.type.name} to ${end.type.name}, at most ${MAX_WALKS}; name fewer types or hops`,
    );
  }
  const conditions = types.flatMap((type) =>
    conditionsOf(type, text.filters ?? {}, `${pointer}/filters`, faults),
  );
  return { from, to, types, hops: [least, most], direction: text.direction, walks, conditions };
}

interface Reach {
  readonly types: readonly RelationshipType[];
  readonly direction: Direction;
  readonly hops: readonly [least: number, most: number];
}

function walksBetween(
  start: NodeType,
  end: NodeType,
  { types, direction, hops: [least, most] }: Reach,
): Walk[] {
  const found: Walk[] = [];
  let open: Walk[] = [[]];
  for (let length = 1; length <= most; length += 1) {
    open = open.flatMap((walk) =>
      stepsFrom(walk.at(-1)?.end ?? start, direction, types).map((step) => [...walk, step]),
    );
    if (length >= least) found.push(...open.filter((walk) => walk.at(-1)?.end === end));
  }
  return found;
}

export function typesOf(names: string | readonly string[]): RelationshipType[] {
  const list = typeof names === 'string' ? [names] : [...new Set(names)];
  return list.map(relationshipType).filter((type) => type !== undefined);
}

function noWalk(
  start: NodeType,
  end: NodeType,
  types: readonly RelationshipType[],
  direction: Direction,
): string {
  const way = direction === 'both' ? '' : ` ${direction}`;
  return `does not lead${way} from ${start.name} to ${end.name} in so many hops: ${runsOf(types)}`;
}

/** Describes where the relationships run, to correct a query with. */
function runsOf(types: readonly RelationshipType[]): string {
  const runs = links.filter(({ type }) => types.includes(type));
  return runs.map(({ type, from, to }) => `${type.name} runs from ${from.name} to ${to.name}`).join(', ');
}

function refuseLooseNodes(
  nodes: readonly NodePattern[],
  relationships: readonly RelationshipPattern[],
  faults: Faults,
): void {
  const reached = new Set([0]);
  for (let round = 0; round < nodes.length; round += 1) {
    for (const { from, to } of relationships)
      if (reached.has(from) || reached.has(to)) reached.add(from).add(to);
  }
  nodes.forEach(({ alias }, index) => {
    if (!reached.has(index))
      faults.add(`/nodes/${index}`, `is related to no other node; relate ${alias} to one`);
  });
}
