import type { Command } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { planSelection, type Selection } from '../taxonomy/taxonomy.planner.js';
import { requireSkill } from './skills.filter.js';

export async function planTaxonomy(
  sql: Sql,
  visibility: Visibility,
  skillId: string,
  selection: Selection,
): Promise<Command[]> {
  await requireSkill(sql, visibility, skillId);
  return planSelection(sql, visibility, { entityType: 'skill', entityId: skillId }, selection);
}
