import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Reply } from '../eventsourcing/command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo } from '../platform/http/parameters.js';
import { recordAnswer } from '../platform/http/replies.js';
import { listAnswer } from '../platform/http/schemas.js';
import { apiVersionExample } from './api.examples.js';
import { apiId } from './api.schemas.js';
import {
  apiVersionAnswer,
  apiVersionListQuery,
  apiVersionQuery,
  listedApiVersion,
  versionsOfApiQuery,
  type ApiVersionListQuery,
} from './api-version.schemas.js';
import { GetApiVersion, ListApiVersions } from './api-versions.queries.js';

/** Reads of API versions. What writes them may bring a document, and stands with the imports. */
@Controller('v1/hosts/:hostId')
export class ApiVersionsController {
  constructor(private readonly queryBus: QueryBus) {}

  @Get('api-versions')
  @Operation({
    id: 'listApiVersions',
    summary: 'List API versions',
    scope: 'catalog:read',
    query: apiVersionListQuery,
    answer: listAnswer(listedApiVersion),
    example: { query: { apiType: 'openapi' }, answer: { items: [apiVersionExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: ApiVersionListQuery) {
    return this.queryBus.execute(new ListApiVersions(visibility, query));
  }

  @Get('apis/:apiId/versions')
  @Operation({
    id: 'listVersionsOfApi',
    summary: 'List the versions of an API',
    scope: 'catalog:read',
    params: { apiId },
    query: versionsOfApiQuery,
    answer: listAnswer(listedApiVersion),
    example: { answer: { items: [apiVersionExample] } },
  })
  listOfApi(
    @VisibleTo() visibility: Visibility,
    @Param('apiId') id: string,
    @Query() query: Omit<ApiVersionListQuery, 'apiId'>,
  ) {
    return this.queryBus.execute(new ListApiVersions(visibility, { ...query, apiId: id }));
  }

  @Get('api-versions/:apiVersionId')
  @Operation({
    id: 'getApiVersion',
    summary: 'Get an API version',
    scope: 'catalog:read',
    query: apiVersionQuery,
    answer: apiVersionAnswer,
    example: { answer: apiVersionExample },
  })
  async get(
    @VisibleTo() visibility: Visibility,
    @Param('apiVersionId') apiVersionId: string,
    @Query('spec') spec: boolean,
  ): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetApiVersion(visibility, apiVersionId, spec)));
  }
}
