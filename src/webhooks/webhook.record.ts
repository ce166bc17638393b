import { refuseUnfitAddresses } from '../gateways/shared.js';
import { Conditions } from '../platform/database/conditions.js';
import { secretNamePattern, text } from '../platform/http/schemas.js';
import { field, idField, later } from '../platform/records/fields.js';
import { record } from '../platform/records/record.js';
import { recordHandlers } from '../platform/records/record-handlers.js';
import { RecordReads } from '../platform/records/record-reads.js';
import { recordRoutes } from '../platform/records/record-routes.js';
import type { FieldsOf } from '../platform/records/record-spec.js';
import { UseCase } from '../platform/use-cases/use-case.js';
import { forgetDeliveries } from './webhook-deliveries.lookup.js';
import { noticeKinds } from './webhook-notice.js';

/** An address that is notified of changes of a host's catalog, and of versions that wait for a review. */
export const webhook = record({
  name: 'Webhook',
  noun: 'webhook',
  table: 'webhook_t',
  history: false,
  id: { webhookId: idField },
  fixed: {},
  fields: {
    url: field({
      sql: 'text',
      shown: { ...text(2000), description: 'Where notices are sent by POST.' },
      stored: { type: 'string' },
    }),
    secret: field({
      sql: 'text',
      shown: {
        type: 'string',
        pattern: secretNamePattern,
        description:
          'Name of the secret that notices are signed with: SECRETS_DIR/<hostId>/<name>.json, whose origins name the url’s.',
      },
      stored: { type: 'string' },
    }),
    kinds: later(
      field({
        sql: 'text[]',
        shown: {
          type: 'array',
          items: { type: 'string', enum: noticeKinds },
          uniqueItems: true,
          ...{ minItems: 1, default: ['catalog-changed'] },
          description:
            '`catalog-changed`: what may change an agent’s catalog. `review-wanted`: a version of a tool begins to wait for a ' +
            'review; `GET …/tools?inReview=true` says which.',
        },
        stored: { type: 'array', items: { type: 'string' } },
      }),
    ),
  },
  lifecycle: 'deleted',
  touches: 'nobody',
  updates: 'whole',
  events: { created: 'WebhookWrittenEvent', updated: 'WebhookWrittenEvent' },
});

interface Id {
  readonly webhookId: string;
}

export class PutWebhook extends UseCase<Id & FieldsOf<typeof webhook.spec>> {}
/** Deletes a webhook with its pending deliveries. */
export class DeleteWebhook extends UseCase<Id> {}

export const webhookHandlers = recordHandlers(
  webhook,
  { put: PutWebhook, delete: DeleteWebhook },
  {
    check: ({ url, secret }) => refuseUnfitAddresses({ url, secret }, [{ pointer: '/url', address: url }]),
    removeFacts: (sql, { context: { hostId } }, id) => forgetDeliveries(sql, hostId, id),
  },
);

export const webhookReads = new RecordReads(webhook.spec, {
  visible: ({ hostId }) => new Conditions().add('host_id = ?', hostId),
  orderBy: 'url',
});

/** Webhooks are host-wide: tokens narrowed to an agent are refused. */
export const administered = { scope: 'catalog:admin', confined: 'refused' } as const;

export const webhookExampleId = '0198c0de-0000-7000-8000-00000000e001';
const body = {
  url: 'https://agents.example.com/hooks/catalog',
  secret: 'agents-hook',
  kinds: ['catalog-changed'],
};

export const webhookRoutes = recordRoutes(webhookReads, {
  path: 'webhooks',
  access: administered,
  put: {
    useCase: PutWebhook,
    summary: 'Write a webhook',
    description:
      'Each change of the host’s catalog is sent to it as a CloudEvent `catalog-changed` with the position, and nothing ' +
      'else; where `kinds` has `review-wanted`, one of this type likewise. Signed as Standard Webhooks does. Changes that come close together are sent once. Every attempt passes the ' +
      'outbound guard.',
  },
  delete: {
    useCase: DeleteWebhook,
    summary: 'Delete a webhook',
    description: 'What was not delivered to it yet is forgotten.',
  },
  example: {
    body,
    answer: {
      ...{ webhookId: webhookExampleId, ...body, active: true, aggregateVersion: 1, position: 50 },
      ...{ updateTs: '2026-11-21T09:30:00.000Z', updateUser: 'olga' },
    },
    receipt: { id: webhookExampleId, version: 1, position: 50, changed: true },
  },
});
