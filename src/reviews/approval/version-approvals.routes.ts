import { Post } from '@nestjs/common';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { type Fault, Invalid, NotFound, RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { requireScope, requireSomebody } from '../../platform/auth/claims.js';
import { resultReply } from '../../platform/http/replies.js';
import { Problem } from '../../platform/http/problem.js';
import { receiptsAnswer, uuid } from '../../platform/http/schemas.js';
import { writeRoute } from '../../platform/records/routes.js';
import { handle, type Receipts, receiptsOf, UseCase } from '../../platform/use-cases/use-case.js';
import { refuseSecretsIn } from '../../platform/validation/secrets-in-texts.js';
import { seenVersion, VersionMoves } from '../../tools/public.js';
import {
  type Approval,
  ApproveToolVersion,
  type KnownTool,
  listedVersion,
  toolReceipt,
  toolReceiptExample,
  versionReceipt,
  versionReceiptExample,
} from '../../tools/shared.js';
import { acceptanceBody, approvalBody } from './approval.schemas.js';
import { AcceptTool } from './changes-acceptance.planner.js';
import { approvalOf, type Reviewer, withMoves } from './version-approval.planner.js';

const { digest, override, acceptsFindings } = approvalBody.properties;

const approvalsBody = {
  type: 'object',
  additionalProperties: false,
  required: ['versions'],
  properties: {
    versions: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      description: 'One version of each tool, as it was read.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['toolId', 'version', 'digest'],
        properties: { toolId: uuid, version: listedVersion.properties.version, digest },
      },
    },
    override: { ...override, description: `Of each of them. ${override.description}` },
    acceptsFindings,
    dryRun: {
      type: 'boolean',
      default: false,
      description: 'Says what would come of it, and writes nothing.',
    },
  },
} as const satisfies JSONSchema;
type ApprovalsBody = FromSchema<typeof approvalsBody>;

interface Approved {
  readonly name: string;
  readonly toolVersion: string;
}

/** Approves versions of several tools on the grounds of {@link ApproveVersion}: all of them, or none. */
export class ApproveVersions extends UseCase<ApprovalsBody, Receipts<Approved>> {}

interface Planned extends Approval {
  readonly toolId: string;
  readonly version: string;
}

export const approveVersionsHandler = handle(
  ApproveVersions,
  {
    async check({ versions, override: given }) {
      const twice = versions.findIndex(
        ({ toolId }, at) => versions.findIndex((other) => other.toolId === toolId) < at,
      );
      if (twice >= 0) throw namedTwice(twice);
      await refuseSecretsIn({ override: given });
    },
    prepare: withMoves,
    isDryRun: ({ dryRun }) => dryRun,
    loadsEarly: true,
    load: (sql, body, writer, moves) => planApprovals({ sql, moves }, writer, body),
    decide: (planned, _body, { visibility }) =>
      planned.map(({ toolId, ...approval }) => new ApproveToolVersion(visibility.hostId, toolId, approval)),
    result: (outcomes, position, planned) => {
      const versionOf = new Map(planned.map(({ toolId, version }) => [toolId, version]));
      return receiptsOf(({ id, after }) => ({
        name: (after as KnownTool).name,
        toolVersion: versionOf.get(id) ?? '',
      }))(outcomes, position);
    },
  },
  VersionMoves,
);

/** Throws RuleBroken `versions_refused` with why each is that may not be approved. */
async function planApprovals(
  sources: { readonly sql: Sql; readonly moves: VersionMoves },
  reviewer: Reviewer,
  { versions, dryRun: _, ...terms }: ApprovalsBody,
): Promise<readonly Planned[]> {
  requireScope(reviewer.caller, 'catalog:approve');
  requireSomebody(reviewer.caller);
  const planned: Planned[] = [];
  const faults: Fault[] = [];
  for (const [at, { toolId, version, digest: read }] of versions.entries()) {
    try {
      const known = await seenVersion(sources.sql, reviewer.visibility, { toolId, version });
      const approval = await approvalOf(sources, reviewer, known, { ...terms, digest: read });
      planned.push({ toolId, version, ...approval });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      faults.push({ pointer: `/versions/${String(at)}`, detail: `${error.code}: ${error.message}` });
    }
  }
  if (faults.length === 0) return planned;
  const detail = `${String(faults.length)} of ${String(versions.length)} versions may not be approved, so none is. Leave them out, or do what is missing.`;
  throw new RuleBroken('versions_refused', detail, faults);
}

function isRefusal(error: unknown): error is RuleBroken | NotFound | Problem {
  return error instanceof RuleBroken || error instanceof NotFound || error instanceof Problem;
}

function namedTwice(at: number): Invalid {
  const detail = 'names a tool a second time: what comes first decides what the other replaces';
  return new Invalid('invalid_body', 'The body is not what this operation takes.', [
    { pointer: `/versions/${String(at)}/toolId`, detail },
  ]);
}

const { id, version, position } = versionReceiptExample;

export const versionApprovalsRoute = writeRoute<Receipts<Approved>>(
  [Post, 'tool-versions/approve'],
  {
    id: 'approveToolVersions',
    summary: 'Approve versions of several tools',
    description:
      'All of them or none, on the grounds of approving each by itself. Refused with `versions_refused`, and why for each of those that ' +
      'may not be approved.',
    scope: 'catalog:approve',
    confined: 'refused',
    batch: true,
    tag: 'tools',
    body: approvalsBody,
    answer: receiptsAnswer('ApprovedVersion', {
      name: { type: 'string' },
      toolVersion: versionReceipt.properties.toolVersion,
    }),
    example: {
      body: { versions: [{ toolId: id, version: '2.0.0', digest: 'b0'.repeat(32) }] },
      answer: {
        items: [{ id, version, position, changed: true, name: 'getAccountByNo', toolVersion: '2.0.0' }],
        position,
      },
    },
  },
  ApproveVersions,
  resultReply,
);

export const acceptanceRoute = writeRoute(
  [Post, 'tools/:toolId/changes/accept'],
  {
    id: 'acceptToolChanges',
    summary: 'Accept the changed source of a tool',
    description:
      'Clears the mark that a refresh of the endpoint has left, and that of the endpoint. A version of it that waits for a review is ' +
      'approved with it, which needs as much as approving it by itself: its digest, catalog:approve, somebody other than its ' +
      'author (`own_version`), and an evaluation that has passed (`evaluation_needed`), or an override. Accepting a ' +
      'suspicious change (a guard is loosened, a safety flag turned, a text addresses the model) needs catalog:admin.',
    scope: 'catalog:write',
    body: acceptanceBody,
    bodyOptional: true,
    answer: toolReceipt,
    example: { body: {}, answer: { ...toolReceiptExample, version: 2, position: 13 } },
  },
  AcceptTool,
);
