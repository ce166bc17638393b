import { nodeTypes, relationshipTypes } from '../../../src/graph/ontology.js';
import type { NodeType, Property, RelationshipType } from '../../../src/graph/ontology.types.js';
import type { World } from './graph-world.js';

/** Makes choices from a list of numbers: the same numbers, the same query. */
export class Chooser {
  private at = 0;

  constructor(private readonly numbers: readonly number[]) {}

  below(bound: number): number {
    this.at += 1;
    return (this.numbers[this.at % this.numbers.length] ?? 0) % bound;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}

type Json = Record<string, unknown>;
const types: readonly NodeType[] = nodeTypes;
const relationships: readonly RelationshipType[] = relationshipTypes;

/** A query whose every word the ontology knows, about values that the world mostly has. */
export function randomQuery(choose: Chooser, world: World): Json {
  switch (choose.below(4)) {
    case 0:
      return neighbors(choose, world);
    case 1:
      return paths(choose, world);
    case 2:
      return aggregation(choose, world);
    default:
      return traversal(choose, world);
  }
}

function traversal(choose: Chooser, world: World): Json {
  const pattern = chain(choose, world);
  const order = orderable(choose, pattern.nodes);
  return {
    query_type: 'traversal',
    ...pattern,
    limit: 1000,
    ...(order !== undefined && { order_by: order }),
  };
}

function orderable(choose: Chooser, nodes: readonly Json[]): string | undefined {
  if (choose.chance(50)) return undefined;
  const node = choose.of(nodes);
  const property = choose.of(propertiesOf(node['entity'] as string).filter(({ kind }) => kind !== 'list'));
  return `${choose.chance(50) ? '-' : ''}${node['id'] as string}.${property.name}`;
}

function aggregation(choose: Chooser, world: World): Json {
  const pattern = chain(choose, world);
  const target = choose.of(pattern.nodes);
  const alias = target['id'] as string;
  const numbers = propertiesOf(target['entity'] as string).filter(
    ({ kind }) => kind === 'number' || kind === 'integer',
  );
  const plain = propertiesOf(target['entity'] as string).filter(({ kind }) => kind !== 'list');
  const property = choose.of(plain).name;
  const aggregations: Json[] = [{ count: alias, as: 'a0' }];
  if (choose.chance(40)) aggregations.push({ count: `${alias}.${property}`, as: 'a1' });
  if (choose.chance(40)) aggregations.push({ [choose.of(['min', 'max'])]: `${alias}.${property}`, as: 'a2' });
  if (choose.chance(30)) aggregations.push({ collect: `${alias}.${property}`, as: 'a4' });
  if (numbers.length > 0 && choose.chance(50)) {
    aggregations.push({ [choose.of(['sum', 'avg'])]: `${alias}.${choose.of(numbers).name}`, as: 'a3' });
  }
  const grouped = pattern.nodes
    .filter((node) => node !== target || choose.chance(30))
    .slice(0, choose.below(3));
  const group_by = grouped.map((node) => {
    const key = choose.of(propertiesOf(node['entity'] as string).filter(({ kind }) => kind !== 'list'));
    return choose.chance(40) ? (node['id'] as string) : `${node['id'] as string}.${key.name}`;
  });
  return { query_type: 'aggregation', ...pattern, aggregations, group_by, limit: 1000 };
}

function neighbors(choose: Chooser, world: World): Json {
  const node = selector(choose, world, choose.of(types).name, 'n');
  const max_hops = 1 + choose.below(2);
  return {
    ...{ query_type: 'neighbors', nodes: [node], limit: 1000 },
    neighbors: {
      max_hops,
      direction: choose.of(['both', 'outgoing', 'incoming']),
      ...(choose.chance(30) && { rel_types: [choose.of(relationships).name, choose.of(relationships).name] }),
    },
  };
}

function paths(choose: Chooser, world: World): Json {
  const nodes = ['a', 'b'].map((alias) => selector(choose, world, choose.of(types).name, alias));
  const rel_types = choose.chance(20)
    ? {
        rel_types: relationships
          .slice(choose.below(3))
          .map(({ name }) => name)
          .slice(0, 10),
      }
    : {};
  return {
    ...{ query_type: 'path_finding', nodes, limit: 1000 },
    path: { from: 'a', to: 'b', max_depth: 1 + choose.below(3), ...rel_types },
  };
}

/** One to three nodes, each related to one before it. */
function chain(choose: Chooser, world: World): { nodes: Json[]; relationships: Json[] } {
  const nodes = [selector(choose, world, choose.of(types).name, 'n0')];
  const related: Json[] = [];
  const length = 1 + choose.below(3);
  while (nodes.length < length) {
    const from = choose.of(nodes);
    const links = relationships.flatMap((type) =>
      type.pairs.flatMap((pair) => [
        ...(pair.from === from['entity'] ? [{ type, end: pair.to, direction: 'outgoing' }] : []),
        ...(pair.to === from['entity'] ? [{ type, end: pair.from, direction: 'incoming' }] : []),
      ]),
    );
    if (links.length === 0) break;
    const { type, end, direction } = choose.of(links);
    const alias = `n${String(nodes.length)}`;
    nodes.push(selector(choose, world, end, alias));
    const wide = choose.chance(20);
    const turned = choose.chance(30);
    const ends = turned ? { from: alias, to: from['id'] } : { from: from['id'], to: alias };
    const opposite = direction === 'outgoing' ? 'incoming' : 'outgoing';
    related.push({
      ...ends,
      type: wide ? [type.name, choose.of(relationships).name] : type.name,
      direction: wide ? 'both' : turned ? opposite : direction,
      ...(wide && { hops: [1, 1 + choose.below(3)] }),
      ...(!wide &&
        type.properties.length > 0 &&
        choose.chance(40) && { filters: filters(choose, type.properties, world.edges) }),
    });
  }
  return { nodes, relationships: related };
}

function selector(choose: Chooser, world: World, entity: string, alias: string): Json {
  const own = world.nodes.filter(({ type }) => type === entity);
  const node: Json = { id: alias, entity };
  if (choose.chance(40)) node['filters'] = filters(choose, propertiesOf(entity), own);
  if (choose.chance(15) && own.length > 0) node['node_ids'] = [choose.of(own).id, choose.of(own).id];
  if (choose.chance(10) && own.length > 0)
    node['id_range'] = { start: choose.of(own).id, end: choose.of(own).id };
  const leaving = relationships.filter(({ pairs }) => pairs.some(({ from }) => from === entity));
  if (choose.chance(10) && leaving.length > 0) node['without'] = [{ type: choose.of(leaving).name }];
  return node;
}

function filters(
  choose: Chooser,
  properties: readonly Property[],
  things: readonly Readonly<Record<string, unknown>>[],
): Json {
  const chosen = [choose.of(properties), ...(choose.chance(30) ? [choose.of(properties)] : [])];
  return Object.fromEntries(chosen.map((property) => [property.name, filter(choose, property, things)]));
}

function filter(
  choose: Chooser,
  property: Property,
  things: readonly Readonly<Record<string, unknown>>[],
): Json {
  const operator = choose.of(property.operators);
  const known = things
    .map((thing) => thing[property.name])
    .filter((value) => value !== null && value !== undefined);
  const value = known.length > 0 ? choose.of(known) : fallback(property);
  const text = String(value);
  switch (operator) {
    case 'is_null':
    case 'is_not_null':
      return { [operator]: choose.chance(50) };
    case 'in':
      return { in: [value, known.length > 0 ? choose.of(known) : value] };
    case 'contains':
      return property.kind === 'list'
        ? { contains: [value].flat()[0] ?? 'clerk' }
        : { contains: part(choose, text) };
    case 'starts_with':
      return { starts_with: text.length < 3 ? 'acc' : text.slice(0, 3 + choose.below(3)) };
    case 'ends_with':
      return { ends_with: text.length < 3 ? 'unt' : text.slice(-3 - choose.below(3)) };
    case 'token_match':
    case 'all_tokens':
    case 'any_tokens': {
      const words = text.split(/[^A-Za-z0-9\u0080-\u{10ffff}]+/u).filter((word) => word !== '');
      const word = words.length > 0 ? choose.of(words) : 'account';
      return { [operator]: operator === 'token_match' ? word : [word, 'LOAN'] };
    }
    default:
      return { [operator]: value };
  }
}

function part(choose: Chooser, text: string): string {
  const start = choose.below(Math.max(text.length - 3, 1));
  const cut = text.slice(start, start + 3 + choose.below(3));
  return cut.length < 3 ? 'oun' : cut;
}

function fallback({ kind, values, sqlType }: Property): unknown {
  switch (kind) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1;
    case 'choice':
      return values?.[0];
    case 'datetime':
      return '2026-05-15T00:00:00Z';
    case 'id':
      return sqlType === 'uuid' ? '00000000-0000-4000-8000-000000000000' : 'api-0';
    case 'list':
      return ['clerk'];
    default:
      return 'account';
  }
}

function propertiesOf(entity: string): readonly Property[] {
  return types.find(({ name }) => name === entity)?.properties ?? [];
}
