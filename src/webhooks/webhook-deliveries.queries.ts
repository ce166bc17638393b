import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import type { DeliveryAnswer, DeliveryListQuery } from './webhook.schemas.js';

interface DeliveryPage {
  readonly items: DeliveryAnswer[];
  readonly nextCursor?: string;
}

export class ListDeliveries extends Query<DeliveryPage> {
  constructor(
    readonly visibility: Visibility,
    readonly webhookId: string,
    readonly filter: DeliveryListQuery,
  ) {
    super();
  }
}

/** Throws NotFound, also of what has arrived. */
export class GetDelivery extends Query<DeliveryAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly webhookId: string,
    readonly deliveryId: string,
  ) {
    super();
  }
}

/** Lists are ordered by text: times of one length. */
const deliveries = `(
  SELECT d.*, to_char(event_ts AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS') AS place FROM webhook_delivery_t d) AS delivery`;

interface DeliveryRow {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly position: number;
  readonly event_ts: string;
  readonly state: DeliveryAnswer['state'];
  readonly attempts: number;
  readonly next_attempt_ts: string;
  readonly last_error: string | null;
}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, webhookId, filter }: ListDeliveries): Promise<DeliveryPage> {
    const { state, ...page } = filter;
    const where = new Conditions().add('host_id = ?', visibility.hostId).add('webhook_id = ?', webhookId);
    if (state !== undefined) where.add('state = ?', state);
    const { rows, ...next } = await listPage<DeliveryRow>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: deliveries, where, text: 'place', id: 'delivery_id', ...page },
    });
    return { items: rows.map(answerOf), ...next };
  }
}

@QueryHandler(GetDelivery)
export class GetDeliveryHandler implements IQueryHandler<GetDelivery> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility: { hostId }, webhookId, deliveryId }: GetDelivery): Promise<DeliveryAnswer> {
    const [row] = await this.database
      .of(hostId)
      .query<DeliveryRow>(
        'SELECT * FROM webhook_delivery_t WHERE host_id = $1 AND webhook_id = $2 AND delivery_id = $3',
        [hostId, webhookId, deliveryId],
      );
    if (row === undefined) throw new NotFound('delivery', deliveryId);
    return answerOf(row);
  }
}

function answerOf(row: DeliveryRow): DeliveryAnswer {
  return {
    deliveryId: row.delivery_id,
    webhookId: row.webhook_id,
    position: row.position,
    time: row.event_ts,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_ts,
    lastError: row.last_error,
  };
}
