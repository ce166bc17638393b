import { endpointRecord, endpointsById } from '../endpoints/endpoint.lookup.js';
import type { Command } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import { hasTags } from '../taxonomy/taxonomy.lookup.js';
import { planAdoption, type Tagged } from '../taxonomy/taxonomy.planner.js';
import type { EndpointChanges } from './import-tools.planner.js';

/** What an import means for the tags of endpoints. */
export interface PlannedTags {
  readonly commands: readonly Command[];
  readonly created: number;
}

/**
 * The document's tags become those of its endpoints where there are tags of the name (contract 6). Asked to create
 * them, the import looks at the endpoints that have not changed as well.
 */
export async function planTags(
  sql: Sql,
  { visibility: { hostId }, difference, reviewed }: EndpointChanges,
  createTags: boolean,
): Promise<PlannedTags> {
  if (!createTags && (reviewed.length === 0 || !(await hasTags(sql, hostId, 'endpoint')))) {
    return { commands: [], created: 0 };
  }
  const changed = reviewed.map(({ endpointId, review }): Tagged => {
    return { entityId: endpointId, tags: endpointRecord(endpointId, review.after).facts.tags };
  });
  const unchanged = createTags ? difference.unchanged.map(({ endpointId }) => endpointId) : [];
  const stored = (await endpointsById(sql, hostId, unchanged)).map(({ endpointId, facts }): Tagged => {
    return { entityId: endpointId, tags: facts.tags };
  });
  const how = { entityType: 'endpoint', create: createTags } as const;
  const { made, adopted } = await planAdoption(sql, hostId, how, [...changed, ...stored]);
  return { commands: [...made, ...adopted], created: made.length };
}
