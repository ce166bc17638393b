import { knownEndpoints } from '../endpoints/endpoint-layer.lookup.js';
import { endpointRecord, endpointsById, type EndpointRecord } from '../endpoints/endpoint.lookup.js';
import { evolveEndpoint } from '../endpoints/endpoint.state.js';
import type { Layer } from '../endpoints/layer-facts.js';
import type { Command } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import { toolsOfEndpoints } from '../tools/tool.lookup.js';
import {
  planPublication,
  planReturns as planToolReturns,
  type PublicationConflict,
} from '../tools/tool.planner.js';
import type { Difference, ReportConflict, Reviewed } from './import.plan.js';

/** What an import means for tools: new ones where it publishes, and names that it finds taken. */
export interface PlannedTools {
  readonly commands: readonly Command[];
  readonly conflicts: readonly PublicationConflict[];
  /** Whether what the plan was made from is still so; to be asked under the host's lock. */
  stillHolds(sql: Sql): Promise<boolean>;
}

/** What an import changes of the endpoints of a version. */
export interface EndpointChanges {
  readonly hostId: string;
  readonly layer: Layer;
  readonly difference: Difference;
  readonly reviewed: readonly Reviewed[];
}

/** Without publishing: tools come and go with their endpoints by themselves, unless a name is taken by then. */
export async function planReturns(sql: Sql, changes: EndpointChanges): Promise<PlannedTools> {
  const changed = await changedRecords(sql, changes);
  return { commands: [], ...(await planToolReturns(sql, changes.hostId, changed)) };
}

/** Publishes what is in the document and is no tool yet. Of endpoints that are unchanged only those are read. */
export async function planPublished(sql: Sql, changes: EndpointChanges): Promise<PlannedTools> {
  const { hostId, difference } = changes;
  const unchanged = difference.unchanged.map(({ endpointId }) => endpointId);
  const tools = new Set((await toolsOfEndpoints(sql, hostId, unchanged)).map(({ endpointId }) => endpointId));
  const unpublished = unchanged.filter((endpointId) => !tools.has(endpointId));
  const records = [
    ...(await changedRecords(sql, changes)),
    ...(await endpointsById(sql, hostId, unpublished)),
  ];
  return planPublication(sql, hostId, records, { onConflict: 'report', named: false });
}

/** The endpoints that the import changes, as they will be after it. */
async function changedRecords(sql: Sql, changes: EndpointChanges): Promise<EndpointRecord[]> {
  const { hostId, layer, difference, reviewed } = changes;
  const vanished = difference.vanished.map(({ endpointId }) => endpointId);
  const states = await knownEndpoints(sql, hostId, vanished);
  return [
    ...reviewed.map(({ endpointId, review }) => endpointRecord(endpointId, review.after)),
    ...[...states].map(([endpointId, state]) =>
      endpointRecord(
        endpointId,
        evolveEndpoint(state, { type: 'ApiEndpointVanishedEvent', data: { layer } }),
      ),
    ),
  ];
}

/** A name that is taken, as the report's conflicts show it. */
export function nameConflict(
  { endpoint, name, code, detail }: PublicationConflict,
  layer: Layer,
): ReportConflict {
  return { endpoint, field: 'toolName', kept: null, offered: name, layer, code, detail };
}
