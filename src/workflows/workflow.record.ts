import { v7 } from 'uuid';
import type { Outcome } from '../kernel/command.js';
import { RuleBroken } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { idField } from '../platform/records/fields.js';
import { record } from '../platform/records/record.js';
import type { RecordState } from '../platform/records/record-spec.js';
import { handle, receiptWith, UseCase, type Receipt, type Writer } from '../platform/use-cases/use-case.js';
import { type Classification, taxonomyOf } from '../taxonomy/public.js';
import { readContent } from './workflow-validation.js';
import { runsOf } from './workflow-runs.js';
import { workflowExampleId } from './workflow.examples.js';
import {
  workflowFields,
  type LifecycleStatus,
  type Workflow,
  type WrittenWorkflow,
} from './workflow.fields.js';
import { requireWorkflow } from './workflow.lookup.js';

/** One version of a workflow. A draft changes; what was published never does. */
export const workflow = record(
  {
    name: 'WorkflowDefinition',
    noun: 'workflow',
    table: 'wf_definition_t',
    id: { wfDefId: idField },
    fixed: {},
    fields: workflowFields,
    derived: { runs: { sql: 'jsonb', from: 'definition', of: runsOf } },
    lifecycle: 'switched',
    touches: 'referrers',
    stages: {
      field: 'lifecycleStatus',
      first: 'DRAFT',
      steps: { published: 'PUBLISHED', deprecated: 'DEPRECATED' },
    },
    unique: {
      constraint: 'wf_definition_version_uk',
      by: ['namespace', 'name', 'version'],
      among: 'all',
      code: 'workflow_version_taken',
      pointer: 'version',
      detail: (holder, [namespace, name, version]) =>
        `Version ${String(version)} of ${String(namespace)}/${String(name)} is the workflow ${holder} already. Give another version.`,
      raced: 'Another workflow has this namespace, name and version already. Give another version.',
    },
  },
  {
    write({ current }) {
      if (current === null || current.stage === 'DRAFT') return;
      const { version } = current.fields;
      const detail = `Version ${version} of ${nameOf(current.fields)} was published and never changes. Make a new version.`;
      throw new RuleBroken('workflow_not_draft', detail);
    },
    step({ stage, fields }, next) {
      if (next === 'PUBLISHED' && stage === 'DEPRECATED') {
        const detail = `Version ${fields.version} of ${nameOf(fields)} is deprecated for good. Publish another version.`;
        throw new RuleBroken('workflow_deprecated', detail);
      }
      if (next === 'DEPRECATED' && stage === 'DRAFT') {
        const detail = `${nameOf(fields)} is a draft. Only what was published is deprecated.`;
        throw new RuleBroken('workflow_not_published', detail);
      }
    },
  },
);

function nameOf({ namespace, name }: Workflow): string {
  return `${namespace}/${name}`;
}

interface Id {
  readonly wfDefId: string;
}
type WorkflowReceipt = Receipt & {
  readonly lifecycleStatus: LifecycleStatus;
  readonly warnings: Workflow['warnings'];
};

/** Creates a draft. */
export class CreateWorkflow extends UseCase<WrittenWorkflow, WorkflowReceipt> {}
export class UpdateWorkflow extends UseCase<Id & Partial<WrittenWorkflow>, WorkflowReceipt> {}
export class PublishWorkflow extends UseCase<Id, WorkflowReceipt> {}
export class DeprecateWorkflow extends UseCase<Id, WorkflowReceipt> {}
export class ActivateWorkflow extends UseCase<Id, WorkflowReceipt> {}
/** Switches a workflow off, which is always allowed: skills keep it, flagged, and it approves nothing until it is activated again. */
export class DeactivateWorkflow extends UseCase<Id, WorkflowReceipt> {}
export class PutWorkflowTaxonomy extends UseCase<Classification<'wfDefId'>> {}

const result = receiptWith(({ after }: Outcome) => {
  const { stage, fields } = after as NonNullable<RecordState<Workflow>>;
  return { lifecycleStatus: stage as LifecycleStatus, warnings: fields.warnings };
});

const load = (sql: Sql, { wfDefId }: Id, { visibility }: Writer): Promise<void> =>
  requireWorkflow(sql, visibility, wfDefId);

export const workflowTaxonomy = taxonomyOf({
  ...{ entityType: 'workflow', path: 'workflows/:wfDefId', id: 'wfDefId', exampleId: workflowExampleId },
  ...{ useCase: PutWorkflowTaxonomy, requireSeen: requireWorkflow },
});

export const workflowHandlers = [
  handle(CreateWorkflow, {
    prepare: async ({ definition, ...identity }) => ({
      ...identity,
      ...(await readContent(definition, identity)),
    }),
    async load(sql, _input, { context: { hostId } }, fields) {
      const wfDefId = v7();
      return { wfDefId, fields, held: await workflow.held(sql, hostId, wfDefId, fields) };
    },
    decide: ({ wfDefId, fields, held }, _input, { context }) => [
      workflow.create(context.hostId, wfDefId, fields, held),
    ],
    result,
  }),
  handle(UpdateWorkflow, {
    prepare: async ({ wfDefId: _id, definition, ...identity }) => ({
      ...identity,
      ...(definition !== undefined && (await readContent(definition, identity))),
    }),
    async load(sql, { wfDefId }, { visibility }, changes) {
      await requireWorkflow(sql, visibility, wfDefId);
      return { changes, held: await workflow.held(sql, visibility.hostId, wfDefId, changes) };
    },
    decide: ({ changes, held }, { wfDefId }, { context }) => [
      workflow.change(context.hostId, wfDefId, changes, held),
    ],
    result,
  }),
  handle(PublishWorkflow, {
    load,
    decide: (_facts, { wfDefId }, { context }) => [workflow.step(context.hostId, wfDefId, 'published')],
    result,
  }),
  handle(DeprecateWorkflow, {
    load,
    decide: (_facts, { wfDefId }, { context }) => [workflow.step(context.hostId, wfDefId, 'deprecated')],
    result,
  }),
  handle(ActivateWorkflow, {
    load,
    decide: (_facts, { wfDefId }, { context }) => [workflow.activate(context.hostId, wfDefId)],
    result,
  }),
  handle(DeactivateWorkflow, {
    load,
    decide: (_facts, { wfDefId }, { context }) => [workflow.deactivate(context.hostId, wfDefId)],
    result,
  }),
  workflowTaxonomy.handler,
];
