import { Post } from '@nestjs/common';
import type { Outcome } from '../../kernel/command.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { Conditions } from '../../platform/database/conditions.js';
import { listPage } from '../../platform/database/page.js';
import { resultReply } from '../../platform/http/replies.js';
import { listAnswer } from '../../platform/http/schemas.js';
import { readRoute, writeRoute } from '../../platform/records/routes.js';
import { handle, type Receipt, receiptOf, UseCase, type Writer } from '../../platform/use-cases/use-case.js';
import { GatewayDrifts } from './gateway-drifts.port.js';
import { requireGateway } from '../gateway.record.js';
import { notCurrent } from './current-findings.js';
import { planAcceptance, type PlannedAcceptance } from './drift-acceptance.planner.js';
import { RecordDrift, SettleDrift } from './drift.commands.js';
import type { DriftRecord } from './drift.events.js';
import { recordOf, settlementOf } from './drift.js';
import { compare, coveredFindings, lastEntry, lastRecord } from './drift.lookup.js';
import type { GatewayDriftRow } from './drift.projection.js';
import {
  acceptanceExample,
  acceptedExample,
  checkExample,
  driftAcceptance,
  driftAcceptanceAnswer,
  type DriftAcceptanceBody,
  driftAnswer,
  driftCheckAnswer,
  driftExample,
  driftHistoryEntry,
  type DriftHistoryEntry,
  driftHistoryQuery,
  type DriftHistoryQuery,
  historyExample,
} from './drift.schemas.js';
import { type Asked, type Check, DriftService } from './drift.service.js';

interface Id {
  readonly gatewayId: string;
}

/** The findings of a check, as far as the token covers them, with the receipt of the gateway's drift. */
export type CheckResult = Receipt & DriftRecord;

/** Compares a live gateway with the catalog, and records the findings where they differ from those of the last check. */
export class CheckGateway extends UseCase<Id, CheckResult> {}

/** The receipts of the accepted findings, and the tools that could not be published. */
interface AcceptanceResult extends Id, Pick<PlannedAcceptance, 'conflicts'> {
  readonly items: readonly object[];
  readonly position: number;
}

/**
 * Accepts findings about a live gateway, which must still be found. Findings about tools that the token does not cover can't be
 * accepted, and stay recorded.
 */
class AcceptFindings extends UseCase<Id & DriftAcceptanceBody, AcceptanceResult> {}

export const driftHandlers = [
  handle(
    CheckGateway,
    {
      prepare: ({ gatewayId }, { visibility }, drifts: DriftService) => drifts.check(visibility, gatewayId),
      async load(sql: Sql, { gatewayId }: Id, { visibility }: Writer, { entry, found }: Check) {
        const { hostId } = visibility;
        await requireGateway(sql, visibility, gatewayId);
        // What was found or settled since the gateway was asked is newer, and stays on record.
        const isOld = (await lastEntry(sql, hostId, gatewayId)) !== entry;
        const record = (isOld ? await lastRecord(sql, hostId, gatewayId) : undefined) ?? found;
        return { record, findings: await coveredFindings(sql, visibility, record.findings) };
      },
      decide: ({ record }, { gatewayId }, { context }) => [
        new RecordDrift(context.hostId, gatewayId, record),
      ],
      result: (outcomes, position, { record, findings }) => ({
        ...{ ...receiptOf(outcomes, position), ...record, findings },
      }),
    },
    DriftService,
  ),
  handle(
    AcceptFindings,
    {
      prepare: ({ gatewayId }, { visibility }, drifts: DriftService) => drifts.ask(visibility, gatewayId),
      async load(
        sql: Sql,
        { gatewayId, ...body }: Id & DriftAcceptanceBody,
        writer: Writer,
        { answer, entry, links }: Asked,
      ) {
        const { visibility } = writer;
        const gateway = await requireGateway(sql, visibility, gatewayId);
        if ((await lastEntry(sql, visibility.hostId, gatewayId)) !== entry) throw notCurrent();
        const drift = await compare({ sql, hostId: visibility.hostId, links }, gateway, answer.offers);
        const covered = await coveredFindings(sql, visibility, drift.items);
        const request = { ...body, importer: writer, gateway };
        const planned = await planAcceptance(sql, request, { ...drift, items: covered });
        const items = new Set(planned.accepted.map(({ item }) => item));
        const left = drift.items.filter((item) => !items.has(item));
        const taken = settlementOf(answer, [...items]);
        return { gatewayId, planned, taken, found: recordOf(answer, left) };
      },
      decide: ({ gatewayId, planned, taken, found }, _input, { context }) => [
        ...planned.commands,
        new SettleDrift(context.hostId, gatewayId, { as: 'accepted', taken, found }),
      ],
      result: (outcomes, position, { gatewayId, planned }) => ({
        ...{ gatewayId, items: receiptsOf(planned, outcomes), conflicts: planned.conflicts, position },
      }),
    },
    DriftService,
  ),
];

function receiptsOf({ accepted }: PlannedAcceptance, outcomes: readonly Outcome[]): readonly object[] {
  const written = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  return accepted.map(({ item: { toolName, toolId, finding }, writes, ...made }) => {
    const outcome = written.get(writes);
    if (outcome === undefined) throw new Error(`Nothing was written for ${finding} ${toolName}.`);
    const { id, version, position, changed } = outcome;
    const about = { toolName, finding, ...(toolId !== undefined && { toolId }), ...made };
    return { id, version, position, changed, ...about };
  });
}

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
      summary: 'List what checks of a gateway found, and what was accepted or dismissed',
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

/** Lists are ordered by text, so positions are padded to one length. */
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
