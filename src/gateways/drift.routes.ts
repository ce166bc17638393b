import { Post } from '@nestjs/common';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import { resultReply } from '../platform/http/replies.js';
import { listAnswer } from '../platform/http/schemas.js';
import { readRoute, writeRoute } from '../platform/records/routes.js';
import {
  acceptanceExample,
  acceptedExample,
  checkExample,
  driftAcceptance,
  driftAcceptanceAnswer,
  driftAnswer,
  driftCheckAnswer,
  driftExample,
  driftHistoryEntry,
  type DriftHistoryEntry,
  driftHistoryQuery,
  type DriftHistoryQuery,
  historyExample,
} from './drift.schemas.js';
import { AcceptFindings, CheckGateway } from './drift.handlers.js';
import { coveredFindings } from './drift.lookup.js';
import type { GatewayDriftRow } from './drifts.row.js';
import { GatewayDrifts } from './gateway-drifts.port.js';
import { requireGateway } from './gateway.lookup.js';

const path = 'gateways/:gatewayId/drift';
const administered = { scope: 'catalog:admin', confined: 'refused' } as const;

export const driftRoutes = [
  readRoute(
    path,
    {
      id: 'getGatewayDrift',
      summary: 'Compare a live gateway with the catalog',
      description:
        'Calls tools/list of the gateway, all pages, and changes nothing. Compared is with what was accepted of the gateway ' +
        'before, else with the tool as it is. A gateway that can’t be reached or does not keep to the protocol is 502, ' +
        'with a `code` that says how.',
      ...administered,
      answer: driftAnswer,
      example: { answer: driftExample },
    },
    (_sql, { visibility, params: { gatewayId = '' } }, drifts: GatewayDrifts) =>
      drifts.look(visibility, gatewayId),
    GatewayDrifts,
  ),
  writeRoute(
    [Post, `${path}/accept`],
    {
      id: 'acceptGatewayDrift',
      summary: 'Take over what a live gateway lists',
      description:
        'The gateway is asked anew: a finding that no longer holds is refused with `finding_not_current`. A missing tool ' +
        'is taken off the gateway, and goes inactive where nothing else has it; a new one is imported as the gateway’s ' +
        'word, published and exposed; a changed one writes the gateway’s layer and no other; an inactive one comes back ' +
        'under its ids, with its exposure.',
      ...administered,
      body: driftAcceptance,
      batch: true,
      answer: driftAcceptanceAnswer,
      example: { body: acceptanceExample, answer: acceptedExample },
    },
    AcceptFindings,
    resultReply,
  ),
  writeRoute(
    [Post, `${path}/check`],
    {
      id: 'checkGateway',
      summary: 'Check a gateway and keep what is found',
      description:
        'What a gateway with `checkIntervalSeconds` does by itself: an event where the check finds something else than the ' +
        'last one did, and none where it does not. A gateway that can’t be asked is kept as `failure`. Diagnostics tell what ' +
        'was found last.',
      ...administered,
      answer: driftCheckAnswer,
      example: { answer: checkExample },
    },
    CheckGateway,
  ),
  readRoute<DriftHistoryQuery>(
    `${path}/history`,
    {
      id: 'listGatewayDriftHistory',
      summary: 'List what checks of a gateway found, and what was accepted',
      description: 'Oldest first. An entry is made only where something is different.',
      ...administered,
      query: driftHistoryQuery,
      answer: listAnswer(driftHistoryEntry),
      example: { answer: { items: [historyExample] } },
    },
    (sql, { visibility, params: { gatewayId = '' }, query }) =>
      listHistory(sql, visibility, gatewayId, query),
  ),
];

/** Lists are ordered by text: positions of one length. */
const history = `(SELECT host_id, kind, checked_ts, protocol_version, failure, findings, position, update_ts, update_user,
  gateway_id, lpad(position::text, 19, '0') AS place FROM gateway_drift_t) AS history`;

/** Throws NotFound. */
async function listHistory(
  sql: Sql,
  visibility: Visibility,
  gatewayId: string,
  page: DriftHistoryQuery,
): Promise<{ readonly items: DriftHistoryEntry[]; readonly nextCursor?: string }> {
  await requireGateway(sql, visibility, gatewayId);
  const where = new Conditions().add('host_id = ?', visibility.hostId).add('gateway_id = ?', gatewayId);
  const { rows, ...next } = await listPage<GatewayDriftRow>(sql, {
    ...{ select: '*', from: history, where, text: 'place', id: 'gateway_id', ...page },
  });
  const entries = rows.map(entryOf);
  const all = entries.flatMap((entry) => entry.findings);
  const covered = new Set(await coveredFindings(sql, visibility, all));
  const items = entries.map((entry) => ({
    ...entry,
    findings: entry.findings.filter((finding) => covered.has(finding)),
  }));
  return { items, ...next };
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
