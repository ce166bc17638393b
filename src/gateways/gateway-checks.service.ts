import { randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { WorkRounds } from '../platform/work/work-rounds.js';
import { CheckGateway } from './drift.handlers.js';
import { countDrifting, planChecks, takeDueGateways, type DueGateway } from './gateway-checks.lookup.js';
import { findGateway } from './gateway.lookup.js';

/** Milliseconds between two looks at what is due. */
const period = 2_000;
/** Gateways that one instance checks at once. */
const atOnce = 8;
const actor = { user: 'gateway-checks' };

/**
 * Checks by themselves those gateways that ask for it. The instances of the service share the work through the database:
 * each check is one instance's.
 */
@Injectable()
export class GatewayChecks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('GatewayChecks');
  private readonly rounds = new WorkRounds<DueGateway>({
    ...{ period, atOnce },
    take: (places) => this.due(places),
    carryOut: (due) => this.check(due),
    failed: (error) => {
      this.log.error(`Gateways could not be checked: ${String(error)}`);
    },
  });

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commandBus: CommandBus,
    @Inject(CONFIG) private readonly config: Pick<Config, 'gatewayTimeout'>,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'catalog_gateways_drifting',
      'Gateways checked by schedule whose last kept check found a difference, or failed; the same on every instance.',
      () => countDrifting(this.database.acrossHosts),
    );
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  /** Waits for the checks under way: they end within the gateways' time. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  /** As somebody who sees all that the gateway's environment holds. Throws NotFound. */
  private async check({ hostId, gatewayId }: DueGateway): Promise<void> {
    const gateway = await findGateway(this.database.of(hostId), hostId, gatewayId);
    if (gateway === undefined) throw new NotFound('gateway', gatewayId);
    const caller: Caller = {
      ...{ actor, issuer: 'urn:portal-catalog:gateway-checks', hostId, fingerprint: '' },
      ...{ services: 'all', environments: [gateway.envTag], scopes: new Set() },
      expiresAt: Number.POSITIVE_INFINITY,
    };
    const context = { hostId, actor, correlationId: randomUUID() };
    const writer = { context, caller, visibility: visibilityOf(caller) };
    await this.commandBus.execute(new CheckGateway(writer, { gatewayId }));
  }

  private async due(places: number): Promise<DueGateway[]> {
    const longest = (2 * this.config.gatewayTimeout) / 1000;
    await planChecks(this.database.acrossHosts, longest);
    return takeDueGateways(this.database.acrossHosts, places, longest);
  }
}
