import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DATABASE, type Database } from '../kernel/sql.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Outbound, OutboundFault, type OutboundLimits } from '../platform/network/outbound.js';
import { SecretStore, SecretUnavailable } from '../platform/network/secret-store.js';
import { WorkRounds } from '../platform/work/work-rounds.js';
import {
  failDelivery,
  forgetDelivery,
  forgetOldDeliveries,
  takeDeliveries,
  type TakenDelivery,
} from './webhook-deliveries.lookup.js';
import { cloudEvent, pauseAfter, signed } from './webhook-notice.js';

/** Milliseconds between two queries for due deliveries. */
const period = 500;
/** Deliveries that one instance sends at once, each to another webhook, so that a slow one holds up no other. */
const atOnce = 32;
const limits: OutboundLimits = { timeMs: 10_000, bytes: 65_536 };
/** Queries between two clean-ups: about ten minutes. */
const looksBetweenCleanUps = 1_200;

/** Sends deliveries and tries again. The instances of the service share the work through the database. */
@Injectable()
export class WebhookSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Webhooks');
  private readonly sent: ReturnType<typeof counterOf>;
  private readonly rounds = new WorkRounds<TakenDelivery>({
    ...{ period, atOnce },
    take: (places, busy) => this.due(places, busy),
    carryOut: (delivery) => this.deliver(delivery),
    failed: (error) => {
      this.log.error(`Webhooks could not be served: ${String(error)}`);
    },
  });
  private looks = 0;

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
    this.rounds.start();
  }

  /** Waits for the deliveries under way. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  private async due(places: number, busy: readonly TakenDelivery[]): Promise<TakenDelivery[]> {
    if (this.looks % looksBetweenCleanUps === 0) await forgetOldDeliveries(this.database.acrossHosts);
    this.looks += 1;
    return takeDeliveries(this.database.acrossHosts, places, busy);
  }

  private async deliver(delivery: TakenDelivery): Promise<void> {
    const reason = await this.send(delivery);
    const sql = this.database.of(delivery.hostId);
    if (reason === undefined) {
      this.sent.inc({ result: 'delivered' });
      await forgetDelivery(sql, delivery);
      return;
    }
    const givesUp = delivery.attempts >= this.config.webhookAttempts;
    this.sent.inc({ result: givesUp ? 'dead' : 'failed' });
    const pause = pauseAfter(delivery.attempts, Math.random());
    await failDelivery(sql, delivery, { reason, givesUp, pause });
  }

  /** Sends a delivery. Returns why it did not arrive, if it did not. */
  private async send({
    hostId,
    deliveryId,
    kind,
    position,
    time,
    url,
    secret,
  }: TakenDelivery): Promise<string | undefined> {
    const address = new URL(url);
    const body = cloudEvent({ deliveryId, hostId, kind, position, time });
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
