import { Inject, Injectable } from '@nestjs/common';
import { Invalid } from '../kernel/errors.js';
import { DATABASE, sqlState, type Database } from '../kernel/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import { refuseNarrowed } from '../platform/auth/admission.js';
import { LOG, type Log } from '../platform/logging/log.js';
import { RateLimiter } from '../platform/http/rate-limiter.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { SlowReads } from '../platform/work/slow-reads.js';
import { jsonValidator } from '../platform/validation/validator.js';
import {
  type GraphAnswer,
  type Pins,
  refuseOtherVersions,
  responseFormatVersion,
} from './answering/response-format.js';
import { invalidQuery, tooLarge } from './reading/filter.reading.js';
import { countNodes, runQuery } from './graph.queries.js';
import { GraphScopes } from './graph-scopes.service.js';
import { type Query, shapeOf } from './reading/query.ast.js';
import { queryLimits, timeIsOver } from './sql/statement.sql.js';
import { queryOf } from './reading/query.reading.js';
import {
  MAX_ROWS,
  MAX_ROWS_FOR_MODELS,
  queryLanguageVersion,
  querySchema,
  type QueryText,
} from './reading/query.schema.js';
import { revision } from './schema-answer.js';

const validate = jsonValidator(querySchema);

/** Who asks, and the form of the answer. */
export interface Asking {
  readonly caller: Caller;
  /** Agent to whose catalog the query is confined. */
  readonly agentDefId?: string | undefined;
  /** `llm` limits the rows for models. */
  readonly format: 'raw' | 'llm';
  /** Set for further pages of a query, which don't count against the rate limit. */
  readonly further?: boolean;
}

/** Reads, compiles and runs queries, by a database role that can only read the graph. */
@Injectable()
export class GraphQueries {
  private readonly durations;
  private readonly bySubject: RateLimiter;
  private readonly byToken: RateLimiter;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly scopes: GraphScopes,
    private readonly slowReads: SlowReads,
    metrics: Metrics,
    @Inject(LOG) private readonly log: Log,
    @Inject(CONFIG) { rateLimit }: Config,
  ) {
    const limiter = (most: number): RateLimiter =>
      new RateLimiter(rateLimit === undefined ? undefined : Math.min(most, rateLimit));
    this.bySubject = limiter(queryLimits.perSubject);
    this.byToken = limiter(queryLimits.perToken);
    this.durations = metrics.histogram('catalog_graph_query_seconds', 'Time of graph queries, by type.', [
      'query_type',
      'outcome',
    ]);
  }

  /**
   * Fills defaults into the given JSON. Throws Invalid `invalid_graph_query` with every fault, Problem 403 and 429, and
   * Invalid `format_version_unsupported` or `language_version_unsupported` where another version is pinned.
   */
  async answer(given: unknown, asking: Asking, pins: Pins = {}): Promise<GraphAnswer> {
    refuseOtherVersions(pins);
    const { caller, agentDefId, format, further = false } = asking;
    if (!further) await this.limitRate(caller);
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
      throw faultOf(error);
    }
  }

  /** Counts the nodes that the caller sees. */
  async status({ caller, agentDefId }: Omit<Asking, 'format'>): Promise<object> {
    await this.limitRate(caller);
    const scope = await this.scopes.of(caller, agentDefId);
    const counts = await this.slowReads.run(caller, () => countNodes(this.database, scope));
    const narrowed = scope.within !== undefined || scope.tiers !== 'all';
    return {
      ...{ format: 'portal_catalog.status.v1', revision },
      ...{ queryLanguage: queryLanguageVersion, responseFormat: responseFormatVersion },
      ...(!narrowed && { position: await this.positionOf(scope.hostId) }),
      node_types: counts,
      limits: { ...queryLimits, rows: MAX_ROWS, rowsForModels: MAX_ROWS_FOR_MODELS },
    };
  }

  /** Limits the queries of one caller: with all their tokens, and with one. `RATE_LIMIT=off` lifts both limits. */
  private async limitRate({ issuer, hostId, actor, fingerprint, expiresAt }: Caller): Promise<void> {
    await this.bySubject.take(JSON.stringify([issuer, hostId, actor.user, actor.clientId ?? null]));
    await this.byToken.take(`${fingerprint} ${expiresAt}`);
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
  if (format === 'llm' && query.limit > MAX_ROWS_FOR_MODELS) {
    const detail = `must be at most ${MAX_ROWS_FOR_MODELS} in the format llm; the format raw gives up to 1000`;
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

/** Turns the SQLSTATEs that a query can cause into faults of the query. */
function faultOf(error: unknown): unknown {
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
