/** The response format as a JSON Schema, with its version. Pure. */
import type { Query } from '../reading/query.ast.js';
import { objectOf } from '../../platform/http/schemas.js';
import type { JSONSchema } from 'json-schema-to-ts';
import { Invalid } from '../../kernel/errors.js';
import { queryLanguageVersion } from '../reading/query.schema.js';

/** Semantic version of the response format: MAJOR where what clients read changes its shape or meaning. */
export const responseFormatVersion = '2.0.0';

export interface GraphNode {
  readonly type: string;
  readonly id: string;
  readonly [property: string]: unknown;
}

/** An edge in the direction of its relationship. */
export interface GraphEdge {
  readonly from: string;
  readonly from_id: string;
  readonly to: string;
  readonly to_id: string;
  readonly type: string;
  /** Step of a walk, from 1; distance of a neighbour from the middle. */
  readonly depth?: number;
  /** Path and step of path_finding, from 0. */
  readonly path_id?: number;
  readonly step?: number;
}

export interface Pagination {
  readonly has_more: boolean;
  /** Rows in this answer: matches, neighbours, paths or groups. */
  readonly page_rows: number;
  /** Rows on all pages; null where they were not counted to the end. */
  readonly total_rows: number | null;
  /** Where `total_rows` is null: how many there are at least. */
  readonly total_at_least?: number;
  /** `cursor.after` of the next page. */
  readonly next_cursor?: string;
}

export interface GraphAnswer {
  readonly format_version: string;
  readonly query_type: Query['kind'];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly columns?: readonly AnswerColumn[];
  readonly group_columns?: readonly GroupColumn[];
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly pagination: Pagination;
  readonly debug?: Debug;
}

interface AnswerColumn {
  readonly name: string;
  readonly function: string;
  readonly target: string;
  readonly property?: string;
}

interface GroupColumn {
  readonly name: string;
  readonly kind: 'node' | 'property';
  readonly node: string;
  readonly entity: string;
  readonly property?: string;
}

/** The AST and the statements, without values. */
interface Debug {
  readonly ast: unknown;
  readonly sql: readonly string[];
}

const name = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

const node = {
  type: 'object',
  additionalProperties: true,
  required: ['type', 'id'],
  description: 'A node, once, with the properties asked for; of a node that a walk only passed, type and id.',
  properties: { type: { ...name, description: 'Kind of node.' }, id: name },
} as const satisfies JSONSchema;

const edge = {
  type: 'object',
  additionalProperties: false,
  required: ['from', 'from_id', 'to', 'to_id', 'type'],
  description: 'A relationship as it runs, whichever way it was walked.',
  properties: {
    from: name,
    from_id: name,
    to: name,
    to_id: name,
    type: name,
    depth: { ...count, description: 'Step of a walk of several hops, from 1; distance of a neighbour.' },
    path_id: { ...count, description: 'Of path_finding: which path.' },
    step: { ...count, description: 'Of path_finding: which step of the path, from 0.' },
  },
} as const satisfies JSONSchema;

export const graphAnswerSchema = objectOf(
  {
    format_version: { ...name, description: 'Semantic version of this format.' },
    query_type: { type: 'string', enum: ['traversal', 'neighbors', 'path_finding', 'aggregation'] },
    nodes: { type: 'array', items: node },
    edges: { type: 'array', items: edge },
    columns: {
      type: 'array',
      description: 'Of aggregation: the figures.',
      items: objectOf({ name, function: name, target: name, property: name }, ['property']),
    },
    group_columns: {
      type: 'array',
      description: 'Of aggregation: what it is grouped by.',
      items: objectOf(
        {
          name,
          kind: { type: 'string', enum: ['node', 'property'] },
          node: name,
          entity: name,
          property: name,
        },
        ['property'],
      ),
    },
    rows: {
      type: 'array',
      description:
        'Of aggregation: groups and figures by the names of their columns; a node is {type, id, properties}.',
      items: { type: 'object' },
    },
    pagination: objectOf(
      {
        has_more: { type: 'boolean' },
        page_rows: { ...count, description: 'Rows in this answer: matches, neighbours, paths or groups.' },
        total_rows: {
          type: ['integer', 'null'],
          minimum: 0,
          description: 'Rows on all pages; null where they were not counted to the end.',
        },
        total_at_least: { ...count, description: 'Where total_rows is null: how many there are at least.' },
        next_cursor: { ...name, description: 'cursor.after of the next page.' },
      },
      ['total_at_least', 'next_cursor'],
    ),
    debug: { type: 'object', description: 'With options.include_debug_sql: AST and SQL, values left out.' },
  },
  ['columns', 'group_columns', 'rows', 'debug'],
);

/** Answer of `get_response_format`. */
export function responseFormatAnswer() {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return {
    format: 'portal_catalog.response_format.v1',
    version: responseFormatVersion,
    schema: { $schema, title: 'Answer of a query of the catalog graph', ...graphAnswerSchema },
  };
}

/** Versions that a client was written for, whole or shortened. */
export interface Pins {
  readonly formatVersion?: string | undefined;
  readonly languageVersion?: string | undefined;
}

/**
 * Refuses a client that was written for another format or language: `1`, `1.0` and `1.0.0` all pin 1.0.0, but no
 * later MINOR or other MAJOR. Throws Invalid.
 */
export function refuseOtherVersions({ formatVersion, languageVersion }: Pins): void {
  if (!isKept(formatVersion, responseFormatVersion)) {
    const detail = `is not given: answers are in format ${responseFormatVersion}`;
    throw new Invalid('format_version_unsupported', `The format version ${formatVersion} ${detail}.`, [
      { pointer: '/formatVersion', detail },
    ]);
  }
  if (!isKept(languageVersion, queryLanguageVersion)) {
    const detail = `is not spoken: queries are read in version ${queryLanguageVersion}`;
    throw new Invalid('language_version_unsupported', `The language version ${languageVersion} ${detail}.`, [
      { pointer: '/languageVersion', detail },
    ]);
  }
}

function isKept(pinned: string | undefined, given: string): boolean {
  if (pinned === undefined) return true;
  const [major = 0, minor = 0] = given.split('.').map(Number);
  const [wantedMajor, wantedMinor = 0] = pinned.split('.').map(Number);
  return wantedMajor === major && wantedMinor <= minor;
}
