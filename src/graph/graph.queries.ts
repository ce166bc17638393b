import type { Database, Sql } from '../eventsourcing/sql.js';
import { aggregationStatement } from './aggregation.sql.js';
import { aggregationAnswer, traversalAnswer } from './answer.js';
import type { GraphAnswer } from './answer.types.js';
import { countStatement } from './expansion.sql.js';
import type { Run } from './exploring.js';
import { tooLarge } from './faults.js';
import type { GraphScope } from './graph.scope.js';
import { neighborsOf } from './neighbors.js';
import { nodeTypes } from './ontology.js';
import { pathsOf } from './paths.js';
import type { Query } from './query.ast.js';
import { nameOfRepeated } from './repeated-texts.statement.js';
import { queryLimits, queryRole } from './query-limits.js';
import type { Statement } from './statement.sql.js';
import { traversalStatement, type MatchRow } from './traversal.sql.js';

export interface Running {
  /** Is told what was sent, without its values. */
  readonly statements?: string[];
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Runs a checked query in one read-only transaction. */
export function runQuery(
  database: Database,
  query: Query,
  scope: GraphScope,
  running: Running = {},
): Promise<GraphAnswer> {
  const timed = database.embedded;
  return database.of(scope.hostId).transaction(async (tx) => {
    const run = within(tx, running);
    switch (query.kind) {
      case 'traversal':
        return traversalAnswer(query, await run<MatchRow>(traversalStatement(query, scope, timed)));
      case 'aggregation':
        return aggregationAnswer(query, await run<MatchRow>(aggregationStatement(query, scope, timed)));
      case 'neighbors':
        return neighborsOf(query, scope, run);
      case 'path_finding':
        return pathsOf(query, scope, run);
    }
  });
}

/** How many nodes of each kind there are in what the caller sees. */
export function countNodes(
  database: Database,
  scope: GraphScope,
): Promise<readonly { readonly name: string; readonly count: number }[]> {
  return database.of(scope.hostId).transaction((tx) => within(tx, {})(countStatement(nodeTypes, scope)));
}

/** From its first statement on the transaction is read-only, timed, and the query role's. */
function within(tx: Sql, { statements = [], timeout = queryLimits.statementTimeout }: Running): Run {
  let entered: Promise<unknown> | undefined;
  return async <Row extends object>({ text, values }: Statement) => {
    entered ??= tx.query(
      `SELECT set_config('transaction_read_only', 'on', true), set_config('statement_timeout', $1, true),
        set_config('app.graph_until', (clock_timestamp() + $1::integer * interval '1 millisecond')::text, true),
        set_config('role', $2, true)`,
      [String(timeout), queryRole],
      'graph_enter',
    );
    statements.push(text.replace(/\s+/g, ' '));
    // Sent together; where the first fails, so does the second.
    const [rows] = await Promise.all([tx.query<Row>(text, values, nameOfRepeated(text)), entered]);
    refuseLarge(rows[0]);
    return rows;
  };
}

/** What is too much in all was left in the database (see boundedSql). */
function refuseLarge(first: object = {}): void {
  const bytes: unknown = Reflect.get(first, 'told_bytes');
  if (typeof bytes === 'number' && bytes > queryLimits.answerBytes) throw tooLarge(bytes);
}
