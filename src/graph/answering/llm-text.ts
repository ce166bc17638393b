/** Renders answers for models in TOON, with a table for each kind of node and edge. Pure. */
import { encode } from '@toon-format/toon';
import {
  type GraphAnswer,
  graphAnswerSchema,
  type GraphEdge,
  type GraphNode,
  responseFormatAnswer,
} from './response-format.js';
import { memberRows } from '../condensed-schema.js';
import { dslFormat } from '../reading/dsl-schema.js';
import { nodeTypes } from '../ontology.js';
import type { NodeType, Property } from '../ontology.types.js';
import { queryLanguageVersion, querySchema } from '../reading/query.schema.js';
import type { PropertyAnswer, SchemaAnswer } from '../schema-answer.js';

/** Version of TOON. */
export const toonSpec = '4.0';

/** Renders any answer. */
export function toonText(value: object): string {
  return encode({ toon_spec: toonSpec, ...value });
}

/** Renders the query language: the members of each part of a query. */
export function dslText(): string {
  const { neighbors, path, aggregations, cursor, options } = querySchema.properties;
  const parts = { nodes: 'node[]', relationships: 'relationship[]', aggregations: 'aggregation[]' };
  const own = { neighbors: 'neighbors', path: 'path', cursor: 'cursor', options: 'options' };
  return toonText({
    ...{ format: dslFormat, version: queryLanguageVersion },
    query: memberRows(querySchema, { ...parts, ...own }),
    node: memberRows(querySchema.properties.nodes.items),
    relationship: memberRows(querySchema.properties.relationships.items),
    neighbors: memberRows(neighbors),
    path: memberRows(path),
    aggregation: memberRows(aggregations.items),
    cursor: memberRows(cursor),
    options: memberRows(options),
    operators: operatorsByKind(),
  });
}

function operatorsByKind(): object[] {
  const properties: readonly Property[] = nodeTypes.flatMap((type: NodeType) => [...type.properties]);
  const kinds = new Map(properties.map(({ kind, operators }) => [kind, operators.join(' ')]));
  return [...kinds].map(([kind, operators]) => ({ property: kind, operators }));
}

/** Renders the format of answers. */
export function responseFormatText(): string {
  const { schema: _schema, ...head } = responseFormatAnswer();
  return toonText({ ...head, answer: memberRows(graphAnswerSchema) });
}

/** Renders the schema of the graph: a table of properties for each node that is described in full. */
export function schemaText({ node_types: nodes, relationship_types: types, ...head }: SchemaAnswer): string {
  const expanded = (nodes ?? []).flatMap((node) => ('properties' in node ? [node] : []));
  const detailed = (types ?? []).flatMap((type) => ('properties' in type ? [type] : []));
  return toonText({
    ...head,
    ...(nodes !== undefined && { node_types: nodes.map(({ name }) => name) }),
    ...(types !== undefined && {
      relationship_types: types.map(({ name, from, to }) => ({ name, from, to })),
    }),
    ...byName(expanded, ({ description, default_columns, relationships, properties }) => ({
      ...{ description, default_columns: default_columns.join(' ') },
      ...{ outgoing: relationships.outgoing.join(' '), incoming: relationships.incoming.join(' ') },
      properties: properties.map(propertyRow),
    })),
    ...byName(detailed, ({ description, properties }) => ({
      description,
      properties: properties.map(propertyRow),
    })),
  });
}

function byName<T extends { readonly name: string }>(
  items: readonly T[],
  rowOf: (item: T) => object,
): object {
  return Object.fromEntries(items.map((item) => [item.name, rowOf(item)]));
}

function propertyRow({ name, type, nullable, description, values = [], operators }: PropertyAnswer): object {
  const choices = values.length === 0 ? type : `${type} ${values.join('|')}`;
  return { name, type: choices, nullable, operators: operators.join(' '), description };
}

/** Renders an answer: nodes by kind, edges by what they relate, so that no row repeats it. */
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

/** Spreads a node in a row into columns. */
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
