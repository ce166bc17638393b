import { Inject, Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { Invalid, NotFound } from '../../kernel/errors.js';
import { Idempotency, type KeyedContext } from '../../platform/idempotency/idempotency.js';
import { keepReply, type Reply } from '../../platform/idempotency/kept-replies.js';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { EvaluatedCatalogs, type EvaluatedCatalog } from './evaluated-catalogs.service.js';
import {
  comparisonOf,
  confusionsOf,
  type Expectation,
  metricsOf,
  pairsOf,
  type Result,
  resultOf,
} from './evaluation-metrics.js';
import { differencesOf, firstPlacesOf, intervalsOf } from './evaluation-intervals.js';
import { dataSetOf, evaluationOf, insertEvaluation } from './evaluations.queries.js';
import type { EvaluationBody } from './evaluation.schemas.js';
import { ownPrompts } from './own-questions.js';

const MAX_CONFUSIONS = 20;

/** Runs data sets against the catalog, and keeps the results. */
@Injectable()
export class Evaluations {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly catalogs: EvaluatedCatalogs,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Stores the run, and its reply under the idempotency key, in one transaction. Throws Invalid where no set of prompts
   * is named or several are, NotFound for an unknown data set, run or agent.
   */
  run(caller: Caller, context: KeyedContext, body: EvaluationBody): Promise<Reply> {
    return this.idempotency.once(
      context,
      () => this.carryOut(caller, context, body),
      (kept) => kept,
    );
  }

  private async carryOut(
    caller: Caller,
    { hostId, idempotency }: KeyedContext,
    body: EvaluationBody,
  ): Promise<Reply> {
    const database = this.database.of(hostId);
    const earlier =
      body.compareWith === undefined ? undefined : await evaluationOf(database, caller, body.compareWith);
    const { position, results, times, left } = await this.catalogs.asked(caller, body, async (catalog) => {
      const { rows, ...left } = await this.rowsOf(caller, body, catalog);
      const { found, times } = await catalog.ask(rows.map(({ prompt }) => prompt));
      const results = rows.map((row, place) => resultOf(row, found[place] ?? []));
      return { position: catalog.position, results, times, left };
    });
    const intervals = await intervalsOf(results);
    const evaluation = {
      id: v7(),
      dataSet: body.self ? 'self' : (body.dataSet ?? ''),
      agentDefId: body.agentDefId ?? null,
      position,
      metrics: { ...metricsOf(results), intervals, latency: latencyOf(times), ...left },
      confusions: confusionsOf(results, MAX_CONFUSIONS),
      results,
    };
    const comparison = earlier && { comparison: await comparedWith(earlier.results, results) };
    return database.transaction(async (tx) => {
      const stored = await insertEvaluation(tx, caller, evaluation);
      const reply = { status: 201, headers: {}, body: JSON.stringify({ ...stored, ...comparison }) } as const;
      if (idempotency !== undefined) await keepReply(tx, hostId, idempotency, reply);
      return reply;
    });
  }

  /** Finds the rows to ask; of a catalog's own prompts also the number beyond the limit. */
  private async rowsOf(
    { hostId }: Caller,
    { rows, dataSet, self }: EvaluationBody,
    { tools }: EvaluatedCatalog,
  ): Promise<{ readonly rows: readonly Expectation[]; readonly unasked?: number }> {
    const ways = [rows !== undefined, dataSet !== undefined, self].filter(Boolean);
    if (ways.length !== 1) {
      throw new Invalid('invalid_body', 'Say what to ask, in one way.', [
        { pointer: '/rows', detail: 'name one of rows, dataSet and self' },
      ]);
    }
    if (rows !== undefined) return { rows };
    if (dataSet !== undefined)
      return { rows: (await dataSetOf(this.database.of(hostId), hostId, dataSet)).rows };
    const own = ownPrompts(await tools());
    if (own.rows.length === 0) throw new NotFound('tool with a prompt of its own', 'self');
    return own;
  }
}

async function comparedWith(before: readonly Result[], now: readonly Result[]) {
  const pairs = pairsOf(before, now);
  return {
    ...comparisonOf(before, now),
    differences: await differencesOf(pairs),
    flips: firstPlacesOf(pairs),
  };
}

export function latencyOf(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

/** Returns milliseconds, to the hundredth. */
function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return Math.round((sorted[at] ?? 0) * 100) / 100;
}
