import { Post } from '@nestjs/common';
import { requireSomebody } from '../../platform/auth/claims.js';
import { writeRoute } from '../../platform/records/routes.js';
import { handle, UseCase } from '../../platform/use-cases/use-case.js';
import { refuseSecretsIn } from '../../platform/validation/secrets-in-texts.js';
import { seenVersion, VersionMoves, type VersionReceipt, versionReceiptOf } from '../../tools/public.js';
import {
  ApproveToolVersion,
  listedVersion,
  RejectToolVersion,
  versionReceipt,
  versionReceiptExample,
} from '../../tools/shared.js';
import { approvalBody, type ApprovalBody, rejectionBody, type RejectionBody } from './approval.schemas.js';
import { approvalOf, seenBy, withMoves } from './version-approval.planner.js';

interface OneVersion {
  readonly toolId: string;
  readonly version: string;
}

/** Needs `catalog:approve`, somebody other than the author, and an evaluation that passed, or an override. */
export class ApproveVersion extends UseCase<OneVersion & ApprovalBody, VersionReceipt> {}
export class RejectVersion extends UseCase<OneVersion & RejectionBody, VersionReceipt> {}

export const approvalHandlers = [
  handle(
    ApproveVersion,
    {
      check: ({ override }) => refuseSecretsIn({ override }),
      prepare: withMoves,
      loadsEarly: true,
      async load(sql, input, writer, moves) {
        const known = await seenVersion(sql, writer.visibility, input);
        const approval = await approvalOf({ sql, moves }, writer, known, input);
        return { ...known, approval };
      },
      decide: ({ approval }, { toolId, version }, { visibility }) => [
        new ApproveToolVersion(visibility.hostId, toolId, { version, ...approval }),
      ],
      result: (outcomes, position, { version }) => versionReceiptOf(version)(outcomes, position),
    },
    VersionMoves,
  ),
  handle(
    RejectVersion,
    {
      check: ({ reason }) => refuseSecretsIn({ reason }),
      prepare: withMoves,
      loadsEarly: true,
      async load(sql, input, writer, moves) {
        requireSomebody(writer.caller);
        const known = await seenVersion(sql, writer.visibility, input);
        return { version: known.version, seen: await seenBy({ sql, moves }, writer, known) };
      },
      decide: ({ seen }, { toolId, version, reason }, { visibility }) => [
        new RejectToolVersion(visibility.hostId, toolId, { version, reason, seen }),
      ],
      result: (outcomes, position, { version }) => versionReceiptOf(version)(outcomes, position),
    },
    VersionMoves,
  ),
];

const path = 'tools/:toolId/versions/:version';
const decided = {
  scope: 'catalog:approve',
  params: { version: listedVersion.properties.version },
  answer: versionReceipt,
} as const;

export const approvalRoutes = [
  writeRoute(
    [Post, `${path}/approve`],
    {
      ...decided,
      id: 'approveToolVersion',
      summary: 'Approve a version',
      description:
        'Agents are given it from then on, where their links take it. By somebody who has read what the digest names (`version_changed`) ' +
        'and has not written on it (`own_version`), and after an evaluation of exactly this content has passed ' +
        '(`evaluation_needed`); an override does without the latter two.',
      body: approvalBody,
      example: { body: { digest: 'b0'.repeat(32) }, answer: versionReceiptExample },
    },
    ApproveVersion,
  ),
  writeRoute(
    [Post, `${path}/reject`],
    {
      ...decided,
      id: 'rejectToolVersion',
      summary: 'Reject a version',
      description: 'For good: another version takes the next number.',
      body: rejectionBody,
      example: {
        body: { reason: 'The name of the first parameter says nothing.' },
        answer: { ...versionReceiptExample, state: 'rejected' },
      },
    },
    RejectVersion,
  ),
];
