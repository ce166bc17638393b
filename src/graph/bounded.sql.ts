/** Long texts in an answer: told once, and only where all of them together are not more than it may hold. Pure. */
import type { Property } from './ontology.types.js';
import { queryLimits } from './query-limits.js';
import type { Bound } from './statement.sql.js';

/** A column of a statement. */
export interface Told {
  readonly as: string;
  /** It may be long: its bytes are counted before it is read. */
  readonly long?: 'text' | 'list';
  /** Column with the id of the node that it is of: told in the first row of that node, null in the others. */
  readonly of?: string;
}

/** Columns `<of>_first` tell the first row of a node. */
export function isFirst(row: Readonly<Record<string, unknown>>, of: string): boolean {
  return row[`${of}_first`] !== false;
}

export function longText({ long }: Property): Pick<Told, 'long'> {
  return long === true ? { long: 'text' } : {};
}

/**
 * The rows of a statement in their order, with `told_bytes`: all bytes of their long columns together, which are null
 * where these are more than `queryLimits.answerBytes`. Size and order are known without reading what is long.
 */
export function boundedSql(select: string, columns: readonly Told[], bound: Bound): string {
  const long = columns.filter((column) => column.long !== undefined);
  if (long.length === 0) return select;
  const ids = [...new Set(long.flatMap(({ of }) => of ?? []))];
  const firsts = ids.map(
    (id) => `, row_number() OVER (PARTITION BY q.${id} ORDER BY q.place) = 1 AS ${id}_first`,
  );
  const sizes = long.map((column) => `coalesce(${sizeOf(column)}, 0)`);
  const most = bound.add(queryLimits.answerBytes, 'double precision');
  const told = columns.map(({ as, long: isLong, of }) => {
    if (isLong === undefined) return `w.${as}`;
    const once = of === undefined ? '' : ` AND w.${of}_first`;
    return `CASE WHEN w.told_bytes <= ${most}${once} THEN w.${as} END AS ${as}`;
  });
  const flags = ids.map((id) => `w.${id}_first`);
  return `SELECT ${[...told, ...flags, 'w.told_bytes'].join(', ')} FROM (
    SELECT s.*, sum(${sizes.join(' + ')}) OVER ()::double precision AS told_bytes FROM (
      SELECT q.*${firsts.join('')} FROM (
        SELECT i.*, row_number() OVER () AS place FROM (${select}) i) q) s) w
    ORDER BY w.place`;
}

function sizeOf({ as, long, of }: Told): string {
  const value = of === undefined ? `s.${as}` : `CASE WHEN s.${of}_first THEN s.${as} END`;
  return long === 'text' ? `octet_length(${value})` : `pg_column_size(${value})`;
}
