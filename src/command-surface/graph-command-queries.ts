/** The thin commands on the graph as queries. Pure. */
import type { Parameters } from './agent-command.js';

/** All that is part of a query; `after` is its cursor. */
function queryPart({ format: _format, agentDefId: _agent, after, ...rest }: Parameters): Parameters {
  return { ...rest, ...(after !== undefined && { cursor: { after } }) };
}

export function traverseRelationships(parameters: Parameters): object {
  return { query_type: 'traversal', ...queryPart(parameters) };
}

export function aggregateNodes(parameters: Parameters): object {
  return { query_type: 'aggregation', ...queryPart(parameters) };
}

export function findNodes(parameters: Parameters): object {
  const { limit, cursor, order_by, ...node } = queryPart(parameters);
  const order = typeof order_by === 'string' ? order_by.replace(/^(-?)/, '$1n.') : undefined;
  return {
    query_type: 'traversal',
    nodes: [{ id: 'n', ...node }],
    ...given({ limit, cursor, order_by: order }),
  };
}

export function exploreNeighbors(parameters: Parameters): object {
  const { entity, node_id, limit, cursor, ...neighbors } = queryPart(parameters);
  return {
    query_type: 'neighbors',
    nodes: [{ id: 'n', entity, node_ids: [node_id] }],
    neighbors,
    ...given({ limit, cursor }),
  };
}

export function findPaths(parameters: Parameters): object {
  const { from, to, limit, cursor, ...path } = queryPart(parameters);
  return {
    query_type: 'path_finding',
    nodes: [
      { id: 'a', ...(from as object) },
      { id: 'b', ...(to as object) },
    ],
    path: { from: 'a', to: 'b', ...path },
    ...given({ limit, cursor }),
  };
}

function given(members: Parameters): Parameters {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
