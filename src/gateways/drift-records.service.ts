import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Actor, Reply, WriteContext } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Problem } from '../platform/http/problem.js';
import { receipt } from '../platform/http/replies.js';
import { RecordDrift } from './drift.commands.js';
import type { DriftRecord } from './drift.events.js';
import { compare } from './drift-comparison.lookup.js';
import { coveredFindings } from './drift-coverage.lookup.js';
import { failureOf, recordOf } from './drift-record.js';
import { findGateway, type GatewayFacts } from './gateway.lookup.js';
import { LiveTools } from './live-tools.service.js';

/** Checks that are kept: an event where one finds something else than the one before, and none where it does not. */
@Injectable()
export class DriftRecords {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commandBus: CommandBus,
    private readonly live: LiveTools,
  ) {}

  /** Throws NotFound. A gateway that can't be asked is a finding like any other. */
  async check(hostId: string, gatewayId: string, actor: Actor): Promise<DriftRecord> {
    const gateway = await findGateway(this.database.of(hostId), hostId, gatewayId);
    if (gateway === undefined) throw new NotFound('gateway', gatewayId);
    const found = await this.look(hostId, gateway);
    await this.keep({ hostId, actor, correlationId: randomUUID() }, gatewayId, found, found);
    return found;
  }

  /** The same for a request: answers with a receipt of the gateway's drift, and what was found, as the token covers it. */
  async checkNow(context: WriteContext, visibility: Visibility, gateway: GatewayFacts): Promise<Reply> {
    const found = await this.look(context.hostId, gateway);
    const sql = this.database.of(context.hostId);
    const shown = { ...found, findings: await coveredFindings(sql, visibility, found.findings) };
    return this.keep(context, gateway.gatewayId, found, shown);
  }

  private async look(hostId: string, gateway: GatewayFacts): Promise<DriftRecord> {
    try {
      const answer = await this.live.of(hostId, gateway);
      const { items } = await compare(this.database.of(hostId), hostId, gateway, answer.offers);
      return recordOf(answer, items);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return failureOf(new Date().toISOString(), error.code, error.message);
    }
  }

  /** Optimistic: what a check has seen is an observation; only the record before it must be the last one. */
  private keep(
    context: WriteContext,
    gatewayId: string,
    found: DriftRecord,
    shown: DriftRecord,
  ): Promise<Reply> {
    return this.commandBus.execute(
      new WriteCommand({
        context,
        mode: 'optimistic',
        plan: () => [new RecordDrift(context.hostId, gatewayId, found)],
        reply: receipt(200, () => shown),
      }),
    );
  }
}
