import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import type {
  DeliveryAnswer,
  DeliveryListQuery,
  WebhookAnswer,
  WebhookListQuery,
} from './webhook.schemas.js';
import type { WebhookRow } from './webhooks.row.js';

interface WebhookPage {
  readonly items: WebhookAnswer[];
  readonly nextCursor?: string;
}

export class ListWebhooks extends Query<WebhookPage> {
  constructor(
    readonly visibility: Visibility,
    readonly filter: WebhookListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetWebhook extends Query<WebhookAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly webhookId: string,
  ) {
    super();
  }
}

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

@QueryHandler(ListWebhooks)
export class ListWebhooksHandler implements IQueryHandler<ListWebhooks> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, filter: { active, ...page } }: ListWebhooks): Promise<WebhookPage> {
    const where = new Conditions().add('host_id = ?', visibility.hostId);
    if (active !== 'all') where.add('active = ?', active === 'true');
    const { rows, ...next } = await listPage<WebhookRow>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: 'webhook_t', where, text: 'url', id: 'webhook_id', ...page },
    });
    return { items: rows.map(answerOf), ...next };
  }
}

@QueryHandler(GetWebhook)
export class GetWebhookHandler implements IQueryHandler<GetWebhook> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, webhookId }: GetWebhook): Promise<WebhookAnswer> {
    const [row] = await this.database
      .of(visibility.hostId)
      .query<WebhookRow>('SELECT * FROM webhook_t WHERE host_id = $1 AND webhook_id = $2 AND active', [
        visibility.hostId,
        webhookId,
      ]);
    if (row === undefined) throw new NotFound('webhook', webhookId);
    return answerOf(row);
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
    return { items: rows.map(deliveryOf), ...next };
  }
}

function answerOf(row: WebhookRow): WebhookAnswer {
  return {
    webhookId: row.webhook_id,
    url: row.url,
    secret: row.secret,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}

function deliveryOf(row: DeliveryRow): DeliveryAnswer {
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
