import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import type { WebhookAnswer, WebhookListQuery } from './webhook.schemas.js';
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
