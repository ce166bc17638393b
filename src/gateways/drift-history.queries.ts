import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import type { DriftHistoryEntry, DriftHistoryQuery } from './drift.schemas.js';
import type { GatewayDriftRow } from './drifts.row.js';
import { coveredFindings } from './drift-coverage.lookup.js';
import { requireGateway } from './gateway.lookup.js';

interface HistoryPage {
  readonly items: DriftHistoryEntry[];
  readonly nextCursor?: string;
}

/** Throws NotFound. */
export class ListDriftHistory extends Query<HistoryPage> {
  constructor(
    readonly visibility: Visibility,
    readonly gatewayId: string,
    readonly page: DriftHistoryQuery,
  ) {
    super();
  }
}

/** Lists are ordered by text: positions of one length. */
const select = `kind, checked_ts, protocol_version, failure, findings, position, update_ts, update_user, gateway_id,
  lpad(position::text, 19, '0') AS place`;

@QueryHandler(ListDriftHistory)
export class ListDriftHistoryHandler implements IQueryHandler<ListDriftHistory> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, gatewayId, page }: ListDriftHistory): Promise<HistoryPage> {
    const sql = this.database.of(visibility.hostId);
    await requireGateway(sql, visibility, gatewayId);
    const where = new Conditions().add('host_id = ?', visibility.hostId).add('gateway_id = ?', gatewayId);
    const { rows, ...next } = await listPage<GatewayDriftRow>(sql, {
      ...{ select: '*', from: `(SELECT host_id, ${select} FROM gateway_drift_t) AS history`, where },
      ...{ text: 'place', id: 'gateway_id', ...page },
    });
    const entries = rows.map(entryOf);
    const findings = new Set(
      await coveredFindings(
        sql,
        visibility,
        entries.flatMap((entry) => entry.findings),
      ),
    );
    const items = entries.map((entry) => ({
      ...entry,
      findings: entry.findings.filter((finding) => findings.has(finding)),
    }));
    return { items, ...next };
  }
}

function entryOf(row: GatewayDriftRow): DriftHistoryEntry {
  return {
    kind: row.kind,
    checkedAt: row.checked_ts,
    protocolVersion: row.protocol_version,
    failure: row.failure,
    findings: row.findings as DriftHistoryEntry['findings'],
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
