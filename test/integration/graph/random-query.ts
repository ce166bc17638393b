import { nodeTypes, relationshipTypes } from '../../../src/graph/ontology.js';
import type { Property } from '../../../src/graph/ontology.types.js';
import { truncations } from '../../../src/graph/reading/query.ast.js';
import type { Chooser } from './chooser.js';
import type { World } from './graph-world.js';
import { filters, plainPropertiesOf, propertiesOf } from './random-filter.js';
import { chain, selector } from './random-pattern.js';

type Json = Record<string, unknown>;
const entities = nodeTypes.map(({ name }) => name);
const relationshipNames = relationshipTypes.map(({ name }) => name);

/** A query whose every word the ontology knows, about values that the world mostly has. */
export function randomQuery(choose: Chooser, world: World): Json {
  // Walks cost the most to plan.
  const kind = choose.below(8);
  const query = [neighbors, paths, aggregation, aggregation, aggregation][kind] ?? traversal;
  return { ...query(choose, world), ...page(choose) };
}

/** Mostly all at once. */
function page(choose: Chooser): Json {
  const rows = 1 + choose.below(4);
  switch (choose.below(5)) {
    case 0:
      return { limit: rows };
    case 1:
      return { limit: 1000, cursor: { page_size: rows } };
    default:
      return { limit: 1000 };
  }
}

function traversal(choose: Chooser, world: World): Json {
  const pattern = chain(choose, world, entities);
  if (choose.chance(50)) return { query_type: 'traversal', ...pattern };
  const { id, entity } = choose.of(pattern.nodes) as { readonly id: string; readonly entity: string };
  const order_by = `${choose.of(['', '-'])}${id}.${choose.of(plainPropertiesOf(entity)).name}`;
  return { query_type: 'traversal', ...pattern, order_by };
}

function aggregation(choose: Chooser, world: World): Json {
  const pattern = chain(choose, world, entities);
  const target = choose.of(pattern.nodes) as { readonly id: string; readonly entity: string };
  const alias = target.id;
  const plain = plainPropertiesOf(target.entity);
  const numbers = plain.filter(({ kind }) => kind === 'number' || kind === 'integer');
  const aggregations: Json[] = [{ count: alias, as: 'a0' }];
  const named = choose.of(plain).name;
  if (choose.chance(40)) aggregations.push({ count: `${alias}.${named}`, as: 'a1' });
  if (choose.chance(40)) aggregations.push({ [choose.of(['min', 'max'])]: `${alias}.${named}`, as: 'a2' });
  if (choose.chance(30)) aggregations.push({ collect: `${alias}.${named}`, as: 'a4' });
  if (numbers.length > 0 && choose.chance(50)) {
    aggregations.push({ [choose.of(['sum', 'avg'])]: `${alias}.${choose.of(numbers).name}`, as: 'a3' });
  } else if (choose.chance(30)) aggregations.push({ count: choose.of(pattern.nodes)['id'], as: 'a5' });
  const grouped = pattern.nodes.filter((node) => node !== target || choose.chance(30));
  const group_by = grouped.slice(0, choose.below(4)).map((node, index) => groupKey(choose, node, index));
  const columns = aggregations.filter((each) => each['collect'] === undefined).map(({ as }) => as as string);
  const aggregation_sort = `${choose.of(['', '-'])}${choose.of(columns)}`;
  const sorted = choose.chance(40) && { aggregation_sort };
  return { query_type: 'aggregation', ...pattern, aggregations, group_by, ...sorted };
}

function groupKey(choose: Chooser, node: Json, index: number): unknown {
  const alias = node['id'] as string;
  if (choose.chance(40)) return alias;
  const property: Property = choose.of(plainPropertiesOf(node['entity'] as string));
  const key = `${alias}.${property.name}`;
  if (property.kind === 'datetime' && choose.chance(60)) {
    return { key, truncate: choose.of(truncations), as: `g${String(index)}` };
  }
  return choose.chance(20) ? { key, as: `g${String(index)}` } : key;
}

function neighbors(choose: Chooser, world: World): Json {
  const node = selector(choose, world, choose.of(entities), 'n');
  return {
    ...{ query_type: 'neighbors', nodes: [node] },
    neighbors: {
      ...(choose.chance(80) && { max_hops: choose.of([1, 1, 2, 3]) }),
      ...(choose.chance(70) && { direction: choose.of(['both', 'outgoing', 'incoming']) }),
      ...(choose.chance(30) && { rel_types: choose.some(relationshipNames, 3) }),
      ...(choose.chance(30) && findable(choose, world)),
    },
    ...(choose.chance(20) && { options: { dynamic_columns: choose.of(['*', 'default']) } }),
  };
}

/** Some kinds of nodes, or one with what must hold for its nodes. */
function findable(choose: Chooser, world: World): Json {
  if (choose.chance(50)) return { node_types: choose.some(entities, 6) };
  const entity = choose.of(entities);
  const own = world.nodes.filter(({ type }) => type === entity);
  return { node_types: [entity], filters: filters(choose, propertiesOf(entity), own) };
}

function paths(choose: Chooser, world: World): Json {
  const nodes = ['a', 'b'].map((alias) => selector(choose, world, choose.of(entities), alias));
  return {
    ...{ query_type: 'path_finding', nodes },
    path: {
      ...{ from: 'a', to: 'b' },
      ...(choose.chance(80) && { max_depth: 1 + choose.below(3) }),
      ...(choose.chance(20) && { rel_types: choose.some(relationshipNames, 10) }),
      ...(choose.chance(20) && { type: 'shortest' }),
      ...(choose.chance(30) && findable(choose, world)),
    },
    ...(choose.chance(20) && { options: { dynamic_columns: '*' } }),
  };
}
