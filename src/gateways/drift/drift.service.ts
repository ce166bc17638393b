import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { VersionLinks } from '../../tools/public.js';
import { Problem } from '../../platform/http/problem.js';
import { type DriftAnswer, GatewayDrifts } from './gateway-drifts.port.js';
import { type GatewayFacts, requireGateway } from '../gateway.record.js';
import { type LiveAnswer, LiveTools } from './live-gateway.service.js';
import type { DriftRecord } from './drift.events.js';
import { failureOf, recordOf } from './drift.js';
import { type CatalogReader, compare, coveredFindings, lastEntry } from './drift.lookup.js';

/** The list of a gateway that was asked. */
export interface Asked {
  readonly answer: LiveAnswer;
  /** Position of the last entry on record before the gateway was asked. */
  readonly entry: number | undefined;
  readonly links: VersionLinks;
}

/** A check that is under way, also of a gateway that could not be asked. */
export interface Check extends Pick<Asked, 'entry'> {
  readonly found: DriftRecord;
}

/** Compares live gateways with the catalog. Writes nothing. */
@Injectable()
export class DriftService extends GatewayDrifts {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly live: LiveTools,
    private readonly links: VersionLinks,
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
    const { offers, ...answered } = await this.live.of(hostId, gateway);
    const { items } = await compare({ sql, hostId, links: this.links }, gateway, offers);
    return { gatewayId, ...answered, items: await coveredFindings(sql, visibility, items, disclosed) };
  }

  /** Asks the gateway for its list. Throws NotFound, and Problem 502 where it can't be asked. */
  async ask(visibility: Visibility, gatewayId: string): Promise<Asked> {
    const { hostId } = visibility;
    const sql = this.database.of(hostId);
    const gateway = await requireGateway(sql, visibility, gatewayId);
    const entry = await lastEntry(sql, hostId, gatewayId);
    return { entry, answer: await this.live.of(hostId, gateway), links: this.links };
  }

  /** Checks a gateway; one that can't be asked is a finding like any other. Throws NotFound. */
  async check(visibility: Visibility, gatewayId: string): Promise<Check> {
    const { hostId } = visibility;
    const sql = this.database.of(hostId);
    const gateway = await requireGateway(sql, visibility, gatewayId);
    const entry = await lastEntry(sql, hostId, gatewayId);
    const answer = await this.askGateway(hostId, gateway);
    const reader = { sql, hostId, links: this.links };
    return { entry, found: await findingsNow(reader, gateway, answer) };
  }

  private async askGateway(hostId: string, gateway: GatewayFacts): Promise<LiveAnswer | DriftRecord> {
    try {
      return await this.live.of(hostId, gateway);
    } catch (error) {
      if (!(error instanceof Problem && error.status === 502)) throw error;
      return failureOf(new Date().toISOString(), error.code, error.message);
    }
  }
}

/** Compares the answer of a gateway with the catalog as it is now. */
export async function findingsNow(
  reader: CatalogReader,
  gateway: GatewayFacts,
  answer: LiveAnswer | DriftRecord,
): Promise<DriftRecord> {
  if ('failure' in answer) return answer;
  return recordOf(answer, (await compare(reader, gateway, answer.offers)).items);
}
