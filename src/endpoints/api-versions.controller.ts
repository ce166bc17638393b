import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo } from '../platform/http/parameters.js';
import { recordAnswer } from '../platform/http/replies.js';
import { listAnswer } from '../platform/http/schemas.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { apiVersionExample, exportExample } from './api.examples.js';
import { apiReads } from './api.record.js';
import { apiId } from './api.schemas.js';
import {
  apiVersionAnswer,
  apiVersionListQuery,
  apiVersionQuery,
  exportQuery,
  listedApiVersion,
  versionsOfApiQuery,
  type ApiVersionListQuery,
} from './api-version.schemas.js';
import { GetApiVersion, ListApiVersions } from './api-versions.queries.js';
import { ExportApiVersion } from './api-version-export.queries.js';
import { ImpactLookup } from './impact.lookup.js';
import { impactAnswer, impactExample, type Impact } from './impact.schemas.js';

/** Reads of API versions. What writes them may bring a document, and stands with the imports. */
@Controller('v1/hosts/:hostId')
export class ApiVersionsController {
  constructor(
    private readonly queryBus: QueryBus,
    private readonly impacts: ImpactLookup,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

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
    description: 'An API that is not there is 404, not an empty list.',
    scope: 'catalog:read',
    params: { apiId },
    query: versionsOfApiQuery,
    answer: listAnswer(listedApiVersion),
    example: { answer: { items: [apiVersionExample] } },
  })
  async listOfApi(
    @VisibleTo() visibility: Visibility,
    @Param('apiId') id: string,
    @Query() query: Omit<ApiVersionListQuery, 'apiId'>,
  ) {
    await apiReads.get(this.database.of(visibility.hostId), visibility, id);
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

  @Get('api-versions/:apiVersionId/impact')
  @Operation({
    id: 'getApiVersionImpact',
    summary: 'What would change if an API version went inactive',
    description: 'Cut to what the token covers; empty where it is inactive already.',
    scope: 'catalog:read',
    answer: impactAnswer,
    example: { answer: impactExample },
  })
  async impact(
    @VisibleTo() visibility: Visibility,
    @Param('apiVersionId') apiVersionId: string,
  ): Promise<Impact> {
    await this.queryBus.execute(new GetApiVersion(visibility, apiVersionId, false));
    return this.impacts.of(this.database.of(visibility.hostId), visibility, {
      kind: 'api_version',
      id: apiVersionId,
    });
  }

  @Get('api-versions/:apiVersionId/export')
  @Operation({
    id: 'exportApiVersion',
    summary: 'Export the endpoints of an API version',
    description:
      'Its active endpoints with their effective words, as a LightAPI 0.1.0 document. What comes back into the same ' +
      'version unaltered changes nothing: only operations that somebody has changed speak. Refused with ' +
      '`nothing_to_export` where there is no active endpoint, or where the version or its API is inactive.',
    scope: 'catalog:read',
    confined: 'refused',
    query: exportQuery,
    answer: { type: 'object', description: 'LightAPI Description 0.1.0.' },
    example: { query: { format: 'lightapi' }, answer: exportExample },
  })
  export(@VisibleTo() visibility: Visibility, @Param('apiVersionId') apiVersionId: string): Promise<object> {
    return this.queryBus.execute(new ExportApiVersion(visibility, apiVersionId));
  }
}
