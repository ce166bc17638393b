import { setTimeout as sleep } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { OutboundFault } from '../platform/network/outbound-fault.js';
import type { OutboundLimits } from '../platform/network/outbound-session.js';
import { Outbound } from '../platform/network/outbound.js';
import { SecretStore, SecretUnavailable } from '../platform/network/secret-store.js';
import {
  failDelivery,
  forgetDelivery,
  forgetOldDeliveries,
  replayDeliveries,
  takeDeliveries,
  type TakenDelivery,
} from './webhook-deliveries.lookup.js';
import { cloudEvent, signed } from './webhook-signature.js';

/** Milliseconds between two looks at what is due. */
const period = 500;
/** Deliveries that one instance sends at once, each to another webhook: one that does not answer holds up itself alone. */
const atOnce = 32;
const limits: OutboundLimits = { timeMs: 10_000, bytes: 65_536 };
/** Looks between two clean-ups: about ten minutes. */
const roundsBetweenCleanUps = 1_200;

/** Sends deliveries and tries again. The instances of the service share the work through the database. */
@Injectable()
export class WebhookSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Webhooks');
  private readonly stopping = new AbortController();
  private readonly sent: ReturnType<typeof counterOf>;
  private rounds: Promise<void> | undefined;
  private readonly underWay = new Map<TakenDelivery, Promise<void>>();
  /** Aborted where a delivery has come to its end: there is room for the next. */
  private room = new AbortController();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly outbound: Outbound,
    private readonly secrets: SecretStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhookAttempts'>,
    metrics: Metrics,
  ) {
    this.sent = counterOf(metrics);
  }

  onApplicationBootstrap(): void {
    this.rounds = this.run();
  }

  /** Waits for what is on its way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.rounds;
    await Promise.all(this.underWay.values());
  }

  /** Makes dead letters of a webhook due again, all or one. How many. */
  replay(hostId: string, webhookId: string, deliveryId?: string): Promise<number> {
    return replayDeliveries(this.database.of(hostId), hostId, webhookId, deliveryId);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    for (let round = 0; !signal.aborted; round += 1) {
      try {
        if (round % roundsBetweenCleanUps === 0) await forgetOldDeliveries(this.database.acrossHosts);
        await this.begin();
      } catch (error) {
        this.log.error(`Webhooks could not be served: ${String(error)}`);
      }
      const until = AbortSignal.any([signal, this.room.signal]);
      await sleep(period, undefined, { signal: until, ref: false }).catch(() => undefined);
    }
  }

  /** What is due and there is room for. Nobody waits for it but the next one of the same webhook. */
  private async begin(): Promise<void> {
    this.room = new AbortController();
    const busy = [...this.underWay.keys()];
    if (busy.length >= atOnce) return;
    for (const delivery of await takeDeliveries(this.database.acrossHosts, atOnce - busy.length, busy)) {
      const ended = this.deliver(delivery)
        .catch((error: unknown) => {
          this.log.error(`A webhook could not be served: ${String(error)}`);
        })
        .finally(() => {
          this.underWay.delete(delivery);
          this.room.abort();
        });
      this.underWay.set(delivery, ended);
    }
  }

  private async deliver(delivery: TakenDelivery): Promise<void> {
    const failure = await this.send(delivery);
    const sql = this.database.of(delivery.hostId);
    if (failure === undefined) {
      this.sent.inc({ result: 'delivered' });
      await forgetDelivery(sql, delivery);
      return;
    }
    const givesUp = delivery.attempts >= this.config.webhookAttempts;
    this.sent.inc({ result: givesUp ? 'dead' : 'failed' });
    await failDelivery(sql, delivery, failure, givesUp);
  }

  /** Why it did not arrive, if it did not. */
  private async send({
    hostId,
    deliveryId,
    position,
    time,
    url,
    secret,
  }: TakenDelivery): Promise<string | undefined> {
    const address = new URL(url);
    const body = cloudEvent({ deliveryId, hostId, position, time });
    try {
      const key = await this.secrets.valueFor(hostId, secret, address.origin);
      const seconds = Math.floor(Date.now() / 1000);
      const headers = {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        ...signed(body, { id: deliveryId, seconds, secret: key }),
      };
      return await this.outbound.with(address, limits, async (session) => {
        const answer = await session.fetch(address, { method: 'POST', headers, body });
        await answer.body?.cancel();
        return answer.ok ? undefined : `It answered with the status ${String(answer.status)}.`;
      });
    } catch (error) {
      if (error instanceof OutboundFault || error instanceof SecretUnavailable) return error.message;
      throw error;
    }
  }
}

function counterOf(metrics: Metrics) {
  return metrics.counter('catalog_webhook_deliveries_total', 'Attempts to deliver to webhooks, by result.', [
    'result',
  ]);
}
