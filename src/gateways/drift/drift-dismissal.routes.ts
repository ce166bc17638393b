import { Post } from '@nestjs/common';
import type { Outcome } from '../../kernel/command.js';
import type { Sql } from '../../kernel/sql.js';
import { writeRoute } from '../../platform/records/routes.js';
import { handle, receiptOf, UseCase, type Writer } from '../../platform/use-cases/use-case.js';
import { refuseSecretsIn } from '../../platform/validation/secrets-in-texts.js';
import { requireGateway } from '../gateway.record.js';
import { currentFindings, notCurrent } from './current-findings.js';
import { RecordDrift, type Settled, SettleDrift } from './drift.commands.js';
import type { DriftRecord, DriftSettlement } from './drift.events.js';
import { digestOf, listedBy } from './dismissals.js';
import { type DriftItem, recordOf, settlementOf } from './drift.js';
import { compare, coveredFindings, lastEntry } from './drift.lookup.js';
import type { CheckResult } from './drift.routes.js';
import {
  dismissalExample,
  driftDismissal,
  type DriftDismissalBody,
  driftReopening,
  type DriftReopeningBody,
  reopeningExample,
} from './drift-dismissal.schemas.js';
import { checkExample, driftCheckAnswer } from './drift.schemas.js';
import { type Asked, DriftService } from './drift.service.js';

type Input = { readonly gatewayId: string } & DriftReopeningBody & Partial<DriftDismissalBody>;

/** Findings with their marks: those that were settled, all, and those of all that the token covers. */
interface Marked {
  readonly taken: DriftSettlement;
  readonly found: DriftRecord;
  readonly findings: DriftRecord['findings'];
}

/** Says of findings why they may stay. */
class DismissFindings extends UseCase<{ readonly gatewayId: string } & DriftDismissalBody, CheckResult> {}

/** Takes back that findings may stay. */
class ReopenFindings extends UseCase<{ readonly gatewayId: string } & DriftReopeningBody, CheckResult> {}

export const dismissalHandlers = [
  handle(DismissFindings, settling('dismissed'), DriftService),
  handle(ReopenFindings, settling('reopened'), DriftService),
];

/** Marks findings that are still found, and records what is found now. */
function settling(as: Exclude<Settled, 'accepted'>) {
  return {
    check: ({ reason }: Input) => refuseSecretsIn({ reason }),
    prepare: ({ gatewayId }: Input, { visibility }: Writer, drifts: DriftService) =>
      drifts.ask(visibility, gatewayId),
    async load(
      sql: Sql,
      { gatewayId, findings, reason }: Input,
      { visibility, context }: Writer,
      { answer, entry, links }: Asked,
    ) {
      const { hostId } = visibility;
      const gateway = await requireGateway(sql, visibility, gatewayId);
      if ((await lastEntry(sql, hostId, gatewayId)) !== entry) throw notCurrent();
      const { items, live } = await compare({ sql, hostId, links }, gateway, answer.offers);
      const listed = listedBy(live);
      const covered = await coveredFindings(sql, visibility, items);
      const settled = new Map<DriftItem, DriftItem>();
      for (const item of currentFindings(findings, covered).flat()) {
        const { dismissed: before, ...open } = item;
        // Nothing is written of what is so already.
        if (before?.reason === reason) continue;
        const by = context.actor.user;
        const dismissed = reason !== undefined && {
          ...{ reason, by, at: answer.checkedAt, digest: digestOf(open, listed) },
        };
        settled.set(item, { ...open, ...(dismissed && { dismissed }) });
      }
      const now = (each: readonly DriftItem[]) => each.map((item) => settled.get(item) ?? item);
      return {
        taken: settlementOf(answer, [...settled.values()]),
        found: recordOf(answer, now(items)),
        findings: recordOf(answer, now(covered)).findings,
      };
    },
    decide: ({ taken, found }: Marked, { gatewayId }: Input, { context }: Writer) => [
      taken.findings.length === 0
        ? new RecordDrift(context.hostId, gatewayId, found)
        : new SettleDrift(context.hostId, gatewayId, { as, taken, found }),
    ],
    result: (outcomes: readonly Outcome[], position: number, { found, findings }: Marked) => ({
      ...{ ...receiptOf(outcomes, position), ...found, findings },
    }),
  };
}

const path = 'gateways/:gatewayId/drift';
const administered = { scope: 'catalog:admin', confined: 'refused' } as const;

export const dismissalRoutes = [
  writeRoute(
    [Post, `${path}/dismiss`],
    {
      id: 'dismissGatewayDrift',
      summary: 'Say of findings why they may stay',
      description:
        'The gateway is asked anew: a finding that no longer holds is refused with `finding_not_current`. A dismissed finding ' +
        'is marked wherever it is told, and no longer counts as open, until it says something else or was gone at a kept check. ' +
        'What can’t be called for it still can’t be called. Answers what is on record now.',
      ...administered,
      body: driftDismissal,
      batch: true,
      answer: driftCheckAnswer,
      example: { body: dismissalExample, answer: checkExample },
    },
    DismissFindings,
  ),
  writeRoute(
    [Post, `${path}/reopen`],
    {
      id: 'reopenGatewayDrift',
      summary: 'Take back that findings may stay',
      description: 'The gateway is asked anew, as for a dismissal. Answers what is on record now.',
      ...administered,
      body: driftReopening,
      batch: true,
      answer: driftCheckAnswer,
      example: { body: reopeningExample, answer: checkExample },
    },
    ReopenFindings,
  ),
];
