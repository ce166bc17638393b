import type { Change } from '../eventsourcing/reaction.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { WorkflowState } from './workflow.decider.js';
import type { WorkflowWords } from './workflow.events.js';
import { visibleWorkflows } from './workflows.filter.js';

/** What a skill must know of a workflow that it links. */
export interface WorkflowFacts {
  readonly wfDefId: string;
  readonly namespace: string;
  readonly name: string;
  readonly toolCalls: WorkflowWords['toolCalls'];
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
export function toolCallsAfter({ id, after }: Change): WorkflowWords['toolCalls'] {
  const state = after as WorkflowState;
  if (state.status === 'unknown') throw new Error(`No change of the workflow ${id}.`);
  return state.words.toolCalls;
}

/** The other definition with this namespace, name and version. */
export async function versionHolderOf(
  sql: Sql,
  hostId: string,
  workflow: Pick<WorkflowWords, 'namespace' | 'name' | 'version'> & { readonly wfDefId: string },
): Promise<string | null> {
  const { namespace, name, version, wfDefId } = workflow;
  const [row] = await sql.query<{ wf_def_id: string }>(
    `SELECT wf_def_id FROM wf_definition_t
     WHERE host_id = $1 AND namespace = $2 AND name = $3 AND version = $4 AND wf_def_id <> $5`,
    [hostId, namespace, name, version, wfDefId],
  );
  return row?.wf_def_id ?? null;
}
