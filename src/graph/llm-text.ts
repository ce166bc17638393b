/** Answers as text that costs a model few tokens: TOON, with nodes and edges as tables of one kind each. Pure. */
import { encode } from '@toon-format/toon';
import type { GraphAnswer, GraphEdge, GraphNode } from './answer.types.js';

/** Edition of TOON that the texts are written in. */
export const toonSpec = '4.0';

/** Any answer as it is, in TOON. */
export function toonText(value: object): string {
  return encode({ toon_spec: toonSpec, ...value });
}

/** Nodes by their kind; edges by what they relate, so that no row repeats it. */
export function answerText(answer: GraphAnswer): string {
  const { nodes, edges, rows, format_version, query_type, pagination, debug } = answer;
  return toonText({
    ...{ format_version, query_type },
    ...(nodes.length > 0 && { nodes: tables(nodes, ({ type }) => type, nodeRow) }),
    ...(edges.length > 0 && { edges: tables(edges, edgeKind, edgeRow) }),
    ...(rows !== undefined && { rows: rows.map(flatRow) }),
    pagination,
    ...(debug !== undefined && { debug }),
  });
}

function tables<T>(items: readonly T[], kindOf: (item: T) => string, rowOf: (item: T) => object): object {
  const byKind: Record<string, object[]> = {};
  for (const item of items) (byKind[kindOf(item)] ??= []).push(rowOf(item));
  return byKind;
}

function nodeRow({ type: _type, ...row }: GraphNode): object {
  const listed = Object.entries(row).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.join(' | ') : value,
  ]);
  return Object.fromEntries(listed);
}

function edgeKind({ from, type, to }: GraphEdge): string {
  return `${from}-${type}->${to}`;
}

function edgeRow({ from_id, to_id, depth, path_id, step }: GraphEdge): object {
  return {
    ...{ from: from_id, to: to_id },
    ...(depth !== undefined && { depth }),
    ...(path_id !== undefined && { path: path_id, step }),
  };
}

/** A node in a row becomes columns of its own. */
function flatRow(row: Readonly<Record<string, unknown>>): object {
  const flat = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (Array.isArray(value)) return [[name, value.join(' | ')]];
    if (!isGroupNode(value)) return [[name, value]];
    const inner = Object.entries(value.properties).map(([property, each]): [string, unknown] => [
      `${name}.${property}`,
      Array.isArray(each) ? each.join(' | ') : each,
    ]);
    return [[`${name}.id`, value.id], ...inner];
  });
  return Object.fromEntries(flat);
}

interface GroupNode {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

function isGroupNode(value: unknown): value is GroupNode {
  return typeof value === 'object' && value !== null && 'properties' in value;
}
