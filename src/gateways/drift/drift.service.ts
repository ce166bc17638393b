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
import { type CatalogReader, compare, coveredFindings, lastAcceptance } from './drift.lookup.js';

/** A check that is under way. */
export interface Check {
  /** The list of the gateway, or why it could not be asked. */
  readonly answer: LiveAnswer | DriftRecord;
  readonly found: DriftRecord;
  /** Position of the last acceptance before it was compared. */
  readonly accepted: number | undefined;
  readonly links: VersionLinks;
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
  async ask(
    visibility: Visibility,
    gatewayId: string,
  ): Promise<{ readonly answer: LiveAnswer; readonly links: VersionLinks }> {
    const { hostId } = visibility;
    const gateway = await requireGateway(this.database.of(hostId), visibility, gatewayId);
    return { answer: await this.live.of(hostId, gateway), links: this.links };
  }

  /** Checks a gateway; one that can't be asked is a finding like any other. Throws NotFound. */
  async check(visibility: Visibility, gatewayId: string): Promise<Check> {
    const { hostId } = visibility;
    const sql = this.database.of(hostId);
    const gateway = await requireGateway(sql, visibility, gatewayId);
    const answer = await this.askGateway(hostId, gateway);
    const accepted = await lastAcceptance(sql, hostId, gatewayId);
    const { links } = this;
    return { answer, accepted, links, found: await findingsNow({ sql, hostId, links }, gateway, answer) };
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
