import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf, Context } from '../platform/http/parameters.js';
import { listAnswer, listQuery, type ListQuery } from '../platform/http/schemas.js';
import type { KeyedContext } from '../platform/idempotency/idempotency.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { dataSetExample, evaluationExample, evaluationRunExample } from './evaluation.examples.js';
import { evaluationAnswer, evaluationBody, evaluationSummary } from './evaluation.schemas.js';
import type { EvaluationBody } from './evaluation.schemas.js';
import { evaluationOf, listEvaluations } from './evaluations.queries.js';
import type { EvaluationSummary, StoredEvaluation } from './evaluations.queries.js';
import { Evaluations } from './evaluations.service.js';

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
    description: 'Of those whose token reached what this one reaches.',
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
}
