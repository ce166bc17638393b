import { Body, Controller, Delete, Get, Inject, Param, Post, Put, Query } from '@nestjs/common';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Operation } from '../../platform/http/operation.js';
import { CallerOf, Context } from '../../platform/http/parameters.js';
import { line, listAnswer, listQuery, type ListQuery } from '../../platform/http/schemas.js';
import {
  evaluationAnswer,
  evaluationBody,
  type EvaluationBody,
  evaluationSetAnswer,
  evaluationSetBody,
  type EvaluationSetBody,
  evaluationSummary,
  wholeEvaluationSet,
} from './evaluation.schemas.js';
import {
  type DataSet,
  dataSetOf,
  deleteDataSet,
  deleteEvaluation,
  evaluationOf,
  type EvaluationSummary,
  listDataSets,
  listEvaluations,
  putDataSet,
  type StoredEvaluation,
  type WholeDataSet,
} from './evaluations.queries.js';
import type { KeyedContext } from '../../platform/idempotency/idempotency.js';
import type { Reply } from '../../platform/idempotency/kept-replies.js';
import { Evaluations } from './evaluations.service.js';

const prompt = 'Which accounts does this customer have?';

const dataSetExample = {
  body: { rows: [{ prompt, expect: ['getAccounts'], forbid: ['deleteAccount'] }] },
  answer: { name: 'tellers', rowCount: 1, updateTs: '2026-08-01T09:00:00.000Z', updateUser: 'anna' },
} as const;

const evaluationExample = {
  id: '0199a000-0000-7000-8000-000000000009',
  dataSet: 'tellers',
  agentDefId: null,
  position: 120,
  metrics: {
    prompts: 1,
    hit1: 0,
    recall: { 1: 0, 3: 1, 5: 1, 10: 1 },
    mrr: 0.5,
    ndcg10: 0.6309,
    forbiddenHits: 0,
    intervals: {
      hit1: { low: 0, high: 0 },
      mrr: { low: 0.5, high: 0.5 },
      ndcg10: { low: 0.6309, high: 0.6309 },
    },
    latency: { p50: 3.2, p99: 3.2 },
  },
  updateTs: '2026-08-01T09:00:00.000Z',
  updateUser: 'anna',
} as const;

const evaluationRunExample = {
  ...evaluationExample,
  confusions: [{ expected: 'getAccounts', found: 'getCustomers', times: 1, prompt }],
  results: [
    { prompt, expect: ['getAccounts'], found: ['getCustomers', 'getAccounts'], rank: 2, forbidden: [] },
  ],
} as const;

/** The data sets of routing evaluations. */
@Controller('v1/hosts/:hostId/evaluation-sets')
export class EvaluationSetsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Get()
  @Operation({
    id: 'listEvaluationSets',
    summary: 'List the data sets of routing evaluations',
    scope: 'catalog:read',
    confined: 'refused',
    query: listQuery,
    answer: listAnswer(evaluationSetAnswer),
    example: { answer: { items: [dataSetExample.answer] } },
    tag: 'evaluations',
  })
  list(
    @CallerOf() caller: Caller,
    @Query() query: ListQuery,
  ): Promise<{ items: DataSet[]; nextCursor?: string }> {
    return listDataSets(this.database.of(caller.hostId), caller.hostId, query);
  }

  @Get(':setName')
  @Operation({
    id: 'getEvaluationSet',
    summary: 'Get a data set with its rows',
    scope: 'catalog:read',
    confined: 'refused',
    params: { setName: line(128) },
    answer: wholeEvaluationSet,
    example: { answer: { ...dataSetExample.answer, ...dataSetExample.body } },
    tag: 'evaluations',
  })
  get(@CallerOf() { hostId }: Caller, @Param('setName') name: string): Promise<WholeDataSet> {
    return dataSetOf(this.database.of(hostId), hostId, name);
  }

  @Put(':setName')
  @Operation({
    id: 'putEvaluationSet',
    summary: 'Keep a data set',
    description:
      'Prompts, and the names of the tools that should be found. All of its rows: those before are gone. A host keeps 100 data sets.',
    scope: 'catalog:write',
    confined: 'refused',
    params: { setName: line(128) },
    body: evaluationSetBody,
    answer: evaluationSetAnswer,
    example: dataSetExample,
    tag: 'evaluations',
    // Writes no aggregate, so If-Match and Idempotency-Key have no use.
    reads: true,
  })
  put(
    @CallerOf() caller: Caller,
    @Param('setName') name: string,
    @Body() { rows }: EvaluationSetBody,
  ): Promise<DataSet> {
    return putDataSet(this.database.of(caller.hostId), caller, name, rows);
  }

  @Delete(':setName')
  @Operation({
    id: 'deleteEvaluationSet',
    summary: 'Delete a data set',
    description: 'It is gone, with its rows; runs that asked it stay.',
    scope: 'catalog:write',
    confined: 'refused',
    params: { setName: line(128) },
    answer: evaluationSetAnswer,
    example: { answer: dataSetExample.answer },
    tag: 'evaluations',
    reads: true,
  })
  delete(@CallerOf() { hostId }: Caller, @Param('setName') name: string): Promise<DataSet> {
    return deleteDataSet(this.database.of(hostId), hostId, name);
  }
}

