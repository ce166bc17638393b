import { Post } from '@nestjs/common';
import { isNarrowed } from '../platform/auth/visibility.js';
import { holdsEach } from '../platform/database/conditions.js';
import { receiptAnswer } from '../platform/http/schemas.js';
import { field } from '../platform/records/fields.js';
import { RecordReads } from '../platform/records/record-reads.js';
import { recordRoutes } from '../platform/records/record-routes.js';
import { writeRoute } from '../platform/records/routes.js';
import { taxonomyFilter } from '../taxonomy/shared.js';
import { addTaxonomyFilter, taxonomyShown } from '../taxonomy/public.js';
import {
  listedWorkflowExample,
  newWorkflowExample,
  workflowExample,
  workflowReceiptExample,
} from './workflow.examples.js';
import { lifecycleStatus, newWorkflow, warnings, workflowFilters, workflowPatch } from './workflow.fields.js';
import {
  ActivateWorkflow,
  CreateWorkflow,
  DeactivateWorkflow,
  DeprecateWorkflow,
  PublishWorkflow,
  UpdateWorkflow,
  workflow,
  workflowTaxonomy,
} from './workflow.record.js';
import { visibleWorkflows } from './workflow.lookup.js';

export const workflowReads = new RecordReads(
  {
    ...workflow.spec,
    fields: {
      ...workflow.spec.fields,
      lifecycleStatus: field({
        sql: 'text',
        shown: lifecycleStatus,
        answered: {
          ...lifecycleStatus,
          description: 'Only a draft changes; a published one approves calls.',
        },
      }),
    },
  },
  {
    visible: visibleWorkflows,
    shows: taxonomyShown('workflow', 'wf_definition_t', 'wf_def_id'),
    orderBy: 'name',
    filters: workflowFilters,
    narrow: {
      query: {
        ...taxonomyFilter,
        q: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description: 'Words, or parts of them, of the namespace and the name.',
        },
      },
      add(where, { hostId }, { q, ...query }) {
        if (typeof q === 'string') where.add(...holdsEach("concat_ws('/', namespace, name)", q));
        addTaxonomyFilter(where, hostId, { entityType: 'workflow', id: 'wf_def_id' }, query);
      },
    },
    redact: (answer, visibility) =>
      isNarrowed(visibility) && 'definition' in answer
        ? { ...answer, definition: null, toolCalls: [], warnings: [] }
        : answer,
  },
);

const answer = {
  ...receiptAnswer,
  title: 'WorkflowReceipt',
  required: [...receiptAnswer.required, 'lifecycleStatus', 'warnings'],
  properties: { ...receiptAnswer.properties, lifecycleStatus, warnings },
} as const;
const written = { ...workflowReceiptExample, version: 2, position: 21 };
const step = { scope: 'catalog:write', answer } as const;

export const workflowRoutes = [
  ...recordRoutes(workflowReads, {
    path: 'workflows',
    operations: { one: 'Workflow' },
    list: {
      description: 'Each version for itself, without its definition, ordered by name.',
      example: { lifecycleStatus: 'DRAFT' },
    },
    create: {
      useCase: CreateWorkflow,
      summary: 'Write a version of a workflow',
      description:
        'A draft. Refused with `workflow_version_taken`, with `workflow_definition_invalid` and all faults where the ' +
        'definition can’t be read or its calls can’t be read, and with `workflow_contains_secret`.',
      ...{ body: newWorkflow, answer },
    },
    update: {
      useCase: UpdateWorkflow,
      summary: 'Change a draft',
      description:
        'What is left out stays. Refused with `workflow_not_draft` once it was published, with ' +
        '`workflow_tool_not_linked` where a skill that has the workflow lacks a tool it calls, and as on creation.',
      ...{ body: workflowPatch, answer },
      example: { body: { version: '1.1.0' } },
    },
    activate: { useCase: ActivateWorkflow, summary: 'Activate a workflow', answer },
    deactivate: {
      useCase: DeactivateWorkflow,
      summary: 'Deactivate a workflow',
      description: 'Skills keep it, flagged; it approves nothing until it is activated again.',
      answer,
    },
    example: {
      body: newWorkflowExample,
      answer: workflowExample,
      listed: listedWorkflowExample,
      receipt: workflowReceiptExample,
    },
  }),
  writeRoute(
    [Post, 'workflows/:wfDefId/publish'],
    {
      id: 'publishWorkflow',
      summary: 'Publish a draft',
      description:
        'It never changes again, and may approve calls. Every skill that has it is checked once more: 409 ' +
        '`workflow_tool_not_linked`. A deprecated one is refused: `workflow_deprecated`.',
      ...step,
      example: { answer: { ...written, lifecycleStatus: 'PUBLISHED' } },
    },
    PublishWorkflow,
  ),
  writeRoute(
    [Post, 'workflows/:wfDefId/deprecate'],
    {
      id: 'deprecateWorkflow',
      summary: 'Deprecate a published workflow',
      description: 'For good. Skills keep it, flagged; it approves nothing any more.',
      ...step,
      example: { answer: { ...written, lifecycleStatus: 'DEPRECATED' } },
    },
    DeprecateWorkflow,
  ),
  ...workflowTaxonomy.routes,
];
