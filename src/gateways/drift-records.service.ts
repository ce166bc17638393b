import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Actor, Reply, WriteContext } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database, type Sql } from '../eventsourcing/sql.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Problem } from '../platform/http/problem.js';
import type { DriftRecord } from './drift.events.js';
import { compare } from './drift-comparison.lookup.js';
import { coveredFindings } from './drift-coverage.lookup.js';
import { failureOf, recordOf } from './drift-record.js';
import { findGateway, type GatewayFacts } from './gateway.lookup.js';
import { driftRecording } from './drift-recording.planner.js';
import { LiveTools, type LiveAnswer } from './live-tools.service.js';

type Findings = DriftRecord['findings'];

/** Checks that are kept: an event where one finds something else than the one before, and none where it does not. */
@Injectable()
export class DriftRecords {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commandBus: CommandBus,
    private readonly live: LiveTools,
  ) {}

  /** Throws NotFound. A gateway that can't be asked is a finding like any other. */
  async check(hostId: string, gatewayId: string, actor: Actor): Promise<void> {
    const gateway = await findGateway(this.database.of(hostId), hostId, gatewayId);
    if (gateway === undefined) throw new NotFound('gateway', gatewayId);
    await this.keep({ hostId, actor, correlationId: randomUUID() }, gateway, (_sql, findings) =>
      Promise.resolve(findings),
    );
  }

  /** The same for a request: answers with a receipt of the gateway's drift, and what was found, as the token covers it. */
  async checkNow(context: WriteContext, visibility: Visibility, gateway: GatewayFacts): Promise<Reply> {
    return this.keep(context, gateway, (sql, findings) => coveredFindings(sql, visibility, findings));
  }

  /** @param covered those of the findings that are answered */
  private async keep(
    context: WriteContext,
    gateway: GatewayFacts,
    covered: (sql: Sql, findings: Findings) => Promise<Findings>,
  ): Promise<Reply> {
    const { hostId } = context;
    const answer = await this.look(hostId, gateway);
    const write = driftRecording(context, gateway.gatewayId, {
      found: async (sql) => {
        if ('failure' in answer) return answer;
        const { items } = await compare(sql, hostId, gateway, answer.offers);
        return recordOf(answer, items);
      },
      shown: async (sql, found) => ({ ...found, findings: await covered(sql, found.findings) }),
    });
    return this.commandBus.execute(new WriteCommand(write));
  }

  private async look(hostId: string, gateway: GatewayFacts): Promise<LiveAnswer | DriftRecord> {
    try {
      return await this.live.of(hostId, gateway);
    } catch (error) {
      if (!(error instanceof Problem && error.status === 502)) throw error;
      return failureOf(new Date().toISOString(), error.code, error.message);
    }
  }
}
