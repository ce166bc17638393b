import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { visibleVersions } from './api-versions.queries.js';
import { effectiveOf } from './endpoint.effective.js';
import { endpointOf, stateColumns, type StateColumns } from './endpoints.columns.js';
import { visibleEndpoints } from './endpoints.filter.js';
import { lightApiOf, type ExportedVersion } from './lightapi-export.js';

/** Answers a LightAPI document. Throws NotFound, RuleBroken `nothing_to_export`. */
export class ExportApiVersion extends Query<object> {
  constructor(
    readonly visibility: Visibility,
    readonly apiVersionId: string,
  ) {
    super();
  }
}

@QueryHandler(ExportApiVersion)
export class ExportApiVersionHandler implements IQueryHandler<ExportApiVersion> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, apiVersionId }: ExportApiVersion): Promise<object> {
    const version = await this.version(visibility, apiVersionId);
    if (!version.active) {
      const detail = 'The version or its API is inactive: nothing of it is offered. Activate it first.';
      throw new RuleBroken('nothing_to_export', detail);
    }
    const where = visibleEndpoints(visibility).add('api_version_id = ?', apiVersionId).add('active');
    const rows = await this.database
      .of(visibility.hostId)
      .query<StateColumns>(
        `SELECT ${stateColumns.join(', ')} FROM api_endpoint_t ${where.sql()} ORDER BY endpoint, endpoint_id`,
        where.values,
      );
    if (rows.length === 0) {
      throw new RuleBroken(
        'nothing_to_export',
        'The version has no active endpoint. Import its document first.',
      );
    }
    const endpoints = rows.map((row) => ({
      endpoint: row.endpoint,
      facts: effectiveOf(endpointOf(row).layers).facts,
    }));
    return lightApiOf(version, endpoints);
  }

  private async version(
    visibility: Visibility,
    apiVersionId: string,
  ): Promise<ExportedVersion & { readonly active: boolean }> {
    const where = visibleVersions(visibility).add('api_version_id = ?', apiVersionId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<ExportedVersion & { readonly active: boolean }>(
        `SELECT v.api_version_id AS "apiVersionId", v.api_id AS "apiId", v.api_version AS "apiVersion",
              v.api_type AS "apiType", v.spec_format_version AS "formatVersion", a.api_name AS "apiName",
              a.api_desc AS "apiDesc", v.active AND a.active AS active
       FROM (SELECT * FROM api_version_t ${where.sql()}) v
       JOIN api_t a ON a.host_id = v.host_id AND a.api_id = v.api_id`,
        where.values,
      );
    if (row === undefined) throw new NotFound('API version', apiVersionId);
    return row;
  }
}
