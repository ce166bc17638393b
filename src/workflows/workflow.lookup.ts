import { NotFound } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { type Conditions, visibleRows } from '../platform/database/conditions.js';
import type { Change } from '../kernel/slice.js';
import type { RecordState } from '../platform/records/record-spec.js';
import type { Workflow } from './workflow.fields.js';

/**
 * Restricts `wf_definition_t` to what a reader may see: workflows are host-wide, and a token confined to an agent sees none
 * here, since its catalog names those of its skills.
 */
export function visibleWorkflows(visibility: Visibility): Conditions {
  return visibleRows(visibility, { limits: [] });
}

/** Throws NotFound where there is no such workflow, or the token does not reach it. */
export async function requireWorkflow(sql: Sql, visibility: Visibility, wfDefId: string): Promise<void> {
  const where = visibleWorkflows(visibility).add('wf_def_id = ?', wfDefId);
  const found = await sql.query(`SELECT FROM wf_definition_t ${where.sql()}`, where.values);
  if (found.length === 0) throw new NotFound('workflow', wfDefId);
}

/** Facts about a workflow for the link of a skill to it. */
export interface WorkflowFacts {
  readonly wfDefId: string;
  readonly namespace: string;
  readonly name: string;
  readonly toolCalls: Workflow['toolCalls'];
}

/** Loads the facts; undefined where there is no such workflow that the token reaches. */
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

/** Gives reactions the tool calls of a definition that this write has changed. */
export function toolCallsAfter({ id, after }: Change): Workflow['toolCalls'] {
  const state = after as RecordState<Workflow>;
  if (state === null) throw new Error(`No change of the workflow ${id}.`);
  return state.fields.toolCalls;
}
