import type { Change } from '../eventsourcing/reaction.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { RecordState } from '../platform/records/record-spec.js';
import type { Workflow } from './workflow.fields.js';
import { visibleWorkflows } from './workflows.filter.js';

/** What a skill must know of a workflow that it links. */
export interface WorkflowFacts {
  readonly wfDefId: string;
  readonly namespace: string;
  readonly name: string;
  readonly toolCalls: Workflow['toolCalls'];
}

/** Undefined where there is none, or none that the token reaches. */
export async function workflowFactsOf(
  sql: Sql,
  visibility: Visibility,
  wfDefId: string,
): Promise<WorkflowFacts | undefined> {
  const where = visibleWorkflows(visibility).add('wf_def_id = ?', wfDefId);
  const [row] = await sql.query<WorkflowFacts>(
    `SELECT wf_def_id AS "wfDefId", namespace, name, tool_calls AS "toolCalls"
     FROM wf_definition_t ${where.sql()}`,
    where.values,
  );
  return row;
}

/** For reactions: the tool calls of a definition that has changed in this write. */
export function toolCallsAfter({ id, after }: Change): Workflow['toolCalls'] {
  const state = after as RecordState<Workflow>;
  if (state === null) throw new Error(`No change of the workflow ${id}.`);
  return state.fields.toolCalls;
}
