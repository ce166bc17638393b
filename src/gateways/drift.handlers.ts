import type { Outcome } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import { handle, receiptOf, UseCase, type Receipt, type Writer } from '../platform/use-cases/use-case.js';
import { AcceptDrift, RecordDrift } from './drift.commands.js';
import type { DriftRecord } from './drift.events.js';
import type { DriftAcceptanceBody } from './drift.schemas.js';
import { DriftService, findingsNow, type Check } from './drift.service.js';
import { planAcceptance, type PlannedAcceptance } from './drift-acceptance.planner.js';
import { compare, coveredFindings, lastAcceptance } from './drift.lookup.js';
import { recordOf, remaining } from './drift.js';
import { requireGateway } from './gateway.lookup.js';
import type { LiveAnswer } from './live-tools.service.js';

interface Id {
  readonly gatewayId: string;
}

/** What a check found, as far as the token covers it, with the receipt of the gateway's drift. */
export type CheckResult = Receipt & DriftRecord;

/** Keeps what a live gateway lists otherwise than the catalog has it, where it is something else than the last check found. */
export class CheckGateway extends UseCase<Id, CheckResult> {}

/** Of each finding the receipt of what says it from now on; and what could not be published. */
export interface AcceptanceResult extends Id, Pick<PlannedAcceptance, 'conflicts'> {
  readonly items: readonly object[];
  readonly position: number;
}

/**
 * Takes over what a live gateway lists, which must still be found so. What is found of tools that the token does not cover
 * can't be accepted, and stays on record.
 */
export class AcceptFindings extends UseCase<Id & DriftAcceptanceBody, AcceptanceResult> {}

export const driftHandlers = [
  handle(
    CheckGateway,
    {
      prepare: ({ gatewayId }, { visibility }, drifts: DriftService) => drifts.check(visibility, gatewayId),
      async load(sql: Sql, { gatewayId }: Id, { visibility }: Writer, { answer, accepted, found }: Check) {
        const gateway = await requireGateway(sql, visibility, gatewayId);
        // What an operator has accepted since is settled, and not found again.
        const settled = (await lastAcceptance(sql, visibility.hostId, gatewayId)) !== accepted;
        const record = settled ? await findingsNow(sql, visibility.hostId, gateway, answer) : found;
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
        answer: LiveAnswer,
      ) {
        const { visibility } = writer;
        const gateway = await requireGateway(sql, visibility, gatewayId);
        const drift = await compare(sql, visibility.hostId, gateway, answer.offers);
        const items = await coveredFindings(sql, visibility, drift.items);
        const request = { ...body, importer: writer, gateway };
        const planned = await planAcceptance(sql, request, { ...drift, items });
        const taken = planned.accepted.map(({ item }) => item);
        const { checkedAt, protocolVersion } = answer;
        const accepted = { checkedAt, protocolVersion, findings: recordOf(answer, taken).findings };
        return { gatewayId, planned, accepted, rest: recordOf(answer, remaining(drift.items, taken)) };
      },
      decide: ({ gatewayId, planned, accepted, rest }, _input, { context }) => [
        ...planned.commands,
        new AcceptDrift(context.hostId, gatewayId, { accepted, rest }),
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
