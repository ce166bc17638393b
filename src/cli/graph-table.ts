/** A raw answer of the graph, as a table for people. Pure. */
import { table } from './table.js';

type Row = Readonly<Record<string, unknown>>;

export interface GraphAnswer {
  readonly nodes: readonly Row[];
  readonly rows?: readonly unknown[];
  readonly columns?: readonly unknown[];
  readonly edges: readonly Row[];
  readonly pagination: {
    readonly has_more: boolean;
    readonly total_rows: number | null;
    readonly next_cursor?: string;
  };
}

/** Nodes by their kind, then edges; of an aggregation its rows. */
export function graphTable({ nodes, edges, rows, pagination }: GraphAnswer): string[] {
  const kinds = [...new Set(nodes.map(({ type }) => String(type)))];
  const blocks = [
    ...kinds.map((kind) => nodes.filter(({ type }) => String(type) === kind)),
    edges,
    ...(nodes.length === 0 && edges.length === 0 && rows !== undefined ? [rows.map(recordOf)] : []),
  ];
  const lines = blocks.filter((block) => block.length > 0).flatMap((block) => [...table(block), '']);
  const more = pagination.has_more ? [`More: --after ${pagination.next_cursor ?? ''}`] : [];
  return lines.length === 0 ? ['Nothing was found.'] : [...lines.slice(0, -1), ...more];
}

function recordOf(row: unknown): Row {
  return typeof row === 'object' && row !== null ? (row as Row) : { value: row };
}
