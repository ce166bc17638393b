import type { Command } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { planSelection, type Selection } from '../taxonomy/taxonomy.planner.js';
import { requireTool } from './tools.filter.js';

/** Throws NotFound; RuleBroken `category_not_found`, `tag_not_found`. */
export async function planTaxonomy(
  sql: Sql,
  visibility: Visibility,
  toolId: string,
  selection: Selection,
): Promise<Command[]> {
  await requireTool(sql, visibility, toolId);
  return planSelection(sql, visibility, { entityType: 'tool', entityId: toolId }, selection);
}
