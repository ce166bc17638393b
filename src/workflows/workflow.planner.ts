import { v7 } from 'uuid';
import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { planSelection, type Selection } from '../taxonomy/taxonomy.planner.js';
import type { WorkflowContent } from './workflow-content.js';
import { CreateWorkflow, UpdateWorkflow, type WorkflowCommand } from './workflow.commands.js';
import { versionHolderOf } from './workflow.lookup.js';
import type { WorkflowPatch } from './workflow.schemas.js';
import type { WorkflowWords } from './workflow.events.js';
import { requireWorkflow, visibleWorkflows } from './workflows.filter.js';

export async function planCreation(sql: Sql, hostId: string, words: WorkflowWords): Promise<Command[]> {
  const wfDefId = v7();
  const versionHeldBy = await versionHolderOf(sql, hostId, { ...words, wfDefId });
  return [new CreateWorkflow(hostId, wfDefId, { words, versionHeldBy })];
}

/** `content` is what was read of the patch's definition, if it has one. */
export async function planUpdate(
  sql: Sql,
  visibility: Visibility,
  wfDefId: string,
  patch: Omit<WorkflowPatch, 'definition'> & Partial<WorkflowContent>,
): Promise<Command[]> {
  const where = visibleWorkflows(visibility).add('wf_def_id = ?', wfDefId);
  const [now] = await sql.query<Pick<WorkflowWords, 'namespace' | 'name' | 'version'>>(
    `SELECT namespace, name, version FROM wf_definition_t ${where.sql()}`,
    where.values,
  );
  if (now === undefined) throw new NotFound('workflow', wfDefId);
  const versionHeldBy = await versionHolderOf(sql, visibility.hostId, { ...now, ...patch, wfDefId });
  return [new UpdateWorkflow(visibility.hostId, wfDefId, { words: patch, versionHeldBy })];
}

/** To publish, deprecate, activate or deactivate. */
export async function planStep(
  sql: Sql,
  visibility: Visibility,
  wfDefId: string,
  step: new (hostId: string, wfDefId: string, payload: Record<never, never>) => WorkflowCommand,
): Promise<Command[]> {
  await requireWorkflow(sql, visibility, wfDefId);
  return [new step(visibility.hostId, wfDefId, {})];
}

export async function planTaxonomy(
  sql: Sql,
  visibility: Visibility,
  wfDefId: string,
  selection: Selection,
): Promise<Command[]> {
  await requireWorkflow(sql, visibility, wfDefId);
  return planSelection(sql, visibility, { entityType: 'workflow', entityId: wfDefId }, selection);
}
