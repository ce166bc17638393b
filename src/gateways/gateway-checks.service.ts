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
import { WorkRounds } from '../platform/work/work-rounds.js';
import { DriftRecords } from './drift-records.service.js';
import { countDrifting, planChecks, takeDueGateways, type DueGateway } from './gateway-checks.lookup.js';

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
    carryOut: ({ hostId, gatewayId }) => this.records.check(hostId, gatewayId, actor),
    failed: (error) => {
      this.log.error(`Gateways could not be checked: ${String(error)}`);
    },
  });

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly records: DriftRecords,
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

  private async due(places: number): Promise<DueGateway[]> {
    const longest = (2 * this.config.gatewayTimeout) / 1000;
    await planChecks(this.database.acrossHosts, longest);
    return takeDueGateways(this.database.acrossHosts, places, longest);
  }
}
