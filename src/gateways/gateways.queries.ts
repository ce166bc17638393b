import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { listPage } from '../platform/database/page.js';
import type { GatewayAnswer, GatewayListQuery } from './gateway.schemas.js';
import { visibleGateways } from './gateways.filter.js';
import type { GatewayRow } from './gateways.row.js';

interface GatewayPage {
  readonly items: GatewayAnswer[];
  readonly nextCursor?: string;
}

export class ListGateways extends Query<GatewayPage> {
  constructor(
    readonly visibility: Visibility,
    readonly filter: GatewayListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetGateway extends Query<GatewayAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly gatewayId: string,
  ) {
    super();
  }
}

@QueryHandler(ListGateways)
export class ListGatewaysHandler implements IQueryHandler<ListGateways> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, filter }: ListGateways): Promise<GatewayPage> {
    const { active, serviceId, envTag, limit, cursor } = filter;
    const where = visibleGateways(visibility);
    if (active !== 'all') where.add('active = ?', active === 'true');
    if (serviceId !== undefined) where.add('service_id = ?', serviceId);
    if (envTag !== undefined) where.add('env_tag = ?', envTag);
    const { rows, ...next } = await listPage<GatewayRow>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: 'gateway_t', where, text: 'service_id', id: 'gateway_id' },
      ...{ limit, cursor },
    });
    return { items: rows.map(answerOf), ...next };
  }
}

@QueryHandler(GetGateway)
export class GetGatewayHandler implements IQueryHandler<GetGateway> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, gatewayId }: GetGateway): Promise<GatewayAnswer> {
    const where = visibleGateways(visibility).add('gateway_id = ?', gatewayId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<GatewayRow>(`SELECT * FROM gateway_t ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound('gateway', gatewayId);
    return answerOf(row);
  }
}

function answerOf(row: GatewayRow): GatewayAnswer {
  return {
    gatewayId: row.gateway_id,
    serviceId: row.service_id,
    envTag: row.env_tag,
    url: row.url,
    protocolVersion: row.protocol_version,
    maxSensitivityTier: row.max_sensitivity_tier,
    auth: row.auth,
    checkIntervalSeconds: row.check_interval_seconds,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
