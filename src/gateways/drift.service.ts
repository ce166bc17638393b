import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Outcome, Reply } from '../eventsourcing/command.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Writer } from '../platform/http/parameters.js';
import { AcceptDrift } from './drift.commands.js';
import { planAcceptance, type PlannedAcceptance } from './drift-acceptance.planner.js';
import { compare } from './drift-comparison.lookup.js';
import { coveredFindings } from './drift-coverage.lookup.js';
import { recordOf, remaining } from './drift-record.js';
import { DriftRecords } from './drift-records.service.js';
import type { DriftAcceptanceBody } from './drift.schemas.js';
import { GatewayDrifts, type DriftAnswer } from './gateway-drifts.port.js';
import { requireGateway } from './gateway.lookup.js';
import { LiveTools } from './live-tools.service.js';

/** Live gateways beside the catalog: looked at, and taken over where an operator says so. */
@Injectable()
export class DriftService extends GatewayDrifts {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commandBus: CommandBus,
    private readonly live: LiveTools,
    private readonly records: DriftRecords,
  ) {
    super();
  }

  async look(
    visibility: Visibility,
    gatewayId: string,
    disclosed?: ReadonlySet<string>,
  ): Promise<DriftAnswer> {
    const { hostId } = visibility;
    const sql = this.database.of(hostId);
    const gateway = await requireGateway(sql, visibility, gatewayId);
    const answer = await this.live.of(hostId, gateway);
    const { items } = await compare(sql, hostId, gateway, answer.offers);
    const covered = await coveredFindings(sql, visibility, items, disclosed);
    return { gatewayId, ...answered(answer), items: covered };
  }

  /** Keeps what it finds. Throws NotFound. */
  async check({ context, visibility }: Writer, gatewayId: string): Promise<Reply> {
    const gateway = await requireGateway(this.database.of(visibility.hostId), visibility, gatewayId);
    return this.records.checkNow(context, visibility, gateway);
  }

  /**
   * The gateway is asked anew, before the host's lock; under it the findings must still be so. What is found of tools that
   * the token does not cover can't be accepted, and stays on record.
   */
  async accept(writer: Writer, gatewayId: string, body: DriftAcceptanceBody): Promise<Reply> {
    const { context, visibility } = writer;
    const { hostId } = context;
    const asked = await requireGateway(this.database.of(hostId), visibility, gatewayId);
    const answer = await this.live.of(hostId, asked);
    let planned: PlannedAcceptance | undefined;
    return this.commandBus.execute(
      new WriteCommand({
        context,
        mode: 'locked',
        plan: async (sql) => {
          const gateway = await requireGateway(sql, visibility, gatewayId);
          const drift = await compare(sql, hostId, gateway, answer.offers);
          const items = await coveredFindings(sql, visibility, drift.items);
          planned = await planAcceptance(sql, { ...body, importer: writer, gateway }, { ...drift, items });
          const taken = planned.accepted.map(({ item }) => item);
          const rest = recordOf(answer, remaining(drift.items, taken));
          const accepted = { ...answered(answer), findings: recordOf(answer, taken).findings };
          return [...planned.commands, new AcceptDrift(hostId, gatewayId, { accepted, rest })];
        },
        reply: (outcomes, position) => ({
          status: 200,
          headers: {},
          body: JSON.stringify({ gatewayId, ...report(planned, outcomes), position }),
        }),
      }),
    );
  }
}

function answered({ checkedAt, protocolVersion }: Pick<DriftAnswer, 'checkedAt' | 'protocolVersion'>) {
  return { checkedAt, protocolVersion };
}

/** A batch: of each finding the receipt of what says it from now on. */
function report(planned: PlannedAcceptance | undefined, outcomes: readonly Outcome[]): object {
  const { accepted = [], conflicts = [] } = planned ?? {};
  const written = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const items = accepted.map(({ item: { toolName, toolId, finding }, writes, ...made }) => {
    const outcome = written.get(writes);
    if (outcome === undefined) throw new Error(`Nothing was written for ${finding} ${toolName}.`);
    const { id, version, position, changed } = outcome;
    const about = { toolName, finding, ...(toolId !== undefined && { toolId }), ...made };
    return { id, version, position, changed, ...about };
  });
  return { items, conflicts };
}
