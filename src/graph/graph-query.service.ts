import { Inject, Injectable } from '@nestjs/common';
import { Invalid } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import { refuseNarrowed } from '../platform/auth/admission.js';
import { sqlState } from '../eventsourcing/sql-state.js';
import { LOG, type Log } from '../platform/logging/log.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { SlowReads } from '../platform/work/slow-reads.js';
import { jsonValidator } from '../platform/validation/validator.js';
import { responseFormatVersion, type GraphAnswer } from './answer.types.js';
import { invalidQuery, tooLarge } from './faults.js';
import { countNodes, runQuery } from './graph.queries.js';
import { GraphScopes } from './graph-scopes.service.js';
import { QueryRates } from './query-rates.service.js';
import type { Query } from './query.ast.js';
import { queryLimits, timeIsOver } from './query-limits.js';
import { queryOf } from './query.reading.js';
import {
  mostRows,
  mostRowsForModels,
  queryLanguageVersion,
  querySchema,
  type QueryText,
} from './query.schema.js';
import { shapeOf } from './redaction.js';
import { revision } from './schema-answer.js';

const validate = jsonValidator(querySchema);

/** Who asks, and how the answer is to be told. */
export interface Asking {
  readonly caller: Caller;
  /** Agent to whose catalog the query is confined. */
  readonly agentDefId?: string | undefined;
  /** `llm`: for a model, which is given less at once. */
  readonly format: 'raw' | 'llm';
  /** A further page of a query that was counted already. */
  readonly further?: boolean;
}

/** The one way from JSON to SQL: read, compiled, and run by a role that can only read the graph. */
@Injectable()
export class GraphQueries {
  private readonly durations;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly scopes: GraphScopes,
    private readonly rates: QueryRates,
    private readonly slowReads: SlowReads,
    metrics: Metrics,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.durations = metrics.histogram('catalog_graph_query_seconds', 'Time of graph queries, by type.', [
      'query_type',
      'outcome',
    ]);
  }

  /** Throws Invalid `invalid_graph_query` with every fault, and Problem 403 or 429. Fills defaults into the given JSON. */
  async answer(given: unknown, asking: Asking): Promise<GraphAnswer> {
    const { caller, agentDefId, format, further = false } = asking;
    if (!further) await this.rates.take(caller);
    const query = readQuery(given, format);
    if (query.debug) {
      requireScope(caller, 'catalog:admin');
      refuseNarrowed(caller);
    }
    const scope = await this.scopes.of(caller, agentDefId);
    const statements: string[] = [];
    const end = this.durations.startTimer({ query_type: query.kind });
    try {
      const answer = await this.slowReads.run(caller, () =>
        runQuery(this.database, query, scope, { statements }),
      );
      refuseLarge(answer);
      end({ outcome: 'answered' });
      this.log.info(
        { graphQuery: shapeOf(query), sql: statements, rows: answer.pagination.page_rows },
        'graph query',
      );
      return query.debug ? { ...answer, debug: { ast: shapeOf(query), sql: statements } } : answer;
    } catch (error) {
      end({ outcome: 'failed' });
      this.log.info({ graphQuery: shapeOf(query), sql: statements, failed: true }, 'graph query');
      throw inWords(error);
    }
  }

  /** What the caller sees of the graph, counted. */
  async status({ caller, agentDefId }: Omit<Asking, 'format'>): Promise<object> {
    await this.rates.take(caller);
    const scope = await this.scopes.of(caller, agentDefId);
    const counts = await this.slowReads.run(caller, () => countNodes(this.database, scope));
    const narrowed = scope.within !== undefined || scope.tiers !== 'all';
    return {
      ...{ format: 'portal_catalog.status.v1', revision },
      ...{ queryLanguage: queryLanguageVersion, responseFormat: responseFormatVersion },
      ...(!narrowed && { position: await this.positionOf(scope.hostId) }),
      node_types: counts,
      limits: { ...queryLimits, rows: mostRows, rowsForModels: mostRowsForModels },
    };
  }

  private async positionOf(hostId: string): Promise<number> {
    const rows = await this.database
      .of(hostId)
      .query<{ position: number }>('SELECT position FROM host_head_t WHERE host_id = $1', [hostId]);
    return rows[0]?.position ?? 0;
  }
}

/** Throws Invalid with every fault. Fills defaults into what is given: a copy of a long one would hold the event loop. */
export function readQuery(text: unknown, format: 'raw' | 'llm' = 'raw'): Query {
  const faults = validate(text);
  if (faults.length > 0) throw new Invalid(invalidQuery, 'The query does not have the form of one.', faults);
  const query = queryOf(text as QueryText);
  if (format === 'llm' && query.limit > mostRowsForModels) {
    const detail = `must be at most ${mostRowsForModels} in the format llm; the format raw gives up to 1000`;
    throw new Invalid(invalidQuery, `The query can’t be run: /limit ${detail}.`, [
      { pointer: '/limit', detail },
    ]);
  }
  return query;
}

function refuseLarge(answer: GraphAnswer): void {
  const bytes = Buffer.byteLength(JSON.stringify(answer));
  if (bytes > queryLimits.answerBytes) throw tooLarge(bytes);
}

/** SQLSTATE classes and states that tell of the query rather than of us. */
function inWords(error: unknown): unknown {
  const state = sqlState(error) ?? '';
  if (timeIsOver.includes(state)) {
    return new Invalid(
      'graph_query_too_slow',
      'The query took too long. Narrow it: node_ids, filters, fewer hops or relationships.',
    );
  }
  if (!state.startsWith('22')) return error;
  return new Invalid(invalidQuery, 'A value of the query can’t be compared with what it is compared with.');
}
