import { Inject, Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { Invalid, NotFound } from '../eventsourcing/errors.js';
import { Heads } from '../eventsourcing/heads.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import { AgentSearch } from './agent-search.service.js';
import { comparisonOf, type Comparison } from './evaluation-comparison.js';
import { confusionsOf, metricsOf, resultOf } from './evaluation-metrics.js';
import type { Expectation, Result } from './evaluation-metrics.js';
import { evaluationOf, insertEvaluation, setRows, type StoredEvaluation } from './evaluations.queries.js';
import { HostSearch } from './host-search.service.js';
import { ownPrompts } from './own-prompts.queries.js';
import { RehearsedSearch, type Rehearsed } from './rehearsed-search.service.js';
import type { EvaluationBody } from './evaluation.schemas.js';
import type { SearchAnswer, SearchBody } from './search.schemas.js';

const mostConfusions = 20;

/** Runs data sets against the catalog, and keeps what came of it. */
@Injectable()
export class Evaluations {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly heads: Heads,
    private readonly agents: AgentSearch,
    private readonly hosts: HostSearch,
    private readonly rehearsed: RehearsedSearch,
  ) {}

  /** Throws Invalid where it is not said what to ask, NotFound for an unknown data set, run or agent. */
  async run(caller: Caller, body: EvaluationBody): Promise<StoredEvaluation & { comparison?: Comparison }> {
    const { actor } = caller;
    const earlier =
      body.compareWith === undefined
        ? undefined
        : await evaluationOf(this.database.of(caller.hostId), caller, body.compareWith);
    const { position, search, own } = await this.searched(caller, body);
    const rows = await this.rowsOf(caller, body, own);
    const { results, latency } = await ask(rows, body, search);
    const evaluation = {
      id: v7(),
      dataSet: body.self ? 'self' : (body.dataSet ?? ''),
      agentDefId: body.agentDefId ?? null,
      position,
      metrics: { ...metricsOf(results), latency },
      confusions: confusionsOf(results, mostConfusions),
      results,
    };
    const stored = await insertEvaluation(this.database.of(caller.hostId), caller, actor.user, evaluation);
    return {
      ...stored,
      ...(earlier !== undefined && { comparison: comparisonOf(earlier.results, results) }),
    };
  }

  private async rowsOf(
    caller: Caller,
    { rows, dataSet, self, agentDefId }: EvaluationBody,
    rehearsed: readonly Expectation[] | undefined,
  ): Promise<readonly Expectation[]> {
    const ways = [rows !== undefined, dataSet !== undefined, self].filter(Boolean);
    if (ways.length !== 1) {
      throw new Invalid('invalid_body', 'Say what to ask, in one way.', [
        { pointer: '/rows', detail: 'name one of rows, dataSet and self' },
      ]);
    }
    if (rows !== undefined) return rows;
    if (dataSet !== undefined) return setRows(this.database.of(caller.hostId), caller.hostId, dataSet);
    const sql = this.database.of(caller.hostId);
    const own =
      rehearsed ?? (await ownPrompts(sql, visibilityOf(caller), await this.toolsOf(caller, agentDefId)));
    if (own.length === 0) throw new NotFound('tool with a prompt of its own', 'self');
    return own;
  }

  private async toolsOf(
    caller: Caller,
    agentDefId: string | undefined,
  ): Promise<readonly string[] | undefined> {
    return agentDefId === undefined ? undefined : this.agents.toolIds(caller, agentDefId);
  }

  /** What is asked, and how far its log goes. */
  private async searched(caller: Caller, body: EvaluationBody): Promise<Searched> {
    const { agentDefId, serviceId, envTag, asOf } = body;
    const position = await this.heads.position(caller.hostId);
    if (asOf !== undefined && (agentDefId === undefined || body.self)) throw notOfThePast();
    if (body.import !== undefined) return { position, ...(await this.after(caller, body, body.import)) };
    if (agentDefId === undefined) {
      return { position, search: (question) => this.hosts.search(visibilityOf(caller), question) };
    }
    if (asOf === undefined) {
      return { position, search: (question) => this.agents.search(caller, agentDefId, question) };
    }
    const { version, search } = await this.agents.past(caller, agentDefId, { serviceId, envTag, asOf });
    return { position: version, search };
  }

  private async after(caller: Caller, body: EvaluationBody, imported: object): Promise<Rehearsed> {
    requireScope(caller, 'catalog:write');
    if (body.asOf !== undefined) throw eitherPastOrFuture();
    return this.rehearsed.after(caller, imported, body);
  }
}

interface Searched extends Partial<Pick<Rehearsed, 'own'>> {
  readonly position: number;
  readonly search: (question: SearchBody) => Promise<SearchAnswer>;
}

function eitherPastOrFuture(): Invalid {
  return new Invalid('invalid_body', 'A catalog of the past takes no import.', [
    { pointer: '/import', detail: 'can’t stand beside asOf' },
  ]);
}

function notOfThePast(): Invalid {
  return new Invalid('invalid_body', 'Only an agent’s catalog is known as it was.', [
    { pointer: '/asOf', detail: 'needs agentDefId, and rows or a data set' },
  ]);
}

async function ask(
  rows: readonly Expectation[],
  { serviceId, envTag }: EvaluationBody,
  search: Searched['search'],
) {
  const results: Result[] = [];
  const times: number[] = [];
  for (const row of rows) {
    const question = {
      prompt: row.prompt,
      kinds: ['tool' as const],
      limit: 10,
      explain: false,
      ...(serviceId !== undefined && { serviceId }),
      ...(envTag !== undefined && { envTag }),
    };
    const started = performance.now();
    const { items } = await search(question);
    times.push(performance.now() - started);
    const found = items.map(({ name }) => name);
    results.push(resultOf(row, found));
  }
  return { results, latency: { p50: percentile(times, 0.5), p99: percentile(times, 0.99) } };
}

/** Milliseconds, to the hundredth. */
function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return Math.round((sorted[at] ?? 0) * 100) / 100;
}
