import type { Query } from './query.ast.js';

/** Semantic version of the response format: MAJOR where what clients read changes its shape or meaning. */
export const responseFormatVersion = '2.0.0';

export interface GraphNode {
  readonly type: string;
  readonly id: string;
  readonly [property: string]: unknown;
}

/** As the relationship runs, whichever way it was walked. */
export interface GraphEdge {
  readonly from: string;
  readonly from_id: string;
  readonly to: string;
  readonly to_id: string;
  readonly type: string;
  /** Of walks of several steps: which step it was, from 1; of neighbors: its distance from the middle. */
  readonly depth?: number;
  /** Of path_finding: which path, from 0, and which step of it, from 0. */
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

export interface AnswerColumn {
  readonly name: string;
  readonly function: string;
  readonly target: string;
  readonly property?: string;
}

export interface GroupColumn {
  readonly name: string;
  readonly kind: 'node' | 'property';
  readonly node: string;
  readonly entity: string;
  readonly property?: string;
}

/** How the query was understood and what was sent, values left out. */
export interface Debug {
  readonly ast: unknown;
  readonly sql: readonly string[];
}
