import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { DeleteWebhook } from './webhook.commands.js';
import { forgetDeliveries, replayDeliveries } from './webhook-deliveries.lookup.js';

/** With the webhook all that was to be delivered to it goes, in the same transaction. */
export async function planDeletion(sql: Sql, hostId: string, webhookId: string): Promise<readonly Command[]> {
  await forgetDeliveries(sql, hostId, webhookId);
  return [new DeleteWebhook(hostId, webhookId, {})];
}

/** Makes dead letters due again, all or one: how many. That is no event. Throws NotFound where the one is none. */
export async function planReplay(
  sql: Sql,
  hostId: string,
  webhookId: string,
  deliveryId?: string,
): Promise<number> {
  const replayed = await replayDeliveries(sql, hostId, webhookId, deliveryId);
  if (deliveryId !== undefined && replayed === 0) throw new NotFound('dead letter', deliveryId);
  return replayed;
}