@Controller('v1/hosts/:hostId/evaluations')
export class EvaluationsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly evaluations: Evaluations,
  ) {}

  @Post()
  @Operation({
    id: 'runEvaluation',
    summary: 'Ask the catalog the prompts of a data set',
    description:
      'Says how often the tool that was meant came first, and which tool stole its place; for one agent, or over all ' +
      'that the token may read. With compareWith also what got better and worse.',
    scope: 'catalog:read',
    confined: 'refused',
    body: evaluationBody,
    status: 201,
    answer: evaluationAnswer,
    example: { body: dataSetExample.body, answer: evaluationRunExample },
    // A run has no version that If-Match could name.
    batch: true,
  })
  run(
    @CallerOf() caller: Caller,
    @Context() context: KeyedContext,
    @Body() body: EvaluationBody,
  ): Promise<Reply> {
    return this.evaluations.run(caller, context, body);
  }

  @Get()
  @Operation({
    id: 'listEvaluations',
    summary: 'List the runs of evaluations',
    description: 'Of those whose token reached what this one reaches; of a host the newest 200 are kept.',
    scope: 'catalog:read',
    confined: 'refused',
    query: listQuery,
    answer: listAnswer(evaluationSummary),
    example: { answer: { items: [evaluationExample] } },
  })
  list(
    @CallerOf() caller: Caller,
    @Query() query: ListQuery,
  ): Promise<{ items: EvaluationSummary[]; nextCursor?: string }> {
    return listEvaluations(this.database.of(caller.hostId), caller, query);
  }

  @Get(':evaluationId')
  @Operation({
    id: 'getEvaluation',
    summary: 'Get a run of an evaluation',
    scope: 'catalog:read',
    confined: 'refused',
    answer: evaluationAnswer,
    example: { answer: evaluationRunExample },
  })
  get(@CallerOf() caller: Caller, @Param('evaluationId') id: string): Promise<StoredEvaluation> {
    return evaluationOf(this.database.of(caller.hostId), caller, id);
  }

  @Delete(':evaluationId')
  @Operation({
    id: 'deleteEvaluation',
    summary: 'Delete a run of an evaluation',
    description: 'Its prompts and results are gone; what was recorded of a version keeps its figures.',
    scope: 'catalog:write',
    confined: 'refused',
    answer: evaluationSummary,
    example: { answer: evaluationExample },
    reads: true,
  })
  delete(@CallerOf() caller: Caller, @Param('evaluationId') id: string): Promise<EvaluationSummary> {
    return deleteEvaluation(this.database.of(caller.hostId), caller, id);
  }
}
