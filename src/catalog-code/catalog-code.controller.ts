import { Controller, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { v7 } from 'uuid';
import { type Fault, Invalid } from '../kernel/errors.js';
import type { Caller } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation, type OperationSpec } from '../platform/http/operation.js';
import { CallerOf, VisibleTo, WriterOf } from '../platform/http/parameters.js';
import { parseJsonBody } from '../platform/http/request-body.js';
import type { Writer } from '../platform/use-cases/use-case.js';
import { jsonValidator } from '../platform/validation/validator.js';
import { type Applied, CatalogCode, type SignedPlan } from './catalog-code.service.js';
import { appliedAnswer, documentsAnswer, planBody, type PlanBody, signedPlan } from './code-schemas.js';

const access = {
  scope: 'catalog:admin',
  confined: 'refused',
  tag: 'code',
} as const satisfies Partial<OperationSpec>;

const documentExample = {
  kind: 'Skill',
  key: 'refunds',
  spec: { description: 'How to pay back.', contentMarkdown: 'Look the order up first.', tags: ['billing'] },
} as const;

const action = {
  op: 'update',
  kind: 'Skill',
  key: 'refunds',
  changes: [{ field: 'description', from: 'Refunds.', to: 'How to pay back.', owner: 'repo:support' }],
} as const;

const planExample = {
  plan: {
    planVersion: 1,
    hostId: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01',
    owner: 'repo:support',
    position: 120,
    given: { 'Skill refunds': ['description', 'contentMarkdown', 'tags'] },
    actions: [action],
    refused: [],
  },
  text: '## Would be done\n\n- **update** Skill `refunds`\n',
  signature: 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0.OWY4NmQw.c2lnbmF0dXJl',
} as const;

const faultsOfPlanBody = jsonValidator(planBody);
const faultsOfPlan = jsonValidator(signedPlan);

/** The catalog as documents that a repository keeps (docs/decisions/0091-the-catalog-as-code.md). */
@Controller('v1/hosts/:hostId/code')
export class CatalogCodeController {
  constructor(private readonly code: CatalogCode) {}

  @Get('documents')
  @Operation({
    id: 'exportCode',
    summary: 'Export the catalog as documents',
    description:
      'What people write of it, by natural keys and in a stable order, secrets by their names alone: settings, categories, tags, ' +
      'APIs and their versions, workflows, gateways, skills, agents and webhooks that the token covers. A plan of these is empty.',
    ...access,
    answer: documentsAnswer,
    example: { answer: { position: 120, documents: [documentExample] } },
  })
  documents(@VisibleTo() visibility: Visibility): Promise<object> {
    return this.code.export(visibility);
  }

  @Post('plans')
  @Operation({
    id: 'planCode',
    summary: 'Plan what documents change',
    description:
      'Writes nothing. The plan says what would be done, whose each field is, and what is refused: by the owner of a field, or by a ' +
      'rule of the catalog, for all of it is tried and rolled back. Refused with `invalid_documents`.',
    ...access,
    reads: true,
    upload: true,
    body: planBody,
    answer: signedPlan,
    example: { body: { owner: 'repo:support', documents: [documentExample] }, answer: planExample },
  })
  plan(
    @CallerOf() caller: Caller,
    @VisibleTo() visibility: Visibility,
    @Req() { body, id }: FastifyRequest,
  ): Promise<SignedPlan> {
    const context = { hostId: caller.hostId, actor: caller.actor, correlationId: id === '' ? v7() : id };
    const given = checked(body as Buffer, faultsOfPlanBody) as PlanBody;
    return this.code.plan({ context, caller, visibility }, given);
  }

  @Post('plans/apply')
  @Operation({
    id: 'applyCode',
    summary: 'Carry out a plan',
    description:
      'All of it in one transaction, or nothing, and exactly what it says. Refused with `plan_not_genuine`, with `plan_refused`, and ' +
      'with `plan_stale` where what it is about has changed since, which is then listed. What others have changed meanwhile elsewhere ' +
      'does not matter.',
    ...access,
    batch: true,
    upload: true,
    body: signedPlan,
    answer: appliedAnswer,
    example: { body: planExample, answer: { position: 121, created: 0, changed: 1, removed: 0 } },
  })
  apply(@WriterOf() writer: Writer, @Req() { body }: FastifyRequest): Promise<Applied> {
    return this.code.apply(writer, checked(body as Buffer, faultsOfPlan) as SignedPlan);
  }
}

function checked(body: Buffer, faultsOf: (value: unknown) => readonly Fault[]): unknown {
  const value = parseJsonBody(body);
  const faults = faultsOf(value);
  if (faults.length > 0) throw new Invalid('invalid_body', 'The body can’t be accepted.', faults);
  return value;
}
