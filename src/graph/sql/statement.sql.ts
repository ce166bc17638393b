/** Statements with their values and limits. Long texts are sent once, and within the limit of an answer. Pure. */
import type { Property } from '../ontology.types.js';

/** Limits of one query and of one caller. */
export const queryLimits = {
  /** Milliseconds of one statement; on the embedded database of all statements of a query, checked at each step. */
  statementTimeout: 5_000,
  /** Rows of a traversal that are counted, and milliseconds for that. */
  countedRows: 10_000,
  countTimeout: 1_000,
  /** Bytes of an answer, as JSON. */
  answerBytes: 4 * 1024 * 1024,
  /** Queries a minute: of one subject with all its tokens, and of one token. */
  perSubject: 12_000,
  perToken: 6_000,
} as const;

/** SQLSTATE of a statement that the server or its own clock has ended. */
export const timeIsOver: readonly string[] = ['57014', '22012'];

/** Role that can read the views of the graph, and nothing else. */
export const queryRole = 'portal_catalog_query';

/** A statement with its values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Gathers the values of one statement: a value never becomes part of its text. */
export class Bound {
  readonly values: unknown[] = [];
  private readonly shared = new Map<unknown, string>();

  /** Adds a value and returns its placeholder: `$3::uuid`. */
  add(value: unknown, sqlType: string): string {
    this.values.push(value);
    return `$${this.values.length}::${sqlType}`;
  }

  /** Returns the same placeholder for the same value. */
  once(value: unknown, sqlType: string): string {
    const known = this.shared.get(value);
    if (known !== undefined) return known;
    const placeholder = this.add(value, sqlType);
    this.shared.set(value, placeholder);
    return placeholder;
  }
}

/** A column of a statement. */
export interface SelectedColumn {
  readonly as: string;
  /** Set for long columns, whose bytes are counted before they are read. */
  readonly long?: 'text' | 'list';
  /** Column with the id of its node: given in the first row of that node, null in the others. */
  readonly of?: string;
}

/** Reads the column `<of>_first`: whether this is the first row of its node. */
export function isFirst(row: Readonly<Record<string, unknown>>, of: string): boolean {
  return row[`${of}_first`] !== false;
}

export function longText({ long }: Property): Pick<SelectedColumn, 'long'> {
  return long === true ? { long: 'text' } : {};
}

/**
 * Wraps a statement: adds `long_bytes`, the bytes of all long columns together, and leaves these null where they are
 * more than `queryLimits.answerBytes`. Size and order are known without reading long texts.
 */
export function boundedSql(select: string, columns: readonly SelectedColumn[], bound: Bound): string {
  const long = columns.filter((column) => column.long !== undefined);
  if (long.length === 0) return select;
  const ids = [...new Set(long.flatMap(({ of }) => of ?? []))];
  const firsts = ids.map(
    (id) => `, row_number() OVER (PARTITION BY q.${id} ORDER BY q.place) = 1 AS ${id}_first`,
  );
  const sizes = long.map((column) => `coalesce(${sizeOf(column)}, 0)`);
  const most = bound.add(queryLimits.answerBytes, 'double precision');
  const selected = columns.map(({ as, long: isLong, of }) => {
    if (isLong === undefined) return `w.${as}`;
    const once = of === undefined ? '' : ` AND w.${of}_first`;
    return `CASE WHEN w.long_bytes <= ${most}${once} THEN w.${as} END AS ${as}`;
  });
  const flags = ids.map((id) => `w.${id}_first`);
  return `SELECT ${[...selected, ...flags, 'w.long_bytes'].join(', ')} FROM (
    SELECT s.*, sum(${sizes.join(' + ')}) OVER ()::double precision AS long_bytes FROM (
      SELECT q.*${firsts.join('')} FROM (
        SELECT i.*, row_number() OVER () AS place FROM (${select}) i) q) s) w
    ORDER BY w.place`;
}

function sizeOf({ as, long, of }: SelectedColumn): string {
  const value = of === undefined ? `s.${as}` : `CASE WHEN s.${of}_first THEN s.${as} END`;
  return long === 'text' ? `octet_length(${value})` : `pg_column_size(${value})`;
}
