import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { randomUUID } from 'node:crypto';
import { NotFound } from '../../kernel/errors.js';
import { type Database, DATABASE, type Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { visibilityOf } from '../../platform/auth/visibility.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { WorkRounds } from '../../platform/work/work-rounds.js';
import { findGateway } from '../gateway.record.js';
import { CheckGateway } from './drift.routes.js';
import { hasOpenFindings } from './open-findings.lookup.js';

/** A gateway whose own check is due. */
interface DueGateway {
  readonly hostId: string;
  readonly gatewayId: string;
}

/** After the interval of the gateway `g`, a tenth more or less. */
const nextCheck = (least: string): string =>
  `now() + make_interval(secs => greatest(${least}::float8, g.check_interval_seconds) * (0.9 + 0.2 * random()))`;

/**
 * Takes gateways that are due, each by one instance alone: who takes one moves its next check into the future, by its
 * interval, a tenth more or less, so that checks that began together drift apart.
 */
export async function takeDueGateways(sql: Sql, limit: number, leastSeconds: number): Promise<DueGateway[]> {
  return sql.query<DueGateway>(
    `UPDATE gateway_check_t c
     SET next_check_ts = ${nextCheck('$2')}
     FROM gateway_t g
     WHERE g.host_id = c.host_id AND g.gateway_id = c.gateway_id
       AND g.active AND g.check_interval_seconds IS NOT NULL
       AND (c.host_id, c.gateway_id) IN (
         SELECT d.host_id, d.gateway_id FROM gateway_check_t d WHERE d.next_check_ts <= now()
         ORDER BY d.next_check_ts LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING c.host_id AS "hostId", c.gateway_id AS "gatewayId"`,
    [limit, leastSeconds],
  );
}

/** Brings `gateway_check_t` in step with the gateways: a new one is due at once, one that is checked more often now is sooner. */
export async function planChecks(sql: Sql, leastSeconds: number): Promise<void> {
  const wanted = `SELECT host_id, gateway_id FROM gateway_t WHERE active AND check_interval_seconds IS NOT NULL`;
  await sql.query(
    `INSERT INTO gateway_check_t (host_id, gateway_id, next_check_ts) SELECT host_id, gateway_id, now() FROM (${wanted}) w
     ON CONFLICT DO NOTHING`,
  );
  await sql.query(
    `UPDATE gateway_check_t c SET next_check_ts = ${nextCheck('$1')}
     FROM gateway_t g WHERE g.host_id = c.host_id AND g.gateway_id = c.gateway_id
       AND c.next_check_ts > now() + make_interval(secs => greatest($1::float8, g.check_interval_seconds) * 1.1)`,
    [leastSeconds],
  );
  await sql.query(`DELETE FROM gateway_check_t c WHERE (c.host_id, c.gateway_id) NOT IN (${wanted})`);
}

/** Gateways checked by schedule whose last kept check found a difference that nobody has dismissed, or failed, over all hosts. */
async function countDrifting(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM gateway_t g
     CROSS JOIN LATERAL (
       SELECT d.failure IS NOT NULL OR ${hasOpenFindings('d')} AS drifting FROM gateway_drift_t d
       WHERE d.host_id = g.host_id AND d.gateway_id = g.gateway_id AND d.kind = 'recorded'
       ORDER BY d.position DESC LIMIT 1) last
     WHERE g.active AND g.check_interval_seconds IS NOT NULL AND last.drifting`,
  );
  return row?.count ?? 0;
}

/** Milliseconds between two queries for due checks. */
const period = 2_000;
/** Gateways that one instance checks at once. */
const atOnce = 8;
const actor = { user: 'gateway-checks' };

/** Checks gateways by schedule, where they ask for it. The instances of the service share the work through the database. */
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
      'Gateways checked by schedule whose last kept check found a difference that nobody has dismissed, or failed; the same on every instance.',
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

  /** Checks as a caller who sees all of the gateway's environment. Throws NotFound. */
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
    const timeout = (2 * this.config.gatewayTimeout) / 1000;
    await planChecks(this.database.acrossHosts, timeout);
    return takeDueGateways(this.database.acrossHosts, places, timeout);
  }
}
