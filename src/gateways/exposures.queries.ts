import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import { visibleRows } from '../platform/database/visible-rows.js';
import type { ExposureAnswer, ExposureListQuery } from './exposure.schemas.js';
import type { ToolExposureRow } from './exposures.row.js';
import { requireGateway } from './gateway.lookup.js';

interface ExposurePage {
  readonly items: ExposureAnswer[];
  readonly nextCursor?: string;
}

/** Throws NotFound where there is no such gateway. */
export class ListExposures extends Query<ExposurePage> {
  constructor(
    readonly visibility: Visibility,
    readonly gatewayId: string,
    readonly filter: ExposureListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetExposure extends Query<ExposureAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly gatewayId: string,
    readonly toolId: string,
  ) {
    super();
  }
}

/** Exposures with what a reader's token is compared with: the tool's service, environment and tier. */
const exposures = `(
  SELECT x.*, t.name AS tool_name, t.active AS tool_active, t.service_id, t.env_tag, t.sensitivity_tier
  FROM tool_exposure_t x
  JOIN tool_read t ON t.host_id = x.host_id AND t.tool_id = x.tool_id) AS exposure`;
type Row = ToolExposureRow & { readonly tool_name: string; readonly tool_active: boolean };

@QueryHandler(ListExposures)
export class ListExposuresHandler implements IQueryHandler<ListExposures> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, gatewayId, filter }: ListExposures): Promise<ExposurePage> {
    const { active, limit, cursor } = filter;
    await requireGateway(this.database.of(visibility.hostId), visibility, gatewayId);
    const where = visibleExposures(visibility, gatewayId);
    if (active !== 'all') where.add('active = ?', active === 'true');
    const { rows, ...next } = await listPage<Row>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: exposures, where, text: 'tool_name', id: 'tool_id' },
      ...{ limit, cursor },
    });
    return { items: rows.map(answerOf), ...next };
  }
}

@QueryHandler(GetExposure)
export class GetExposureHandler implements IQueryHandler<GetExposure> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, gatewayId, toolId }: GetExposure): Promise<ExposureAnswer> {
    await requireGateway(this.database.of(visibility.hostId), visibility, gatewayId);
    const where = visibleExposures(visibility, gatewayId).add('tool_id = ?', toolId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<Row>(`SELECT * FROM ${exposures} ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound(`exposure on gateway ${gatewayId} of tool`, toolId);
    return answerOf(row);
  }
}

/** An exposure is seen by who sees gateway and tool. */
function visibleExposures(visibility: Visibility, gatewayId: string): Conditions {
  const limits = ['services', 'environments', 'tiers'] as const;
  return visibleRows(visibility, { limits }).add('gateway_id = ?', gatewayId);
}

function answerOf(row: Row): ExposureAnswer {
  return {
    gatewayId: row.gateway_id,
    toolId: row.tool_id,
    toolName: row.tool_name,
    toolActive: row.tool_active,
    targetHost: row.target_host,
    protocol: row.protocol,
    runtime: row.runtime,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
