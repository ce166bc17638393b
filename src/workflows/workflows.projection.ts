import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { UniqueRules } from '../eventsourcing/slice.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { WorkflowEvent, WorkflowWords } from './workflow.events.js';
import { runsOf } from './workflow-runs.js';
import { WorkflowRow } from './workflows.row.js';

export const workflowProjection: Projection = {
  name: 'workflows',
  tables: ['wf_definition_t', 'wf_definition_history_t'],
  handles: [
    'WorkflowDefinitionCreatedEvent',
    'WorkflowDefinitionUpdatedEvent',
    'WorkflowDefinitionPublishedEvent',
    'WorkflowDefinitionDeprecatedEvent',
    'WorkflowDefinitionActivatedEvent',
    'WorkflowDefinitionDeactivatedEvent',
  ] satisfies readonly WorkflowEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & WorkflowEvent)[];
    const rows = new RowChanges(WorkflowRow);
    for (const event of events) {
      const key = { host_id: event.host, wf_def_id: event.aggregateid };
      const isNew = event.type === 'WorkflowDefinitionCreatedEvent';
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, isNew);
    }
    // Drafts of one batch may pass a name on to each other: only the end counts.
    if (events.length > 1) tx.send('SET CONSTRAINTS wf_definition_version_uk DEFERRED');
    rows.write(tx);
  },
};

/** The rule that a race could break is kept by the table as well. */
export const workflowUniqueRules: UniqueRules = {
  wf_definition_version_uk: {
    code: 'workflow_version_taken',
    detail: 'Another workflow has this namespace, name and version already. Give another version.',
  },
};

function changeOf(event: WorkflowEvent): Partial<WorkflowRow> {
  switch (event.type) {
    case 'WorkflowDefinitionCreatedEvent':
      return { ...columnsOf(event.data), lifecycle_status: 'DRAFT', active: true };
    case 'WorkflowDefinitionUpdatedEvent':
      return columnsOf(event.data);
    case 'WorkflowDefinitionPublishedEvent':
      return { lifecycle_status: 'PUBLISHED' };
    case 'WorkflowDefinitionDeprecatedEvent':
      return { lifecycle_status: 'DEPRECATED' };
    case 'WorkflowDefinitionActivatedEvent':
      return { active: true };
    case 'WorkflowDefinitionDeactivatedEvent':
      return { active: false };
  }
}

function columnsOf({ toolCalls, ...same }: Partial<WorkflowWords>): Partial<WorkflowRow> {
  const { definition } = same;
  return {
    ...same,
    ...(definition !== undefined && { runs: runsOf(definition) }),
    ...(toolCalls !== undefined && { tool_calls: toolCalls }),
  };
}
