/** What the log may know of a query: its shape, not its values. Pure. */
import type { Condition, Findable, NodePattern, Query } from './query.ast.js';

/** The AST with names of the ontology and numbers of values. */
export function shapeOf(query: Query): object {
  const { kind, limit } = query;
  switch (query.kind) {
    case 'neighbors':
      return {
        ...{
          kind,
          limit,
          nodes: [nodeShape(query.node)],
          direction: query.direction,
          maxHops: query.maxHops,
        },
        types: query.types?.map(({ name }) => name),
        findable: findableShape(query.findable),
      };
    case 'path_finding':
      return {
        ...{ kind, limit, nodes: [nodeShape(query.from), nodeShape(query.to)], maxDepth: query.maxDepth },
        types: query.types?.map(({ name }) => name),
        findable: findableShape(query.findable),
      };
    default:
      return {
        ...{ kind, limit, nodes: query.nodes.map(nodeShape) },
        relationships: query.relationships.map(({ from, to, types, hops, direction, walks }) => ({
          ...{ from, to, types: types.map(({ name }) => name), hops, direction, walks: walks.length },
        })),
        ...(query.kind === 'aggregation' && {
          groups: query.groups.map(({ node, property }) => ({ node, property: property?.name })),
          aggregates: query.aggregates.map(({ fn, node, property }) => ({
            fn,
            node,
            property: property?.name,
          })),
        }),
      };
  }
}

function findableShape(findable: Findable | undefined): object[] | undefined {
  if (findable === undefined) return undefined;
  return [...findable].map(([{ name }, conditions]) => ({
    entity: name,
    conditions: conditions.map(conditionShape),
  }));
}

function conditionShape({ property, operator, value }: Condition): object {
  return {
    ...{ property: property.name, operator },
    ...(value !== undefined && {
      value: Array.isArray(value) ? `[${value.length} redacted]` : '[redacted]',
    }),
  };
}

function nodeShape({ type, conditions, absences }: NodePattern): object {
  return {
    entity: type.name,
    conditions: conditions.map(conditionShape),
    ...(absences.length > 0 && {
      without: absences.map(({ steps }) => steps.map(({ link }) => link.type.name)),
    }),
  };
}
