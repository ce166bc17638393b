import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { type Conditions, visibleRows } from '../platform/database/conditions.js';

/**
 * What of `wf_definition_t` a reader may see: workflows are host-wide. A token confined to an agent sees none here: the
 * agent's catalog names those of its skills.
 */
export function visibleWorkflows(visibility: Visibility): Conditions {
  return visibleRows(visibility, { limits: [] });
}

/** Throws NotFound. */
export async function requireWorkflow(sql: Sql, visibility: Visibility, wfDefId: string): Promise<void> {
  const where = visibleWorkflows(visibility).add('wf_def_id = ?', wfDefId);
  const found = await sql.query(`SELECT FROM wf_definition_t ${where.sql()}`, where.values);
  if (found.length === 0) throw new NotFound('workflow', wfDefId);
}
