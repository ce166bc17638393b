import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { apiExample, receiptExample } from './api.examples.js';
import { planApiCreation, planApiUpdate } from './api.planner.js';
import {
  apiAnswer,
  apiId,
  apiListQuery,
  apiPatch,
  newApi,
  type ApiListQuery,
  type ApiPatch,
  type NewApi,
} from './api.schemas.js';
import { GetApi, ListApis } from './apis.queries.js';
import { ImpactLookup } from './impact.lookup.js';
import { impactAnswer, impactExample, type Impact } from './impact.schemas.js';

@Controller('v1/hosts/:hostId/apis')
export class ApisController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
    private readonly impacts: ImpactLookup,
  ) {}

  @Get()
  @Operation({
    id: 'listApis',
    summary: 'List APIs',
    scope: 'catalog:read',
    query: apiListQuery,
    answer: listAnswer(apiAnswer),
    example: { query: { q: 'account' }, answer: { items: [apiExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: ApiListQuery) {
    return this.queryBus.execute(new ListApis(visibility, query));
  }

  @Get(':apiId')
  @Operation({
    id: 'getApi',
    summary: 'Get an API',
    scope: 'catalog:read',
    params: { apiId },
    answer: apiAnswer,
    example: { answer: apiExample },
  })
  async get(@VisibleTo() visibility: Visibility, @Param('apiId') id: string): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetApi(visibility, id)));
  }

  @Get(':apiId/impact')
  @Operation({
    id: 'getApiImpact',
    summary: 'What would change if an API went inactive, with all its versions',
    description: 'Cut to what the token covers; empty where it is inactive already.',
    scope: 'catalog:read',
    params: { apiId },
    answer: impactAnswer,
    example: { answer: impactExample },
  })
  async impact(@VisibleTo() visibility: Visibility, @Param('apiId') id: string): Promise<Impact> {
    await this.queryBus.execute(new GetApi(visibility, id));
    return this.impacts.of(visibility, { kind: 'api', id });
  }

  @Post()
  @Operation({
    id: 'createApi',
    summary: 'Register an API',
    description: 'Refused with `api_exists` where the apiId is taken.',
    scope: 'catalog:write',
    body: newApi,
    status: 201,
    answer: receiptAnswer,
    example: {
      body: { apiId: 'accounts', apiName: 'Account API' },
      answer: { ...receiptExample, id: 'accounts' },
    },
  })
  create(@Context() context: WriteContext, @Body() body: NewApi): Promise<Reply> {
    const { hostId } = context;
    return this.commandBus.execute(
      new WriteCommand({
        context,
        mode: 'locked',
        plan: () => planApiCreation(hostId, body),
        reply: receipt(201, undefined, ({ id }) => `/v1/hosts/${hostId}/apis/${id}`),
      }),
    );
  }

  @Patch(':apiId')
  @Operation({
    id: 'updateApi',
    summary: 'Change an API',
    description: 'What is left out stays; null takes a word back.',
    scope: 'catalog:write',
    params: { apiId },
    body: apiPatch,
    answer: receiptAnswer,
    example: {
      body: { apiDesc: 'Accounts, statements and transfers.' },
      answer: { ...receiptExample, id: 'accounts', version: 2 },
    },
  })
  update(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('apiId') id: string,
    @Body() body: ApiPatch,
  ): Promise<Reply> {
    const plan = () => planApiUpdate(visibility, id, body);
    return this.commandBus.execute(new WriteCommand({ context, mode: 'locked', plan, reply: receipt(200) }));
  }
}
