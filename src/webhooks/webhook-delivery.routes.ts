import { Post, type Type } from '@nestjs/common';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { NotFound } from '../kernel/errors.js';
import { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import { resultReply } from '../platform/http/replies.js';
import { dateTime, listAnswer, listProperties, objectOf, uuid } from '../platform/http/schemas.js';
import { readRoute, writeRoute } from '../platform/records/routes.js';
import { handle, UseCase } from '../platform/use-cases/use-case.js';
import { replayDeliveries } from './webhook-deliveries.lookup.js';
import { noticeKinds } from './webhook-notice.js';
import { administered, webhookExampleId, webhookReads } from './webhook.record.js';

const { limit, cursor } = listProperties;
const states = ['pending', 'dead'] as const;

const deliveryListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit,
    cursor,
    state: { type: 'string', enum: states, description: 'dead: given up, to be replayed by you.' },
  },
} as const satisfies JSONSchema;

const deliveryAnswer = objectOf({
  deliveryId: { ...uuid, description: 'Id of the CloudEvent: the same at every attempt.' },
  webhookId: uuid,
  kind: { type: 'string', enum: noticeKinds },
  position: { type: 'integer', description: 'Position in the host’s log that it tells of.' },
  time: dateTime,
  state: { type: 'string', enum: states },
  attempts: { type: 'integer' },
  nextAttemptAt: { ...dateTime, description: 'Of a dead one: when it was given up, or soon after.' },
  lastError: { type: ['string', 'null'] },
});

const deliveryExample = {
  deliveryId: '5f0a1f1e-3c0f-4f0e-9d6a-1d1a5f7c2b11',
  webhookId: webhookExampleId,
  kind: 'catalog-changed',
  position: 57,
  time: '2026-11-21T09:31:00.000Z',
  state: 'dead',
  attempts: 12,
  nextAttemptAt: '2026-11-21T10:31:00.000Z',
  lastError: 'It answered with the status 500.',
};

/** Replays the dead letters of a webhook, all or one, without an event. */
export class ReplayDeliveries extends UseCase<
  { readonly webhookId: string; readonly deliveryId?: string },
  { readonly replayed: number }
> {}

const replayAnswer = objectOf({
  replayed: { type: 'integer', description: 'Dead letters that are due again.' },
});

export const webhookDeliveryHandlers = [
  handle(ReplayDeliveries, {
    async load(sql, { webhookId, deliveryId }, { visibility }) {
      await webhookReads.get(sql, visibility, webhookId);
      const replayed = await replayDeliveries(sql, visibility.hostId, webhookId, deliveryId);
      if (deliveryId !== undefined && replayed === 0) throw new NotFound('dead letter', deliveryId);
      return { replayed };
    },
    decide: () => [],
    result: (_outcomes, _position, replayed) => replayed,
  }),
];

interface DeliveryRow {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly kind: string;
  readonly position: number;
  readonly event_ts: string;
  readonly state: string;
  readonly attempts: number;
  readonly next_attempt_ts: string;
  readonly last_error: string | null;
}

/** Adds the time as text of one length, since lists are ordered by text. */
const deliveries = `(
  SELECT d.*, to_char(event_ts AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS') AS place FROM webhook_delivery_t d) AS delivery`;

const listDeliveries = readRoute<FromSchema<typeof deliveryListQuery>>(
  'webhooks/:webhookId/deliveries',
  {
    ...{ id: 'listWebhookDeliveries', ...administered },
    summary: 'List what is to be delivered to a webhook, and what was given up',
    description: 'Oldest first. What has arrived is in no list.',
    ...{ query: deliveryListQuery, answer: listAnswer(deliveryAnswer) },
    example: { query: { state: 'dead' }, answer: { items: [deliveryExample] } },
  },
  async (sql, { visibility, params: { webhookId = '' }, query: { state, ...page } }) => {
    await webhookReads.get(sql, visibility, webhookId);
    const where = new Conditions().add('host_id = ?', visibility.hostId).add('webhook_id = ?', webhookId);
    if (state !== undefined) where.add('state = ?', state);
    const { rows, ...next } = await listPage<DeliveryRow>(sql, {
      ...{ select: '*', from: deliveries, where, text: 'place', id: 'delivery_id', ...page },
    });
    return { items: rows.map(deliveryOf), ...next };
  },
);

const getDelivery = readRoute(
  'webhooks/:webhookId/deliveries/:deliveryId',
  {
    ...{ id: 'getWebhookDelivery', ...administered },
    summary: 'Get what is to be delivered to a webhook, or was given up',
    ...{ answer: deliveryAnswer, example: { answer: deliveryExample } },
  },
  async (sql, { visibility, params: { webhookId = '', deliveryId = '' } }) => {
    await webhookReads.get(sql, visibility, webhookId);
    const [row] = await sql.query<DeliveryRow>(
      'SELECT * FROM webhook_delivery_t WHERE host_id = $1 AND webhook_id = $2 AND delivery_id = $3',
      [visibility.hostId, webhookId, deliveryId],
    );
    if (row === undefined) throw new NotFound('delivery', deliveryId);
    return deliveryOf(row);
  },
);

function deliveryOf(row: DeliveryRow): object {
  return {
    deliveryId: row.delivery_id,
    webhookId: row.webhook_id,
    kind: row.kind,
    position: row.position,
    time: row.event_ts,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_ts,
    lastError: row.last_error,
  };
}

function replayRoute(path: string, id: string, summary: string, replayed: number): Type {
  const example = { answer: { replayed } };
  const operation = {
    ...{ id, summary, ...administered },
    batch: true,
    answer: replayAnswer,
    example,
  } as const;
  return writeRoute([Post, path], operation, ReplayDeliveries, resultReply);
}

export const webhookDeliveryRoutes = [
  listDeliveries,
  getDelivery,
  replayRoute(
    'webhooks/:webhookId/deliveries/:deliveryId/replay',
    'replayWebhookDelivery',
    'Deliver a dead letter again',
    1,
  ),
  replayRoute(
    'webhooks/:webhookId/replay',
    'replayWebhook',
    'Deliver all dead letters of a webhook again',
    3,
  ),
];
