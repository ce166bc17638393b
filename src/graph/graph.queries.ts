import { sqlState, statementName, type Database } from '../kernel/sql.js';
import { aggregationStatement } from './sql/aggregation.sql.js';
import { aggregationAnswer, traversalAnswer } from './answering/answer.js';
import type { GraphAnswer } from './answering/response-format.js';
import type { Total } from './sql/cursor.js';
import { countStatement } from './sql/expansion.sql.js';
import type { Run } from './answering/exploring.js';
import { tooLarge } from './reading/filter.reading.js';
import type { GraphScope } from './graph-scopes.service.js';
import { neighborsOf } from './answering/neighbors.js';
import { nodeTypes } from './ontology.js';
import { pathsOf } from './answering/paths.js';
import type { Query, Traversal } from './reading/query.ast.js';
import { queryLimits, queryRole, type Statement, timeIsOver } from './sql/statement.sql.js';
import { type MatchRow, totalStatement, traversalProgress, traversalStatement } from './sql/traversal.sql.js';
import { LRUCache } from 'lru-cache';

interface Running {
  /** Receives the texts that were sent, without their values. */
  readonly statements?: string[];
  /** Milliseconds. */
  readonly timeout?: number;
  /** Milliseconds for counting all matches of a traversal. */
  readonly countTimeout?: number;
}

/** Runs a checked query in one read-only transaction; counting all of its rows may take another one. */
export async function runQuery(
  database: Database,
  query: Query,
  scope: GraphScope,
  running: Running = {},
): Promise<GraphAnswer> {
  if (query.kind === 'traversal') return traverse(database, query, scope, running);
  return within(database, scope, running, async (run) => {
    switch (query.kind) {
      case 'aggregation': {
        const statement = aggregationStatement(query, scope, database.embedded);
        return aggregationAnswer(query, await run<MatchRow>(statement));
      }
      case 'neighbors':
        return neighborsOf(query, scope, run);
      case 'path_finding':
        return pathsOf(query, scope, run);
    }
  });
}

async function traverse(
  database: Database,
  query: Traversal,
  scope: GraphScope,
  running: Running,
): Promise<GraphAnswer> {
  const before = traversalProgress(query);
  const statement = traversalStatement(query, scope, database.embedded);
  const rows = await within(database, scope, running, (run) => run<MatchRow>(statement));
  const hasMore = rows.length > query.limit;
  const given = (before?.given ?? 0) + Math.min(rows.length, query.limit);
  const counted = hasMore
    ? (before?.total ?? (await countMatches(database, query, scope, running)))
    : { count: given, isExact: true };
  const total = !hasMore || counted.count > given ? counted : { count: given + 1, isExact: false };
  return traversalAnswer(query, rows, { given, total });
}

/** Counts in a transaction of its own, so that a slow count doesn't fail the page. */
async function countMatches(
  database: Database,
  query: Traversal,
  scope: GraphScope,
  { statements = [], countTimeout: timeout = queryLimits.countTimeout }: Running,
): Promise<Total> {
  const statement = totalStatement(query, scope, database.embedded);
  try {
    const [row] = await within(database, scope, { statements, timeout }, (run) =>
      run<{ total: number }>(statement),
    );
    const count = row?.total ?? 0;
    return { count, isExact: count <= queryLimits.countedRows };
  } catch (error) {
    if (timeIsOver.includes(sqlState(error) ?? '')) return { count: 0, isExact: false };
    throw error;
  }
}

/** Counts the nodes of each kind that the caller sees. */
export function countNodes(
  database: Database,
  scope: GraphScope,
): Promise<readonly { readonly name: string; readonly count: number }[]> {
  return within(database, scope, {}, (run) => run(countStatement(nodeTypes, scope)));
}

/** Runs in a timed transaction, which its first statement makes read-only and the query role's. */
function within<Answer>(
  database: Database,
  { hostId }: GraphScope,
  { statements = [], timeout = queryLimits.statementTimeout }: Running,
  work: (run: Run) => Promise<Answer>,
): Promise<Answer> {
  return database.of(hostId, timeout).transaction((tx) => {
    let entered: Promise<unknown> | undefined;
    return work(async <Row extends object>({ text, values }: Statement) => {
      entered ??= tx.query(
        `SELECT set_config('transaction_read_only', 'on', true),
          set_config('app.graph_until', (clock_timestamp() + $1::integer * interval '1 millisecond')::text, true),
          set_config('role', $2, true)`,
        [String(timeout), queryRole],
        'graph_enter',
      );
      statements.push(text.replace(/\s+/g, ' '));
      // Sent together: where entering fails, the statement fails, too.
      const [rows] = await Promise.all([tx.query<Row>(text, values, preparedName(text)), entered]);
      refuseLarge(rows[0]);
      return rows;
    });
  });
}

/** Refuses rows whose long texts are too much for an answer (see boundedSql). */
function refuseLarge(first: object = {}): void {
  const bytes: unknown = Reflect.get(first, 'long_bytes');
  if (typeof bytes === 'number' && bytes > queryLimits.answerBytes) throw tooLarge(bytes);
}

/** Times that a text is sent before it is prepared; texts that are counted, and texts that are prepared, at most. */
const TIMES_BEFORE_PREPARED = 3;
const MAX_COUNTED = 500;
const MAX_PREPARED = 32;

const seen = new LRUCache<string, number>({ max: MAX_COUNTED });
const kept = new Set<string>();

/**
 * The name under which a repeated text is prepared, since planning is most of the work of a small query. Undefined for
 * others, and once enough are prepared: each connection keeps plans of its own, and they are not small.
 */
function preparedName(text: string): string | undefined {
  if (kept.has(text)) return statementName(text);
  const times = (seen.get(text) ?? 0) + 1;
  seen.set(text, times);
  if (times < TIMES_BEFORE_PREPARED || kept.size === MAX_PREPARED) return undefined;
  seen.delete(text);
  kept.add(text);
  return statementName(text);
}
