/** What waits to be accepted of a tool. */
import { factsFrom, fieldsOf, loosened } from '../../endpoints/shared.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { acceptedFields, suspiciousFields } from '../model/tool-change.js';
import type { ChangeMark, ToolFields } from '../model/tool-facts.js';
import { type KnownVersion, waitingVersionOf } from './tool-versions.lookup.js';
import { visibleTool } from './tool-writes.planner.js';

interface WaitingChanges {
  readonly endpointId: string | null;
  /** Whether the change is suspicious, also by what the tool guards now. */
  readonly needsAdministrator: boolean;
  /** The version that is approved with them. */
  readonly waiting: KnownVersion | undefined;
}

/** Throws NotFound. */
export async function waitingChanges(
  sql: Sql,
  visibility: Visibility,
  toolId: string,
): Promise<WaitingChanges> {
  const { endpoint_id: endpointId, change, words } = await visibleTool(sql, visibility, toolId);
  const waiting = await waitingVersionOf(sql, visibility.hostId, toolId);
  return { endpointId, needsAdministrator: isSuspicious(words, change), waiting };
}

function isSuspicious({ routing, safety }: ToolFields, change: ChangeMark | null): boolean {
  if (change !== null && suspiciousFields(change).length > 0) return true;
  const before = factsFrom(acceptedFields(fieldsOf({ routing, safety }), change));
  return loosened({ routing: {}, safety: {}, ...before }, { routing, safety }).length > 0;
}
