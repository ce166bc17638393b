import { Body, Controller, Get, Inject, Param, Put, Query } from '@nestjs/common';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import { line, listAnswer, listQuery, type ListQuery } from '../platform/http/schemas.js';
import { dataSetExample } from './evaluation.examples.js';
import { evaluationSetAnswer, evaluationSetBody, wholeEvaluationSet } from './evaluation.schemas.js';
import type { EvaluationSetBody } from './evaluation.schemas.js';
import {
  dataSetOf,
  listDataSets,
  putDataSet,
  type DataSet,
  type WholeDataSet,
} from './evaluations.queries.js';

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
      'Prompts, and the names of the tools that should be found. All of its rows: those before are gone.',
    scope: 'catalog:write',
    confined: 'refused',
    params: { setName: line(128) },
    body: evaluationSetBody,
    answer: evaluationSetAnswer,
    example: dataSetExample,
    tag: 'evaluations',
    // It touches no aggregate: neither If-Match nor Idempotency-Key has anything to hold on to.
    reads: true,
  })
  put(
    @CallerOf() caller: Caller,
    @Param('setName') name: string,
    @Body() { rows }: EvaluationSetBody,
  ): Promise<DataSet> {
    return putDataSet(this.database.of(caller.hostId), caller, name, rows);
  }
}
