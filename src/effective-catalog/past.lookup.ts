import { Inject, Injectable } from '@nestjs/common';
import { Invalid } from '../kernel/errors.js';
import { DATABASE, type Database, type Sql } from '../kernel/sql.js';
import { SlowReads, timedSql } from '../platform/work/slow-reads.js';
import { makeCatalog, type CatalogQuestion, type MadeCatalog } from './effective-catalog.queries.js';
import { catalogStatement } from './rows.queries.js';

/** Milliseconds that the database may take for one catalog. */
const MAX_TIME_MS = 10_000;

/** Reads catalogs as they were. Nothing is cached, since only people ask for the past, and seldom. */
@Injectable()
export class PastCatalogs {
  private statement: Promise<string> | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly slowReads: SlowReads,
  ) {}

  /**
   * Makes the catalog of that time, judged by the token of today. Throws NotFound where there was no such
   * agent, Invalid where the log has not come so far or where it takes too long, Problem 429 where too many are read at once.
   */
  read(question: CatalogQuestion, asOf: Moment): Promise<MadeCatalog> {
    const asker = { hostId: question.hostId, fingerprint: `agent ${question.agentDefId}` };
    return this.slowReads.run(asker, () => this.readInTurn(question, asOf));
  }

  private async readInTurn(question: CatalogQuestion, asOf: Moment): Promise<MadeCatalog> {
    const sql = timedSql(this.database, question.hostId, MAX_TIME_MS, tooSlow);
    const position = await positionOf(sql, question.hostId, asOf);
    this.statement ??= pastStatement(sql, catalogStatement, '$6').catch((error: unknown) => {
      this.statement = undefined;
      throw error;
    });
    const past = { position, statement: await this.statement };
    return (await makeCatalog(sql, question, { past })).catalog;
  }
}

function tooSlow(): Invalid {
  return new Invalid(
    'past_too_slow',
    'The catalog of that time could not be read soon enough. Try a moment nearer to now.',
  );
}

/** A position of the host's log, or milliseconds since 1970. */
export type Moment = { readonly position: number } | { readonly time: number };

/**
 * A moment as requests name it, checked by their schemas: digits are a position, else it is a time of RFC 3339, which
 * knows more than databases and `Date` do: small letters, a blank, and a 60th second, which counts as the end of its minute.
 */
export function momentOf(asOf: string): Moment {
  if (/^\d+$/.test(asOf)) return { position: Number(asOf) };
  const [, day, minute, second, zone = ''] = /^(.{10}).(\d\d:\d\d):(\d\d(?:\.\d+)?)(.*)$/.exec(asOf) ?? [];
  const within = second?.startsWith('60') ? '59.999' : second;
  // eslint-disable-next-line no-restricted-globals -- a text with its zone is parsed: no clock is read
  return { time: Date.parse(`${String(day)}T${String(minute)}:${String(within)}${zone.toUpperCase()}`) };
}

/** Of a time the last position at or before it. Throws Invalid where the log has not come so far. */
export async function positionOf(sql: Sql, hostId: string, asOf: Moment): Promise<number> {
  if ('time' in asOf) {
    const [row] = await sql.query<{ at: number }>(
      'SELECT position_at($1, to_timestamp($2::float8 / 1000)) AS at',
      [hostId, asOf.time],
    );
    return row?.at ?? 0;
  }
  const [head] = await sql.query<{ position: number }>(
    'SELECT position FROM host_head_t WHERE host_id = $1',
    [hostId],
  );
  const end = head?.position ?? 0;
  if (asOf.position <= end) return asOf.position;
  throw new Invalid('invalid_query', `The log of this host ends at position ${String(end)}.`, [
    { pointer: '/asOf', detail: `must be at most ${String(end)}` },
  ]);
}

interface Relation {
  readonly name: string;
  /** SQL of a view; null for a table. */
  readonly definition: string | null;
  /** Of a table: SQL of each column. */
  readonly columns: readonly string[];
  /** Of a table: the same columns as its history has them, null where it leaves one out; null without a history. */
  readonly kept: readonly string[] | null;
}

/** The views named and all relations that they are made of, each after those that it is made of. */
const relationsBehind = `
WITH RECURSIVE needed AS (
  SELECT to_regclass(name)::oid AS oid FROM unnest($1::text[]) AS name
  UNION
  SELECT d.refobjid FROM needed n
  JOIN pg_rewrite r ON r.ev_class = n.oid
  JOIN pg_depend d ON d.objid = r.oid AND d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
)
SELECT c.relname AS name, CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END AS definition,
  ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns,
  CASE WHEN h.oid IS NOT NULL THEN
    ARRAY(SELECT CASE WHEN k.attname IS NULL THEN format('NULL::%s', format_type(a.atttypid, a.atttypmod))
                      ELSE quote_ident(a.attname) END
          FROM pg_attribute a LEFT JOIN pg_attribute k ON k.attrelid = h.oid AND k.attname = a.attname
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) END AS kept
FROM needed n JOIN pg_class c ON c.oid = n.oid
LEFT JOIN pg_class h ON h.relnamespace = c.relnamespace AND h.relname = regexp_replace(c.relname, '_t$', '_history_t')
  AND h.oid <> c.oid
WHERE c.relkind IN ('r', 'v') ORDER BY c.relkind = 'v', c.oid`;

/**
 * A statement over the views `*_read` as they were at a position: each table that keeps a history is replaced by its
 * rows of that time, and the views are read over those. So the same views and the same statement serve the present and
 * the past.
 *
 * @param position the statement's parameter for it, like `$6`
 */
export async function pastStatement(sql: Sql, statement: string, position: string): Promise<string> {
  const views = [...new Set(statement.match(/\b\w+_read\b/g))];
  const relations = await sql.query<Relation>(relationsBehind, [views]);
  const then = relations.flatMap((relation) => partOf(relation, `${position}::bigint`)).join(',\n');
  const rest = statement.trimStart();
  return rest.startsWith('WITH ') ? `WITH ${then},\n${rest.slice('WITH '.length)}` : `WITH ${then}\n${rest}`;
}

function partOf({ name, definition, columns, kept }: Relation, at: string): string[] {
  const as = `${name} AS NOT MATERIALIZED`;
  if (definition !== null) return [`${as} (${definition.replace(/;\s*$/, '')})`];
  if (kept === null) return [];
  const history = name.replace(/_t$/, '_history_t');
  return [
    `${as} (SELECT ${columns.join(', ')} FROM ${name} WHERE position <= ${at}
     UNION ALL SELECT ${kept.join(', ')} FROM ${history} WHERE position <= ${at} AND to_position > ${at})`,
  ];
}
